import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
	cpSync,
	existsSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import type { INodeType } from 'n8n-workflow';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';

import { installGate } from '../../harness/install';
import { buildAndPack, packPackage, ROOT, SOURCES } from '../../harness/pack';
import * as ts from 'typescript';

interface Manifest {
	name: string;
	license: string;
	keywords: string[];
	author: { name: string; email: string };
	peerDependencies: Record<string, string>;
	scripts: Record<string, string>;
	files: string[];
	n8n: { n8nNodesApiVersion: number; nodes: string[]; credentials: string[] };
}

let gate: string;
let tarball: string;
let unpacked: string;
let packedFiles: string[];
let manifest: Manifest;

beforeAll(async () => {
	gate = await installGate(console.log);
	tarball = await packPackage({ fresh: true });
	unpacked = mkdtempSync(join(tmpdir(), 'document-workflow-gate-'));
	execFileSync('tar', ['-xzf', tarball, '-C', unpacked, '--strip-components=1']);
	packedFiles = execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8' })
		.split('\n')
		.filter(Boolean)
		.map((path) => path.replace(/^package\//, ''));
	manifest = JSON.parse(readFileSync(join(unpacked, 'package.json'), 'utf8')) as Manifest;
}, 300_000);

afterAll(() => rmSync(unpacked, { recursive: true, force: true }));

function sha512(file: string): string {
	return createHash('sha512').update(readFileSync(file)).digest('hex');
}

type Script = 'scan.mjs' | 'lint.mjs' | 'actions.mjs' | 'publint.mjs';

/** What a script of this folder prints, and whether it found nothing. */
function check(script: Script, folder: string, ...patterns: string[]) {
	const env = { ...process.env };
	delete env.NODE_ENV; // With "test", which jest sets, the rules judge every file as if it were one of their own fixtures.
	const { stdout, stderr, status } = spawnSync(
		process.execPath,
		[join(__dirname, script), gate, folder, ...patterns],
		{ encoding: 'utf8', env },
	);
	return { passed: status === 0, printed: `${stdout}\n${stderr}`.trim() };
}

function scan(folder: string, ...patterns: string[]): string {
	const { passed, printed } = check('scan.mjs', folder, ...patterns);
	return passed ? 'passed' : printed;
}

describe("n8n's scanner", () => {
	it('passes the sources', () => {
		expect(scan(ROOT, 'package.json', '{nodes,credentials,service}/**/*.{js,ts,json}')).toBe(
			'passed',
		);
	});

	it('passes the packed tarball', () => {
		expect(scan(unpacked, '**/*.js', 'package.json')).toBe('passed');
	});

	it('reports code that n8n forbids', () => {
		expect(scan(join(__dirname, 'forbidden'), 'nodes/**/*.ts')).toMatch(
			/no-restricted-globals[\s\S]*require-node-api-error|require-node-api-error[\s\S]*no-restricted-globals/,
		);
	});
});

describe("the lint rules of n8n's tool for community nodes", () => {
	it('find no error and no warning in the sources', () => {
		const { printed } = check(
			'lint.mjs',
			ROOT,
			...['package.json', '{nodes,credentials,service}/**/*.ts'],
		);
		expect(printed).toMatch(/^\d{2,3} files: 0 errors, 0 warnings$/);
	});

	it('report errors and warnings, and count them', () => {
		const { passed, printed } = check('lint.mjs', join(__dirname, 'forbidden'), 'nodes/**/*.ts');
		expect(passed).toBe(false);
		expect(printed).toMatch(/^1 files: [1-9]\d* errors, [1-9]\d* warnings\n/);
		expect(printed).toContain('import-x/no-duplicates');
		expect(printed).toContain('@n8n/community-nodes/no-restricted-globals');
	});
});

describe('each node', () => {
	const one = "{ name: 'one', required: true }";

	it('takes one credential, in the build and written inline in its source', () => {
		for (const path of manifest.n8n.nodes) {
			const name = posix.basename(path, '.node.js');
			const { [name]: Node } = jest.requireActual<Record<string, new () => INodeType>>(
				join(ROOT, path),
			);
			if (Node === undefined) throw new Error(`${path} has no class ${name}`);
			expect([path, credentialsOf(new Node())]).toEqual([path, 1]);
			const source = path.replace('dist/', '').replace(/\.js$/, '.ts');
			expect(credentialFaults(readFileSync(join(ROOT, source), 'utf8'))).toEqual([]);
		}
	});

	it.each([
		[`credentials: [${one}, { name: 'two' }]`, '2 credentials'],
		['credentials: []', '0 credentials'],
		['credentials: CREDENTIALS', 'not an inline list: CREDENTIALS'],
		['credentials', 'not an inline list: credentials'],
		['"credentials": listOf(1)', 'not an inline list: listOf(1)'],
		['credentials: [...CREDENTIALS]', 'not an inline credential: ...CREDENTIALS'],
		[`credentials: [${one}], more: { credentials: [${one}] }`, '2 properties named credentials'],
		['inputs: []', '0 properties named credentials'],
	])('is reported when its description has %s', (properties, fault) => {
		const source = `export class Node { description = { ${properties} }; }`;
		expect(credentialFaults(source)).toEqual([fault]);
	});
});

describe('publint', () => {
	it('finds nothing in the packed tarball', () =>
		expect(check('publint.mjs', tarball).printed).toBe(`${manifest.name}: 0 findings`));

	it('reports an entry that is not in the package', () => {
		const folder = mkdtempSync(join(tmpdir(), 'document-workflow-publint-'));
		writeFileSync(
			join(folder, 'package.json'),
			'{ "name": "odd", "version": "1.0.0", "type": "commonjs", "main": "none.js" }',
		);
		const options = { cwd: folder, encoding: 'utf8' } as const;
		execFileSync('npm', ['pack', '--ignore-scripts'], { ...options, stdio: 'pipe' });
		const { passed, printed } = check('publint.mjs', join(folder, 'odd-1.0.0.tgz'));
		rmSync(folder, { recursive: true });
		expect([passed, printed]).toEqual([false, expect.stringContaining('none.js')]);
	});
});

describe('actionlint', () => {
	const folder = join(ROOT, '.github', 'workflows');
	const workflows = readdirSync(folder).map((name) => join(folder, name));

	it('finds nothing in the workflows', () => {
		const [first = '', ...others] = workflows;
		expect(check('actions.mjs', first, ...others).printed).toBe(
			`${workflows.length} workflows: 0 findings`,
		);
	});

	it('reports a context that does not exist', () => {
		const file = join(unpacked, 'odd.yml');
		const text = readFileSync(join(folder, 'test.yml'), 'utf8');
		writeFileSync(file, text.replace('github.ref', 'github.reff'));
		const { passed, printed } = check('actions.mjs', file);
		expect([passed, printed]).toEqual([false, expect.stringContaining('"reff" is not defined')]);
	});
});

describe('the packed tarball', () => {
	it('has every node and credential that it lists, with the codex of each node naming it', () => {
		for (const path of [...manifest.n8n.nodes, ...manifest.n8n.credentials]) {
			expect(path).toMatch(/^dist\//);
			expect(existsSync(join(unpacked, path))).toBe(true);
		}
		for (const path of manifest.n8n.nodes) {
			const codex = JSON.parse(
				readFileSync(join(unpacked, path.replace(/\.js$/, '.json')), 'utf8'),
			) as { node: string };
			const nodeName = posix
				.basename(path, '.node.js')
				.replace(/^./, (letter) => letter.toLowerCase());
			expect(codex.node).toBe(`${manifest.name}.${nodeName}`);
		}
	});

	it('requires at run time only its own files, n8n-workflow and crypto', () => {
		const required = packedFiles
			.filter((path) => path.endsWith('.js'))
			.flatMap((path) =>
				[
					...readFileSync(join(unpacked, path), 'utf8').matchAll(
						/\brequire\("([^"]+)"\)|\brequire\('([^']+)'\)/g,
					),
				].map((match) => match[1] ?? match[2]),
			);
		expect([...new Set(required.filter((name) => !name?.startsWith('.')))].sort()).toEqual([
			'crypto',
			'n8n-workflow',
		]);
	});

	it('has the same bytes when it is built in another folder, at another time', async () => {
		const sources = mkdtempSync(join(tmpdir(), 'document-workflow-sources-'));
		try {
			for (const name of SOURCES)
				cpSync(join(ROOT, name), join(sources, name), { recursive: true });
			for (const file of readdirSync(sources, { recursive: true, encoding: 'utf8' }))
				utimesSync(join(sources, file), 1, 1);
			symlinkSync(join(ROOT, 'node_modules'), join(sources, 'node_modules'));
			const other = await buildAndPack(sources, join(sources, 'packed'));
			expect(sha512(other)).toBe(sha512(tarball));
		} finally {
			rmSync(sources, { recursive: true, force: true });
		}
	});

	it.each([
		['has no switched-off lint rules, since n8n ignores them', 'eslint-disable'],
		['does not refer to source maps, since it has none', 'sourceMappingURL'],
	])('%s', (_, unwanted) => {
		const code = packedFiles.filter((path) => path.endsWith('.js'));
		expect(
			code.filter((path) => readFileSync(join(unpacked, path), 'utf8').includes(unwanted)),
		).toEqual([]);
	});
});

describe('package.json', () => {
	it('has all that n8n asks of a verified community node', () => {
		expect(manifest).toMatchObject({
			name: expect.stringMatching(/^n8n-nodes-/),
			license: 'MIT',
			keywords: expect.arrayContaining(['n8n-community-node-package']),
			author: { name: expect.stringMatching(/./), email: expect.stringMatching(/@/) },
			peerDependencies: { 'n8n-workflow': '*' },
			files: expect.arrayContaining(['dist']),
			n8n: { n8nNodesApiVersion: 1 },
		});
		expect(Object.keys(manifest.peerDependencies)).toEqual(['n8n-workflow']);
		expect(
			Object.keys(manifest)
				.filter((key) => /dependencies|overrides/i.test(key))
				.sort(),
		).toEqual(['devDependencies', 'peerDependencies', 'peerDependenciesMeta']);
		expect(Object.keys(manifest.scripts)).not.toEqual(
			expect.arrayContaining([expect.stringMatching(/^(pre|post)?(install|prepare)$/)]),
		);
	});
});

describe('what is installed with the package', () => {
	it('is nothing, so that npm audit finds no vulnerability', () => {
		const options = ['--omit=dev', '--package-lock-only', '--json'];
		const { stdout } = spawnSync('npm', ['audit', ...options], { cwd: ROOT, encoding: 'utf8' });
		expect(JSON.parse(stdout)).toMatchObject({
			vulnerabilities: {},
			metadata: { vulnerabilities: { total: 0 }, dependencies: { prod: 1 } }, // the package itself
		});
	});
});

/** n8n's newest rule `single-credential-per-node`, which its published tools do not have yet. How many a loaded node takes: */
const credentialsOf = ({ description }: INodeType) => description.credentials?.length ?? 0;

/** What breaks the rule in the source of a node. A list that is not written inline could hide further ones. */
function credentialFaults(source: string): string[] {
	const lists: ts.Expression[] = [];
	const visit = (node: ts.Node): void => {
		if (isProperty(node) && propertyName(node) === 'credentials') lists.push(valueOf(node));
		ts.forEachChild(node, visit);
	};
	visit(ts.createSourceFile('node.ts', source, ts.ScriptTarget.Latest, true));
	if (lists.length !== 1) return [`${lists.length} properties named credentials`];
	return lists.flatMap((list) => {
		if (!ts.isArrayLiteralExpression(list)) return [`not an inline list: ${list.getText()}`];
		const { elements } = list;
		const hidden = elements.filter((element) => !ts.isObjectLiteralExpression(element));
		return [
			...(elements.length === 1 ? [] : [`${elements.length} credentials`]),
			...hidden.map((element) => `not an inline credential: ${element.getText()}`),
		];
	});
}

type Property = ts.PropertyAssignment | ts.ShorthandPropertyAssignment;

const isProperty = (node: ts.Node): node is Property =>
	ts.isPropertyAssignment(node) || ts.isShorthandPropertyAssignment(node);

const propertyName = ({ name }: Property) =>
	ts.isIdentifier(name) || ts.isStringLiteral(name) ? name.text : '';

const valueOf = (property: Property): ts.Expression =>
	ts.isPropertyAssignment(property) ? property.initializer : property.name;
