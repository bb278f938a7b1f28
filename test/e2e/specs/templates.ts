import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readExampleWorkflows } from '../../../harness/example-workflows';
import { installN8n, type Line } from '../../../harness/install';
import type { World } from '../support';
import {
	expectNoGaps,
	expectSuccess,
	isForeign,
	OURS,
	runToEnd,
	template,
	withProbes,
} from '../templateRuns';

/** By example: nodes that must have items in a run with the sample data. The form of the example "review" needs answers: see templatesForms. */
const REACHED: Record<string, string[]> = {
	'certificate-check': ['Move to Waiting for Vendor', 'Move to Fine'],
	'claim-invoice': [
		...['Send to Payments', 'Ask the Adjuster', 'Tell That It Is Over the Reserve'],
		'Tell the Claims Team',
	],
	'claims-by-mail': [
		...['Post That It Is Open', 'Tell the Adjuster', 'Tell the Senior', 'Tell the Claims Desk'],
	],
	'commission-statement': ['Send the Differences', 'Tell What Was Not Read'],
	'continue-after-a-crash': ['Retry It', 'Send the Mail'],
	'documents-on-hold': ['Tell the Reviewer', 'Add the Rows'],
	'drive-folder': ['Save the Data', 'Move to Done', 'Move to Needs Review'],
	'endorsement-check': ['Send the Differences'],
	'gmail-to-google-sheet': ['Add the Rows', 'Add Label Done', 'Remove the Intake Label'],
	'imap-mailbox': ['Use the Data', 'Tell the Team'],
	'imap-sweep': ['Switch It On'],
	'loss-runs': ['Send the Totals', 'Make the Excel Table'],
	'outlook-to-excel': ['Add a Row', 'Move to Done', 'Move to Needs Review'],
	'overnight-batch': ['Save the Excel File', 'Move to Done', 'Send the Summary'],
	renewals: ['Tell the Account Manager'],
	'policy-check': ['Send the Differences'],
	'report-a-claim': ['Show What Was Understood'],
	'rows-into-postgresql': ['Save the Rows', 'Tell the Team'],
	'sample-documents': ['Use the Data', 'Note What to Check'],
	'send-and-continue': ['Add the Row', 'Note the Problem'],
	'sharepoint-list': ['Add a Row', 'Mark as Done or Review'],
	submission: ['Save the Case', 'Draft a Mail to the Broker', 'Tell the Team'],
	'when-a-workflow-fails': ['Check the Executions', 'Write the Mail', 'Send the Mail'],
};
const NOT_RUN = ['review'];
/** Nodes that return items of their own, and not one for each item that they get. */
export const LISTS = [
	...['List the Claims', 'List the Policies', 'List the Folder', 'List the New Files'],
	...['Find the File', 'Find the Intake', 'Switch It Off', 'Find the Mail'],
	...['List What Runs', 'List All Executions', 'Read What n8n Stored'],
	...['List the Policies', 'Read the Files'],
];

/** All workflows of examples/workflows, as they are imported; what one of them does with real documents is in the specs beside this. */
export function templatesSpec(world: () => World): void {
	it('are all run here, but for one whose form needs answers', () => {
		const files = [...readExampleWorkflows().keys()];
		expect([...Object.keys(REACHED), ...NOT_RUN].sort()).toEqual(files.sort());
	});

	it('have the newest versions of nodes that n8n 1 has too, unless they say that they need n8n 2', async () => {
		const [one, two] = await Promise.all((['n8n-1', 'n8n-2'] as const).map(versionsIn));
		const newest = (type: string, needsTwo: boolean): number => {
			const { all = [], offered = NaN } = two?.get(type) ?? {};
			const shared = all.filter((each) => one?.get(type)?.all.includes(each) === true);
			return needsTwo ? offered : Math.max(...shared.filter((each) => each <= offered));
		};
		const others = [...readExampleWorkflows().keys()].flatMap((name) => {
			const { nodes } = template(name);
			return nodes
				.filter(({ type }) => !type.startsWith(OURS))
				.map(({ type, typeVersion }) => ({
					type,
					typeVersion,
					wanted: newest(type, needsN8n2(name)),
				}))
				.filter(({ typeVersion, wanted }) => typeVersion !== wanted)
				.map(({ type, typeVersion, wanted }) => `${name}: ${type} ${typeVersion}, not ${wanted}`);
		});
		expect(others).toEqual([]);
	});

	it.each(Object.entries(REACHED))(
		'%s runs to its end as it is imported, with its sample data and no credential',
		async (name, reached) => {
			const workflow = template(name);
			const variants = workflow.nodes.some(isForeign)
				? [workflow, withProbes(workflow, LISTS)]
				: [workflow];
			// One after the other, because both make the same table.
			for (const each of variants) {
				const execution = await runToEnd(world(), each);
				expectSuccess(execution, reached);
				expectNoGaps(execution, workflow);
			}
		},
	);
}

/** The same on n8n 1: those that do not say that they need n8n 2. */
export function templatesOnN8n1Spec(world: () => World): void {
	it.each(Object.entries(REACHED).filter(([name]) => !needsN8n2(name)))(
		'%s runs to its end on n8n 1 too as it is imported',
		async (name, reached) => {
			expectSuccess(await runToEnd(world(), template(name)), reached);
		},
	);
}

export const needsN8n2 = (name: string): boolean =>
	template(name).nodes.some(({ parameters: { content } }) =>
		/### Requirements\nn8n 2\b/.test(String(content)),
	);

interface Versions {
	all: number[];
	/** The one that the editor gives to a new node. */
	offered: number;
}

/** The versions of each type of n8n's own nodes. */
async function versionsIn(line: Line): Promise<Map<string, Versions>> {
	const folder = await installN8n(line, () => undefined);
	const file = join(folder, 'node_modules', 'n8n-nodes-base', 'dist', 'types', 'nodes.json');
	const types = JSON.parse(readFileSync(file, 'utf8')) as Array<{
		name: string;
		version: number | number[];
		defaultVersion?: number;
	}>;
	const versions = new Map<string, Versions>();
	for (const { name, version, defaultVersion } of types) {
		const type = `n8n-nodes-base.${name}`;
		const { all = [], offered = 0 } = versions.get(type) ?? {};
		const every = [...all, ...[version].flat()];
		versions.set(type, {
			all: every,
			offered: defaultVersion ?? Math.max(offered, ...[version].flat()),
		});
	}
	return versions;
}
