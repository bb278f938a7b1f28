import { execSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from '../../harness/pack';

interface Packed {
	size: number;
	files: Array<{ path: string }>;
}

let packed: Packed;

beforeAll(() => {
	const answer = execSync('npm pack --dry-run --json --ignore-scripts', {
		cwd: ROOT,
		encoding: 'utf8',
		stdio: ['ignore', 'pipe', 'ignore'],
	});
	[packed] = JSON.parse(answer) as [Packed];
});

/** The built files: compiled sources, and copies of icons, codex files and output previews. */
function builtFiles(): string[] {
	return ['nodes', 'credentials', 'service'].flatMap((room) =>
		readdirSync(join(ROOT, room), { recursive: true, withFileTypes: true })
			.filter((entry) => entry.isFile())
			.map(({ parentPath, name }) => join(parentPath, name).slice(ROOT.length + 1))
			.map((path) => `dist/${path.replaceAll('\\', '/').replace(/\.ts$/, '.js')}`),
	);
}

describe('the tarball', () => {
	it('contains one built file for each source file, four files about the package, and nothing else', () => {
		const about = ['package.json', 'README.md', 'LICENSE', 'index.js'];
		expect(packed.files.map(({ path }) => path).sort()).toEqual([...about, ...builtFiles()].sort());
	});

	it('stays small: at most 125 kB, so what is added takes the place of something that no user needs', () => {
		expect(packed.size).toBeLessThanOrEqual(125_000);
	});
});
