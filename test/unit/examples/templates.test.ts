import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Workflow } from 'n8n-workflow';
import { needsSampleData, readExampleWorkflows } from '../../../harness/example-workflows';
import { ROOT } from '../../../harness/pack';
import { DocumentWorkflow } from '../../../nodes/DocumentWorkflow/DocumentWorkflow.node';
import { DocumentWorkflowTrigger } from '../../../nodes/DocumentWorkflow/DocumentWorkflowTrigger.node';
import { settingsIn } from '../structure/offered';
import { htmlIn, withHostileValues } from './markup';

interface NodeJson {
	name: string;
	type: string;
	position: [number, number];
	parameters: {
		content?: string;
		width?: number;
		height?: number;
		color?: number;
		operation?: string;
		jsCode?: string;
		outputOptions?: object;
		assignments?: { assignments?: Array<{ type: string; value: string }> };
		options?: { ignoreConversionErrors?: boolean };
	};
	credentials?: unknown;
}

interface Box {
	name: string;
	left: number;
	top: number;
	right: number;
	bottom: number;
}

const README = readFileSync(join(ROOT, 'README.md'), 'utf8').split('\n');
const ENTRIES = readFileSync(join(ROOT, 'docs/templates.md'), 'utf8').split('\n**[');
const NOTE = 'n8n-nodes-base.stickyNote';
const GREY = 7;
/** In pixels of n8n's canvas; the name of a node, in up to two lines, and its subtitle stand below it. */
const NODE = { width: 96, height: 96, name: 75 };
/** What n8n fits a workflow into when it opens it in a window of 1280 × 800. */
const VIEW = { width: 1032, height: 581 };
const MARGIN = 20;
const HEADING = 80;

function boxOf({ name, type, position: [left, top], parameters }: NodeJson): Box {
	if (type === NOTE)
		return {
			name,
			left,
			top,
			right: left + (parameters.width ?? NaN),
			bottom: top + (parameters.height ?? NaN),
		};
	return {
		name,
		left,
		top,
		right: left + NODE.width,
		bottom: top + NODE.height + NODE.name,
	};
}

const overlap = (a: Box, b: Box): boolean =>
	a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

const hasInside = (note: Box, node: Box): boolean =>
	node.left - MARGIN >= note.left &&
	node.right + MARGIN <= note.right &&
	node.top >= note.top + HEADING &&
	node.bottom + MARGIN <= note.bottom;

const namesOf = (pairs: Array<[Box, Box]>) => pairs.map(([a, b]) => `${a.name} / ${b.name}`);

function* expressionsIn(value: unknown): Iterable<string> {
	if (typeof value === 'string' && value.startsWith('=')) yield value;
	if (typeof value !== 'object' || value === null) return;
	for (const each of Object.values(value)) yield* expressionsIn(each);
}

const nodeTypes = {
	getByName: () => new DocumentWorkflow(),
	getByNameAndVersion: () => new DocumentWorkflow(),
	getKnownTypes: () => ({}),
};
const alone = { id: '', name: 'Node', type: 'node', typeVersion: 1, parameters: {} };
const { expression } = new Workflow({
	nodes: [{ ...alone, position: [0, 0] }],
	connections: {},
	active: false,
	nodeTypes,
});

/** Without data an expression may fail, but not because of its syntax. */
function isReadable(text: string): boolean {
	try {
		expression.getParameterValue(text, null, 0, 0, alone.name, [{ json: {} }], 'internal', {});
		return true;
	} catch (error) {
		return !String(error).includes('invalid syntax');
	}
}

