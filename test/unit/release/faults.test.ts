import { findFaults, type Candidate } from '../../../harness/release/faults';
import { hasPartOf, moveHome, placeholdersOf } from '../../../harness/release/home';
import { notesOf } from '../../../harness/release/notes';

const MANIFEST = {
	name: 'n8n-nodes-some',
	version: '0.1.1',
	author: { name: 'owner', email: 'mail@owner.test' },
	repository: { url: 'git+https://github.com/owner/name.git' },
	devDependencies: { jest: '30.5.2' },
	peerDependencies: { 'n8n-workflow': '*' },
};
const { devDependencies, peerDependencies } = MANIFEST;
const LOCK = {
	version: '0.1.1',
	packages: {
		'': { devDependencies, peerDependencies },
		'node_modules/jest': { integrity: 'sha512-x' },
	},
};
const PLACEHOLDERS = placeholdersOf(MANIFEST.name);
const CHANGELOG =
	'# Changelog\n\n## [Unreleased]\n\n## [0.1.1] - 2026-01-31\n\n- A [fault].\n\n## [0.1.0] - 2026-01-01\n\n- First.\n';

const faultsOf = (changed: Partial<Candidate>) =>
	findFaults({
		tag: 'v0.1.1',
		manifest: MANIFEST,
		lock: LOCK,
		changelog: CHANGELOG,
		uncommitted: [],
		withPlaceholders: [],
		workflowOf: 'owner/name',
		...changed,
	});

describe('A release', () => {
	it('has no fault where tag, version, changelog, lock, home and commit agree', () =>
		expect(faultsOf({})).toEqual([]));

	it.each<[string, Partial<Candidate>, RegExp]>([
		['another tag', { tag: 'v0.1.2' }, /^The tag "v0.1.2" is not v0.1.1, .* delete the tag/],
		['no "v" in its tag', { tag: '0.1.1' }, /^The tag "0.1.1" is not v0.1.1/],
		[
			'no heading in the changelog',
			{ changelog: CHANGELOG.replace('[0.1.1]', '[0.1.2]') },
			/no heading "## \[0.1.1\] - /,
		],
		[
			'no date in the changelog',
			{ changelog: CHANGELOG.replace(' - 2026-01-31', '') },
			/no heading "## \[0.1.1\] - /,
		],
		[
			'no entry in the changelog',
			{ changelog: CHANGELOG.replace('- A [fault].', '') },
			/has nothing below/,
		],
		[
			'the placeholder of an e-mail address',
			{ manifest: { ...MANIFEST, author: { name: 'owner', email: PLACEHOLDERS.mail } } },
			/^package.json has the placeholder \S+@example.com: run npm run set-repository/,
		],
		[
			'a placeholder in a file',
			{ withPlaceholders: ['SECURITY.md', 'a.ts'] },
			/^Placeholders are left in SECURITY.md, a.ts/,
		],
		[
			'the workflow of another repository',
			{ workflowOf: 'Owner/name' },
			/names the repository owner\/name, and this is Owner\/name/,
		],
		['a lock of another version', { lock: { ...LOCK, version: '0.1.0' } }, /has the version 0.1.0/],
		[
			'a dependency that the lock does not know',
			{
				manifest: { ...MANIFEST, devDependencies: { ...devDependencies, zod: '3.25.76' } },
			},
			/another version of zod than package.json: run npm install/,
		],
		[
			'a dependency that only the lock knows',
			{ manifest: { ...MANIFEST, peerDependencies: {} } },
			/another version of n8n-workflow/,
		],
		[
			'a package without a checksum',
			{ lock: { ...LOCK, packages: { ...LOCK.packages, 'node_modules/odd': {} } } },
			/no checksum for node_modules\/odd/,
		],
		[
			'a file that is not committed',
			{ uncommitted: ['README.md'] },
			/^These files differ from the commit: README.md\. Commit or restore them\.$/,
		],
	])('is stopped with a sentence by %s', (_, changed, sentence) =>
		expect(faultsOf(changed)).toEqual([expect.stringMatching(sentence)]),
	);

	it('is stopped by a version that is not three numbers', () => {
		const version = '0.2.0-beta.1';
		const faults = faultsOf({ tag: `v${version}`, manifest: { ...MANIFEST, version } });
		expect(faults[0]).toMatch(/^The version 0.2.0-beta.1 .* three numbers/);
	});

	it('names every fault at once', () =>
		expect(faultsOf({ tag: 'v1', uncommitted: ['a'], changelog: '' })).toHaveLength(3));
});

describe('The notes of a release', () => {
	it('are the part of the changelog for its version, to the next heading or the end', () => {
		expect(notesOf(CHANGELOG, '0.1.1')).toEqual({ date: '2026-01-31', text: '- A [fault].' });
		expect(notesOf(CHANGELOG, '0.1.0')).toEqual({ date: '2026-01-01', text: '- First.' });
	});

	it('keep headings of a lower level', () => {
		const changelog = '## [1.0.0] - 2026-01-31\n### Fixed\n- One.\n';
		expect(notesOf(changelog, '1.0.0')?.text).toBe('### Fixed\n- One.');
	});

	it('are not those of a version that begins alike', () =>
		expect(notesOf('## [1.0.0-beta] - 2026-01-31\n- One.', '1.0.0')).toBeUndefined());
});

describe('The home of the package', () => {
	const to = { repository: 'owner/name', author: 'owner', mail: 'mail@owner.test' };

	it.each([
		[
			'git+https://github.com/n8n-nodes-some/n8n-nodes-some.git',
			'git+https://github.com/owner/name.git',
		],
		[`write to ${PLACEHOLDERS.mail}.`, 'write to mail@owner.test.'],
		['Copyright (c) 2026 The n8n-nodes-some authors', 'Copyright (c) 2026 owner'],
		['"author": {\n\t"name": "n8n-nodes-some authors"', '"author": {\n\t"name": "owner"'],
		['* @n8n-nodes-some\n', '* @owner\n'],
	])('moves in "%s"', (text, moved) => {
		expect(moveHome(text, PLACEHOLDERS, to)).toBe(moved);
		expect(hasPartOf(text, PLACEHOLDERS)).toBe(true);
		expect(hasPartOf(moved, PLACEHOLDERS)).toBe(false);
	});

	it('leaves words that have the name of the author in them', () =>
		expect(moveHome('time "name": "tim"', { ...to, author: 'tim' }, to)).toBe(
			'time "name": "tim"',
		));

	it.each(['npm view n8n-nodes-some', 'broker@example.com', '- a scope such as @n8n-nodes-some'])(
		'leaves "%s"',
		(text) => {
			expect(moveHome(text, PLACEHOLDERS, to)).toBe(text);
			expect(hasPartOf(text, PLACEHOLDERS)).toBe(false);
		},
	);
});
