import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { DocumentWorkflowApi } from '../../credentials/DocumentWorkflowApi.credentials';
import { DocumentWorkflow } from '../../nodes/DocumentWorkflow/DocumentWorkflow.node';
import { minimumsIn } from '../versions/choice';

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

	it('is tested and built in one job of the release workflow, published in another, and announced in a third', () => {
		expect(scripts.prepublishOnly).toBe(
			'npm run lint && npm test && npm run test:gate && npm run build',
		);
		const [start = '', build = '', publish = '', announce = ''] = textOf(
			'.github/workflows/publish.yml',
		).split(/^ {2}(?=build:|publish:|announce:)/m);
		expect(start).toContain("tags: ['v*.*.*']");
		expect(commandsIn(build)).toEqual([
			'npm run release -- check "$GITHUB_REF_NAME"',
			'npm run prepublishOnly',
			'npm run release -- files "$GITHUB_REF_NAME"',
		]);
		expect(publish).toMatch(/^ {4}environment: npm$/m);
		expect(actionsIn(publish)).toEqual(['actions/setup-node', 'actions/download-artifact']);
		expect(commandsIn(publish)).toEqual([
			'npm publish ./n8n-nodes-document-workflow-*.tgz --provenance --access public --ignore-scripts',
		]);
		expect(actionsIn(announce)).toEqual(['actions/download-artifact']);
		expect(commandsIn(announce)).toEqual([
			'gh release create "$GITHUB_REF_NAME" --verify-tag --title "$GITHUB_REF_NAME" --notes-file notes.md ./*.tgz sbom.cdx.json',
		]);
		expect([build, publish, announce].map((job) => job.match(/[\w-]+: write/g))).toEqual([
			null,
			['id-token: write'],
			['contents: write'],
		]);
	});

	const workflows = readdirSync(join(ROOT, '.github', 'workflows'));

	it.each(workflows)('%s names each action by its commit, and its version beside it', (name) => {
		const used = textOf(`.github/workflows/${name}`).match(/uses: .*/g) ?? [];
		expect(used.length).toBeGreaterThan(1);
		const pinned = /^uses: (?:actions|github)\/[\w/-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/;
		expect(used.filter((each) => !pinned.test(each))).toEqual([]);
	});

	it.each(workflows)('%s limits the time of each job, and its rights', (name) => {
		const text = textOf(`.github/workflows/${name}`);
		expect(text).toMatch(/^permissions:\n {2}contents: read$/m);
		const jobs = text.slice(text.indexOf('\njobs:')).match(/^ {4}runs-on: .*\n.*/gm) ?? [];
		expect(jobs.length).toBeGreaterThan(0);
		expect(jobs.filter((job) => !/ {4}timeout-minutes: \d+$/.test(job))).toEqual([]);
	});

	it.each(workflows)('%s uses the same commit of an action as the others', (name) => {
		const pinsIn = (file: string) => textOf(`.github/workflows/${file}`).match(/@[\da-f]{40} .*/g);
		const actions = (file: string) => actionsIn(textOf(`.github/workflows/${file}`));
		const all = new Map(
			workflows.flatMap((file) =>
				actions(file).map((action, index) => [action, pinsIn(file)?.[index]] as const),
			),
		);
		expect(actions(name).map((action) => all.get(action))).toEqual(pinsIn(name));
	});

	it('has its minimum version of n8n in all places', () => {
		const [one, two] = minimumsIn(textOf('README.md'));
		expect(textOf('SECURITY.md')).toContain(`Use n8n ${one}, ${two} or newer.`);
		expect(textOf('CHANGELOG.md')).toContain(`- n8n ${one} or newer, or ${two} or newer.`);
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
