import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { DocumentWorkflowApi } from '../../credentials/DocumentWorkflowApi.credentials';
import { DocumentWorkflow } from '../../nodes/DocumentWorkflow/DocumentWorkflow.node';

const ROOT = join(__dirname, '..', '..');
const textOf = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const read = (path: string) => JSON.parse(textOf(path)) as Record<string, unknown>;

const actionsIn = (job: string) => [...job.matchAll(/uses: ([\w/-]+)@/g)].map(([, name]) => name);
const commandsIn = (job: string) => [...job.matchAll(/\brun: (.*)/g)].map(([, line]) => line);

describe('a release', () => {
	const { scripts, publishConfig } = read('package.json') as {
		scripts: Record<string, string>;
		publishConfig: Record<string, unknown>;
	};

	it('is tested and built in one job of the release workflow, and published in another that runs nothing else', () => {
		expect(scripts.prepublishOnly).toBe('npm test && npm run test:gate && npm run build');
		const [start = '', build = '', publish = ''] = textOf('.github/workflows/publish.yml').split(
			/^ {2}(?=build:|publish:)/m,
		);
		expect(start).toContain("tags: ['v*.*.*']");
		expect(commandsIn(build)).toEqual([
			`test "$GITHUB_REF_NAME" = "v$(node -p "require('./package.json').version")"`,
			'npm ci',
			'npm run prepublishOnly',
			'npm pack --ignore-scripts',
		]);
		expect(build).not.toContain('id-token');
		expect(publish).toContain('id-token: write');
		expect(publish).toMatch(/^ {4}environment: npm$/m);
		expect(actionsIn(publish)).toEqual(['actions/setup-node', 'actions/download-artifact']);
		expect(commandsIn(publish)).toEqual([
			'npm publish ./n8n-nodes-document-workflow-*.tgz --provenance --access public --ignore-scripts',
		]);
	});

	it.each(['publish', 'test', 'versions'])('%s.yml names each action by its commit', (name) => {
		const used = textOf(`.github/workflows/${name}.yml`).match(/uses: .*/g) ?? [];
		expect(used.length).toBeGreaterThan(1);
		const pinned = /^uses: actions\/[\w-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/;
		expect(used.filter((each) => !pinned.test(each))).toEqual([]);
	});

	it('has its minimum version of n8n in all places', () => {
		const [, one = '', two = ''] =
			/^\*\*Minimum\*\*: n8n (\S+) or (\d[.\d]+\d),/m.exec(textOf('README.md')) ?? [];
		expect(textOf('SECURITY.md')).toContain(`Use n8n ${one}, ${two} or newer.`);
		expect(textOf('CHANGELOG.md')).toContain(`- n8n ${one} or newer, or ${two} or newer.`);
		expect(textOf('.github/workflows/versions.yml')).toMatch(
			new RegExp(`^ +n8n: \\['${one}', .*'${two}', .*'latest'\\]$`, 'm'),
		);
	});

	it('cannot be published by hand, where nothing would be built: npm refuses provenance outside of a workflow', () =>
		expect(publishConfig.provenance).toBe(true));
});

it('The form for bugs lists the operations of the node by their names', () => {
	const { properties } = new DocumentWorkflow().description;
	const { options = [] } = properties.find(({ name }) => name === 'operation') ?? {};
	const listed = textOf('.github/ISSUE_TEMPLATE/bug.yml').matchAll(/- Document Workflow, (.*)/g);
	expect([...listed].map(([, name]) => name).sort()).toEqual(
		options.map((option) => 'name' in option && option.name).sort(),
	);
});

describe('the home of the package', () => {
	const { repository } = read('package.json') as { repository: { url: string } };
	const home = repository.url.replace(/^git\+|\.git$/g, '');
	const isAtHome = (address: string) =>
		address.startsWith(home) && ['', '/', '#'].includes(address.charAt(home.length));

	it.each([
		['homepage', read('package.json').homepage],
		['bugs', read('package.json').bugs],
		['the documentation of the credential', new DocumentWorkflowApi().documentationUrl],
		[
			'the documentation of the node',
			read('nodes/DocumentWorkflow/DocumentWorkflow.node.json').resources,
		],
		[
			'the documentation of the trigger',
			read('nodes/DocumentWorkflow/DocumentWorkflowTrigger.node.json').resources,
		],
		['the panel of the trigger', textOf('nodes/DocumentWorkflow/DocumentWorkflowTrigger.node.ts')],
		['the security policy', textOf('SECURITY.md')],
		['the contact links of issues', textOf('.github/ISSUE_TEMPLATE/config.yml')],
	])('is the same repository in %s', (_, value) => {
		const addresses = JSON.stringify(value).match(/https:\/\/[^"\\)]+/g) ?? [];
		expect(addresses.length).toBeGreaterThan(0);
		expect(addresses.filter((address) => !isAtHome(address))).toEqual([]);
	});

	it('names the author of package.json as the contact for security problems', () => {
		const { author } = read('package.json') as { author: { email: string } };
		expect(textOf('SECURITY.md')).toContain(author.email);
	});
});