const MESSENGER = /\.(?:emailSend|gmail|microsoftOutlook|microsoftTeams|slack)$/;
/** Messages to others than the team, or about n8n itself; what moves and labels mails is no message. */
const NOT_ABOUT_A_RESULT = [
	...['certificate-check: Answer the Vendor', 'submission: Draft a Mail to the Broker'],
	...['continue-after-a-crash: Send the Mail', 'when-a-workflow-fails: Send the Mail'],
	'imap-sweep: Tell the Team',
];
/** Messages about nothing that was started, or to others than the team, who do not see the document service. */
const NOT_ABOUT_AN_EXECUTION = [
	...['certificate-check: Answer the Vendor', 'submission: Draft a Mail to the Broker'],
	'imap-sweep: Tell the Team',
];
/** The link in an expression or in code, and not its name in a list of columns. */
const LINK = /(?<!')\bexecutionUrl\b/;
const codeOf = ({ parameters }: NodeJson) =>
	[parameters.jsCode, ...expressionsIn(parameters)].join('\n');

type Connections = Record<string, { main: Array<Array<{ node: string }>> }>;

/** A node and all in front of it. */
function nodesUpTo(name: string, connections: Connections, found = new Set<string>()): Set<string> {
	if (found.has(name)) return found;
	found.add(name);
	for (const [source, { main }] of Object.entries(connections))
		if (main.flat().some(({ node }) => node === name)) nodesUpTo(source, connections, found);
	return found;
}

/** Messages about an execution of which nothing was read. */
const WITHOUT_VALUES = ['loss-runs: Tell What Failed', 'documents-on-hold: Tell the Reviewer'];
const isMessage = ({ type, parameters: { operation } }: NodeJson) =>
	MESSENGER.test(type) && !/^(?:move|addLabels|removeLabels)$/.test(operation ?? '');

/** The settings that the panel of each of our nodes offers, and what is around them. */
const OFFERED: Record<string, Set<string>> = Object.fromEntries(
	[new DocumentWorkflow(), new DocumentWorkflowTrigger()].map(({ description }) => {
		const paths = settingsIn(description.properties).map(({ path }) => path.split('.'));
		const all = paths.flatMap((parts) => parts.map((_, at) => parts.slice(0, at + 1).join('.')));
		return [`n8n-nodes-document-workflow.${description.name}`, new Set(all)];
	}),
);

/** A schedule may have sample data, because its time decides what is due. */
const isScheduled = ({ name, type }: NodeJson, pinned: string[]) =>
	type.endsWith('.scheduleTrigger') && pinned.includes(name);
const OF_ACTION = '.documentWorkflow';
const startsWithMail = (nodes: NodeJson[]) =>
	nodes.some(({ type }) => /\.(?:emailReadImap|gmailTrigger|microsoftOutlookTrigger)$/.test(type));
const COLLECTIONS = new Set(['documentOptions', 'outputOptions', 'inputs']);
/** What an example for mails sets: what it reads, and what it makes of it. */
const MAY_BE_SET = new Set([
	...['operation', 'workflowId', 'output', 'step', 'groupBy', 'documentOptions.skipAlreadySent'],
	...['values', 'numberFields', 'requiredFields', 'includeFiles'].map(
		(name) => `outputOptions.${name}`,
	),
]);
/** A policy without an underwriter is to be checked, although the field may be empty. */
const CHECKED = ['', '.pairs', '.pairs.name', '.pairs.minimum'].map(
	(path) => `outputOptions.fieldMinimums${path}`,
);
const METADATA = ['inputs.metadata', 'inputs.metadata.name', 'inputs.metadata.value'];
/** What the title of an example says beside that: which files belong together, and that the service calls. */
const BY_TITLE: Record<string, string[]> = {
	'imap-mailbox': CHECKED,
	'outlook-to-excel': CHECKED,
	'claims-by-mail': [
		...[...CHECKED, ...METADATA, 'minimumConfidence', 'documentOptions.withoutDocuments'],
		...METADATA.map((path) => path.replace('metadata', 'textInputs')),
	],
	submission: [...METADATA, 'documentOptions.fileNames'],
	'send-and-continue': METADATA,
};

/** The paths of what is set in parameters. A chosen workflow is one value. */
function pathsIn(given: unknown, path = ''): string[] {
	if (Array.isArray(given)) return given.flatMap((each) => pathsIn(each, path));
	const isValue = typeof given !== 'object' || given === null || '__rl' in given;
	const own = path === '' ? [] : [path];
	if (isValue) return own;
	const inner = Object.entries(given).flatMap(([name, each]) =>
		pathsIn(each, path === '' ? name : `${path}.${name}`),
	);
	return [...own, ...inner];
}

describe.each([...readExampleWorkflows()])('The example %s', (file, workflow) => {
	const all = workflow.nodes as unknown as NodeJson[];
	const nodes = all.filter(({ type }) => type !== NOTE);

	it('sets only what our nodes offer', () => {
		const unknown = nodes.flatMap(({ name, type, parameters }) =>
			pathsIn(OFFERED[type] === undefined ? {} : parameters)
				.filter((path) => OFFERED[type]?.has(path) !== true)
				.map((path) => `${name}: ${path}`),
		);
		expect(unknown).toEqual([]);
	});
	const notes = all.filter(({ type }) => type === NOTE);
	const [about, ...yellow] = notes.filter(({ parameters }) => parameters.color === undefined);
	const groups = notes.filter(({ parameters }) => parameters.color !== undefined);
	const boxes = nodes.map(boxOf);

	it('has one yellow note with its headings in order, left of everything else', () => {
		expect(yellow).toEqual([]);
		const content = about?.parameters.content ?? '';
		expect([...content.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading)).toEqual([
			workflow.name,
			'How it works',
			'Setup',
			'Requirements',
			'Customize',
		]);
		expect(content.split('### Setup')[0]).toMatch(/^1\. /m);
		const right = about ? boxOf(about).right : NaN;
		expect(
			all.filter((node) => node !== about && !(boxOf(node).left >= right)).map(({ name }) => name),
		).toEqual([]);
	});

	it('has each node whole and below the heading in one grey note, and no note over another', () => {
		expect(groups.filter(({ parameters }) => parameters.color !== GREY)).toEqual([]);
		const grey = groups.map(boxOf);
		expect(
			boxes
				.filter((node) => grey.filter((note) => hasInside(note, node)).length !== 1)
				.map(({ name }) => name),
		).toEqual([]);
		const cut = grey.flatMap((note) =>
			boxes
				.filter((node) => overlap(note, node) && !hasInside(note, node))
				.map((node): [Box, Box] => [note, node]),
		);
		const covered = notes.map(boxOf).flatMap((a, index, every) =>
			every
				.slice(index + 1)
				.filter((b) => overlap(a, b))
				.map((b): [Box, Box] => [a, b]),
		);
		expect(namesOf([...cut, ...covered])).toEqual([]);
		expect(grey.filter((note) => !boxes.some((node) => hasInside(note, node)))).toEqual([]);
	});

	it('is small enough that its notes can be read in a window of 1280 × 800', () => {
		const every = all.map(boxOf);
		const right = Math.max(...every.map((box) => box.right - (about?.position[0] ?? NaN)));
		const bottom = Math.max(...every.map((box) => box.bottom - (about?.position[1] ?? NaN)));
		expect(Math.max(right / VIEW.width, bottom / VIEW.height)).toBeLessThan(2.2);
	});

	it('has a title and one sentence on each grey note', () => {
		const odd = groups.filter(
			({ parameters }) => !/^## .{3,30}\n[A-Z].{10,100}\.$/.test(parameters.content ?? ''),
		);
		expect(odd.map(({ name }) => name)).toEqual([]);
	});

	it('is on the page of examples and, if it needs n8n 2, is marked there and in the README', () => {
		const isAbout = (text: string) => text.includes(`/${file}.json)`);
		const needsTwo = about?.parameters.content?.includes('### Requirements\nn8n 2') ?? false;
		expect(ENTRIES.find(isAbout)?.includes('- **You need** n8n 2')).toBe(needsTwo);
		const rows = README.filter(isAbout);
		expect(rows.filter((row) => row.includes('n8n 2 only') !== needsTwo)).toEqual([]);
	});

	it('names each node by its action, once', () => {
		const names = all.map(({ name }) => name);
		expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
		const bySelf = nodes.filter(({ name, type }) => {
			const plain = (text: string) => text.toLowerCase().replace(/[^a-z]/g, '');
			const kind = plain(type.split('.').pop() ?? '');
			return /\d$/.test(name) || plain(name) === kind || /^(edit fields|if|code)$/i.test(name);
		});
		expect(bySelf.map(({ name }) => name)).toEqual([]);
	});

	it('has no credentials, because n8n runs no workflow with the placeholder of one', () => {
		expect(nodes.filter(({ credentials }) => credentials !== undefined)).toEqual([]);
	});

	it('has no data of an n8n instance, and only addresses that are reserved for examples', () => {
		expect(Object.keys(workflow).sort()).toEqual([
			'connections',
			'name',
			'nodes',
			'pinData',
			'settings',
		]);
		const hosts = JSON.stringify(workflow).match(/(?<=@)[\w.-]+\.[a-z]{2,}/g) ?? [];
		expect(hosts.filter((host) => !/(^|\.)example\.com$/.test(host))).toEqual([]);
	});

	it('connects, pins and names in expressions only nodes that it has', () => {
		const has = new Set(nodes.map(({ name }) => name));
		const targets = Object.values(workflow.connections).flatMap((each) =>
			(each as { main: Array<Array<{ node: string }>> }).main.flat().map(({ node }) => node),
		);
		const named = [...JSON.stringify(nodes).matchAll(/\$\('([^']+)'\)/g)].map(([, name]) => name);
		const pinned = Object.keys(workflow.pinData as object);
		const given = [...Object.keys(workflow.connections), ...targets, ...named, ...pinned];
		expect(given.filter((name) => name === undefined || !has.has(name))).toEqual([]);
		const alone = nodes.filter(({ name }) => !given.includes(name));
		expect(alone).toEqual([]);
	});

	it('has sample data for its trigger and for each node that needs a credential', () => {
		const pinned = Object.keys(workflow.pinData as object);
		const wanted = nodes.filter((each) => needsSampleData(each) || isScheduled(each, pinned));
		expect(wanted.map(({ name }) => name).sort()).toEqual(pinned.sort());
	});

	it('has only expressions that n8n can read, some of which it rewrites first', () => {
		expect([...expressionsIn(nodes)].filter((text) => !isReadable(text))).toEqual([]);
	});

	it('sets nothing about mail in our node, if mails start it: the defaults are right for them', () => {
		const isAllowed = (path: string) => MAY_BE_SET.has(path) || BY_TITLE[file]?.includes(path);
		const set = (startsWithMail(nodes) ? nodes : []).filter(({ type }) => type.endsWith(OF_ACTION));
		const others = set.flatMap(({ name, parameters }) =>
			pathsIn(parameters)
				.filter((path) => !COLLECTIONS.has(path) && !isAllowed(path))
				.map((path) => `${name}: ${path}`),
		);
		expect(others).toEqual([]);
	});

	it('passes files on only if another node files them', () => {
		const passes = nodes.some(
			({ parameters }) => 'includeFiles' in (parameters.outputOptions ?? {}),
		);
		expect(passes).toBe(passes && /"(?:fileA|a)ttachments":/.test(JSON.stringify(nodes)));
	});

	it('ends no run because an extracted value is no number', () => {
		const fails = ({ parameters: { assignments, options } }: NodeJson) =>
			options?.ignoreConversionErrors !== true &&
			assignments?.assignments?.some(
				({ type, value }) => type === 'number' && /\$json\.(?:data|claim)\b/.test(value),
			);
		expect(nodes.filter(fails).map(({ name }) => name)).toEqual([]);
	});

	it('says in the first line of its note what a red triangle means, and first how to install our node', () => {
		const content = about?.parameters.content ?? '';
		const [, line] = content.split('\n\n');
		expect(line).toMatch(
			/^\*Execute workflow\* .* a red triangle only says that a credential is missing/,
		);
		const installs = content.includes(
			'### Setup\n1. Install the community node `n8n-nodes-document-workflow`.\n',
		);
		expect(installs).toBe(
			nodes.some(({ type }) => type.startsWith('n8n-nodes-document-workflow.')),
		);
	});

	it('says in each message to a person what to do, with the link to the execution and the values', () => {
		const messages = nodes.filter(
			(each) => isMessage(each) && !NOT_ABOUT_A_RESULT.includes(`${file}: ${each.name}`),
		);
		const said = [/What to do: /, /executionUrl|executions?:|with the execution/i];
		const lacking = messages.filter(({ name, parameters }) => {
			const values = WITHOUT_VALUES.includes(`${file}: ${name}`) ? [] : [/values/i];
			return ![...said, ...values].every((each) => each.test(JSON.stringify(parameters)));
		});
		expect(lacking.map(({ name }) => name)).toEqual([]);
	});

	it('shows in each message about executions their link where there is one', () => {
		const messages = nodes.filter(
			(each) => isMessage(each) && !NOT_ABOUT_AN_EXECUTION.includes(`${file}: ${each.name}`),
		);
		const readsLink = ({ name }: NodeJson) => {
			const read = nodesUpTo(name, workflow.connections as Connections);
			return nodes.some((each) => read.has(each.name) && LINK.test(codeOf(each)));
		};
		expect(messages.filter((each) => !readsLink(each)).map(({ name }) => name)).toEqual([]);
	});

	it('escapes the values of documents wherever HTML is shown', () => {
		const shown = nodes.flatMap((node) =>
			htmlIn(node).map((text) => `${node.name}: ${withHostileValues(text)}`),
		);
		expect(shown.filter((text) => text.includes('<img'))).toEqual([]);
	});

	it('names in each list of values to check what is missing, what stayed text, and what has a low confidence', () => {
		const all = "['missingFields', 'unconvertedFields', 'lowConfidenceFields'].flatMap(";
		const text = JSON.stringify(nodes);
		const lists = text.match(/\(\{ field, value, confidence \}\) =>/g) ?? [];
		expect(text.split(all).slice(1)).toHaveLength(lists.length);
		expect(text).not.toMatch(/Fields\??\.map\(/);
	});

	it('names in its note, in bold type, only nodes that it has', () => {
		const content = about?.parameters.content ?? '';
		const setup = content.slice(content.indexOf('### Setup'));
		const bold = [...setup.matchAll(/\*\*([^*]+)\*\*/g)].map(([, name]) => name);
		const known = [...nodes.map(({ name }) => name), 'Publish', 'OneDrive'];
		expect(bold.filter((name) => !known.includes(name ?? ''))).toEqual([]);
	});
});
