import { execFile } from 'node:child_process';
import {
	appendFileSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { withoutNpmSettings } from '../../harness/npm';
import { homeOf, placeholdersOf } from '../../harness/release/home';
import {
	copyRepository,
	manifestOf,
	stepsIn,
	commandBlocks,
	inlineCommand,
} from '../copied-repository';

const run = promisify(execFile);
const PUBLISHING = 'contributing/publishing.md';
const CHANGE = '### Fixed\n\n- A `fault` of [this] version.';
const REPOSITORY = 'some-owner/another-name';
const PLACEHOLDER = /^package.json has the placeholder .* npm run set-repository/m;
const MAIL = 'security@some-owner.test';

const ended = z.object({ code: z.number().default(0), stdout: z.string(), stderr: z.string() });
const version = z.object({ version: z.string() });
const component = z.object({ purl: z.string() });
const sbom = z.object({
	metadata: z.object({ component }),
	components: z.array(component),
});

/** A release up to the step that publishes, with the commands of the page, on a copy of the repository. Each test goes on from the last. */
describe('A release on a clone', () => {
	let folder: string;
	let copy: string;

	beforeAll(async () => {
		folder = mkdtempSync(join(tmpdir(), 'document-workflow-release-'));
		copy = join(folder, 'repository');
		copyRepository(copy, join(folder, 'remote.git'));
		await makeFirstVersion();
	});
	afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));

	async function shell(command: string) {
		const env = { ...withoutNpmSettings(), GITHUB_REPOSITORY: REPOSITORY }; // as in its workflow
		const options = { cwd: copy, env, maxBuffer: 100_000_000 };
		return ended.parse(
			await run('sh', ['-euc', command], options).catch((error: unknown) => error),
		);
	}
	async function succeeds(command: string): Promise<string> {
		const { code, stdout, stderr } = await shell(command);
		if (code !== 0) throw new Error(`${command}\n${stdout}\n${stderr}`);
		return stdout.trim();
	}
	/** The package as it was before anybody owned it, whatever home and version it has by now. */
	async function makeFirstVersion(): Promise<void> {
		const { repository, mail } = placeholdersOf(manifestOf(copy).name);
		if (homeOf(manifestOf(copy)).mail !== mail)
			await succeeds(`npm run set-repository -- ${repository} ${mail}`);
		await succeeds('npm version 0.1.0 --no-git-tag-version --allow-same-version');
		await succeeds('git commit -qam First --allow-empty');
	}
	const textOf = (file: string) => readFileSync(join(copy, file), 'utf8');
	const [check = '', build = '', files = '', publish = '', ...others] =
		commandBlocks(PUBLISHING)[1]?.split('\n') ?? [];

	it('is stopped by the placeholders of the repository', async () => {
		expect(others).toEqual([]);
		const { code, stderr } = await shell(check);
		expect(code).toBe(1);
		expect(stderr).toMatch(PLACEHOLDER);
	});

	it('leaves no placeholder after one command, and nothing that the formatter would change', async () => {
		const { name } = manifestOf(copy);
		const placeholders = placeholdersOf(name);
		await succeeds(
			inlineCommand(PUBLISHING, 'npm run set-repository -- owner/name mail')
				.replace('owner/name', REPOSITORY)
				.replace(' mail', ` ${MAIL}`),
		);
		const found = ['repository', 'author', 'mail'] as const;
		for (const each of found)
			expect(await shell(`git grep -l '${placeholders[each]}'`)).toMatchObject({ code: 1 });
		expect(await shell(`git grep '@${name}$'`)).toMatchObject({ code: 1 });
		expect(homeOf(manifestOf(copy))).toEqual({
			repository: REPOSITORY,
			author: 'some-owner',
			mail: MAIL,
		});
		await succeeds('npx prettier --check --ignore-unknown $(git diff --name-only)');
	});

	it('refuses a name of a repository that it does not understand', async () => {
		const { code, stderr } = await shell('npm run set-repository -- no-slash mail');
		expect([code, stderr]).toEqual([1, expect.stringContaining('Name the repository')]);
		expect(homeOf(manifestOf(copy)).repository).toBe(REPOSITORY);
	});

	it('has its tag, its version and its part of the changelog by the commands of the page', async () => {
		const changelog = textOf('CHANGELOG.md');
		const later = `## [Unreleased]\n\n## [0.1.1] - 2026-01-31\n\n${CHANGE}\n\n## [0.1.0] - 2026-01-01`;
		writeFileSync(join(copy, 'CHANGELOG.md'), changelog.replace('## [Unreleased]', later));
		await succeeds('git commit -qam Changelog');
		await succeeds(inlineCommand(PUBLISHING, 'npm version patch'));
		expect(manifestOf(copy).version).toBe('0.1.1');
		expect(version.parse(JSON.parse(textOf('package-lock.json'))).version).toBe('0.1.1');
		await succeeds(check);
	});

	it.each<[string, string, (command: string) => string, RegExp]>([
		[
			'a wrong tag',
			'true',
			(command) => command.replace('v0.1.1', 'v0.2.0'),
			/^The tag "v0.2.0" is not v0.1.1, the version in package.json/m,
		],
		[
			'a dirty tree',
			'echo more >> README.md',
			(command) => command,
			/^These files differ from the commit: README.md/m,
		],
		[
			'a placeholder',
			`sed -i 's/${MAIL}/maintainers@''example.com/' SECURITY.md && git commit -qam x`,
			(command) => command,
			/^Placeholders are left in SECURITY.md/m,
		],
		[
			'a changed lock',
			`sed -i '0,/"jest": "[^"]*"/s//"jest": "1.0.0"/' package-lock.json && git commit -qam x`,
			(command) => command,
			/^package-lock.json has another version of jest than package.json/m,
		],
	])('is stopped with a sentence by %s', async (_, change, of, sentence) => {
		const commit = await succeeds('git rev-parse HEAD');
		await succeeds(change);
		const { code, stderr } = await shell(of(check));
		await succeeds(`git reset -q --hard ${commit}`);
		expect([code, stderr]).toEqual([1, expect.stringMatching(sentence)]);
		expect(stderr).toMatch(/^Nothing of v0\.\d\.\d has been published\.$/m);
	});

	it('goes through up to its last step, with the package, its notes and its list of components', async () => {
		await succeeds(build);
		expect(stepsIn(copy)).toEqual(['lint', 'test', 'gate']);
		await succeeds(files);
		expect(readdirSync(join(copy, 'artefacts', 'release')).sort()).toEqual([
			`${manifestOf(copy).name}-0.1.1.tgz`,
			'notes.md',
			'sbom.cdx.json',
		]);
		expect(textOf('artefacts/release/notes.md')).toBe(`${CHANGE}\n`);
		const listed = sbom.parse(JSON.parse(textOf('artefacts/release/sbom.cdx.json')));
		expect(listed.metadata.component.purl).toMatch(/^pkg:npm\/.*@0\.1\.1$/);
		expect(listed.components).toEqual([]);
		const { code, stderr } = await shell(publish);
		expect(code).toBe(0);
		expect(stderr).toMatch(/dist\/nodes\/DocumentWorkflow\/DocumentWorkflow\.node\.js/);
	}, 300_000);

	it('makes no files from a build whose tests have changed a file', async () => {
		appendFileSync(join(copy, 'index.js'), '\n');
		const { code, stderr } = await shell(files);
		await succeeds('git checkout -q index.js');
		expect([code, stderr]).toEqual([
			1,
			expect.stringContaining('differ from the commit: index.js'),
		]);
	});

	it('has its tag pushed, and taken back after a fault', async () => {
		const tags = async () => succeeds('git ls-remote --tags origin v0.1.1');
		await succeeds(inlineCommand(PUBLISHING, 'git push --follow-tags'));
		expect(await tags()).toContain('refs/tags/v0.1.1');
		await succeeds(
			inlineCommand(PUBLISHING, 'git tag -d v0.1.1 && git push --delete origin v0.1.1'),
		);
		expect(await tags()).toBe('');
		await succeeds(inlineCommand(PUBLISHING, 'git tag -a v0.1.1 -m 0.1.1'));
		await succeeds('git push --follow-tags');
		expect(await tags()).toContain('refs/tags/v0.1.1');
	});
	it('is tried again from its first version after the release', async () => {
		await makeFirstVersion();
		expect(await shell(check)).toMatchObject({
			code: 1,
			stderr: expect.stringMatching(PLACEHOLDER),
		});
	});
});
