import { randomUUID } from 'node:crypto';
import { readExampleWorkflows } from '../../../harness/example-workflows';
import type { Execution } from '../../../harness/n8n-execution';
import { node } from '../flows';
import { withOwnService, type World } from '../support';
import type { Json } from '../tables/nodes';
import {
	expectSuccess,
	OURS,
	runToEnd,
	template,
	triggerOf,
	withNode,
	withProbes,
	withService,
	type Template,
} from '../templateRuns';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** In place of an amount. */
const WORDS = 'See attached';

/** An amount and a date of the document, as values or as texts in US style. */
type Written = Record<'amount' | 'date', unknown>;
/** How many items a node gets, by its name, or by `name: text` those items that have a text. */
type Branches = Record<string, number>;

interface Example {
	/** The steps that the service answers. */
	steps: (written: Written) => Record<string, Json[]>;
	/** The same as values and as texts, and where it goes. */
	verdicts: Array<[Written, Written, Branches]>;
	/** Where it goes if the amount is none. */
	words: Branches;
}

const VALUES: Written = { amount: 1_850.5, date: '2024-07-04' };
const TEXTS: Written = { amount: '1,850.50', date: '07/04/2024' };

const both = (values: Partial<Written>, texts: Partial<Written>, branches: Branches) =>
	[{ ...VALUES, ...values }, { ...TEXTS, ...texts }, branches] as Example['verdicts'][0];
const stores = (steps: Example['steps'], fine: Branches, words: Branches): Example => ({
	steps,
	verdicts: [both({}, {}, fine)],
	words,
});

const policy = ({ amount, date }: Written) => ({
	policy_details: [
		{ policy_number: 'EX-1', named_insured: 'Ann', effective_date: date, total_premium: amount },
	],
});
const coverages = (written: Written) => ({
	...policy(written),
	coverages: [{ coverage: 'Building', limit: written.amount, premium: written.amount }],
});
const claims = ({ amount, date }: Written) => ({
	account: [{ insured: 'Ann', valuation_date: date }],
	claims: [
		{ claim_number: 'C-1', date_of_loss: date, paid: amount, reserved: 0, incurred: amount },
		{ claim_number: 'C-2', date_of_loss: '2023-01-31', paid: 1, reserved: 0, incurred: 1 },
	],
});

/** Of the sample data of claim-invoice. */
const CLAIM = 'CL-2026-004417';
const LATER = ['2099-12-31', '12/31/2099'] as const;
const SOON = new Date(Date.now() + 10 * DAY);
const soon = [
	SOON.toISOString().slice(0, 10),
	SOON.toLocaleDateString('en-US', { timeZone: 'UTC' }),
] as const;
const limit = (
	[value, text]: readonly [unknown, string],
	[date, dateText]: readonly [string, string],
	branches: Branches,
) => both({ amount: value, date }, { amount: text, date: dateText }, branches);

/** The examples that compare, sum, group or store values. */
const EXAMPLES: Record<string, Example> = {
	'certificate-check': {
		steps: ({ amount, date }) => ({
			policies: [
				{ type: 'Commercial General Liability', limit: amount, expiration_date: date },
				{ type: 'Automobile Liability', limit: 1_000_000, expiration_date: LATER[0] },
				{ type: 'Umbrella Liability', limit: 5_000_000, expiration_date: LATER[0] },
				{ type: 'Workers Compensation', limit: 500_000, expiration_date: LATER[0] },
			],
		}),
		verdicts: [
			limit([1_000_000, '$1,000,000'], LATER, { 'Move to Fine': 1 }),
			limit([100, '$100'], LATER, { 'Answer the Vendor: the limit is 100,': 1 }),
			limit([1_000_000, '1,000,000.00'], ['2020-03-01', '03/01/2020'], {
				'Answer the Vendor: expired on 2020-03-01': 1,
			}),
			limit([1_000_000, 'USD 1,000,000'], soon, {
				[`Answer the Vendor: expires on ${soon[0]}`]: 1,
			}),
			limit([1_000_000, '$1,000,000'], ['until cancelled', 'until cancelled'], {
				'Answer the Vendor: no date of expiry': 1,
			}),
		],
		words: { 'Answer the Vendor: the limit is S': 1 },
	},
	'claim-invoice': {
		steps: ({ amount, date }) => ({
			invoice: [
				{ invoice_number: 'I-1', invoice_date: date, claim_number: CLAIM, total_due: amount },
			],
		}),
		verdicts: [
			both({}, {}, { 'Send to Payments': 1 }),
			both({ amount: 2_500.01 }, { amount: '2,500.01' }, { 'Ask the Adjuster': 1 }),
			both({ amount: 1e6 }, { amount: 'USD 1,000,000' }, { 'Tell That It Is Over the Reserve': 1 }),
		],
		words: { 'Tell the Claims Team: not one invoice with one amount': 1 },
	},
	'claims-by-mail': {
		steps: ({ amount, date }) => ({
			loss_details: [
				{
					...{ policy_number: 'P-1', named_insured: 'Ann', date_of_loss: date, cause: 'Hail' },
					...{ estimated_damage: amount, injuries: false },
				},
			],
		}),
		verdicts: [
			both({}, {}, { 'Post That It Is Open': 1 }),
			both({ amount: 18_750 }, { amount: '$18,750' }, { 'Tell the Adjuster': 1 }),
			both({ amount: 1e6 }, { amount: 'USD 1,000,000' }, { 'Tell the Senior': 1 }),
		],
		words: { 'Tell the Claims Desk: Check: ': 1 },
	},
	'drive-folder': stores(coverages, { 'Move to Done': 1 }, { 'Move to Needs Review': 1 }),
	'gmail-to-google-sheet': stores(claims, { 'Add Label Done': 1 }, { 'Add Label Needs Review': 1 }),
	'imap-mailbox': stores(policy, { 'Use the Data': 1 }, { 'Tell the Team': 1 }),
	'loss-runs': {
		steps: claims,
		verdicts: [
			both({}, {}, { 'Send the Totals: <p>No values to check': 1 }),
			both(
				{ date: 'July' },
				{ date: 'July' },
				{ 'Send the Totals: "Year":"unknown"': 1, 'Send the Totals: <p>No values to check': 1 },
			),
		],
		words: { 'Send the Totals: <p>2 values to check': 1 },
	},
	'outlook-to-excel': stores(policy, { 'Move to Done': 1 }, { 'Move to Needs Review': 1 }),
	'overnight-batch': stores(
		coverages,
		{ 'Send the Summary: 1 good, 0 doubtful': 1 },
		{ 'Send the Summary: 0 good, 1 doubtful': 1 },
	),
	review: stores(coverages, { 'Use the Data': 1 }, { 'Check Values': 1 }),
	'sharepoint-list': stores(
		policy,
		{ 'Mark as Done or Review: "Done"': 1 },
		{ 'Mark as Done or Review: "Review"': 1 },
	),
};
/** Those that read no document, or only pass on what was read. */
const OTHERS = [
	...['continue-after-a-crash', 'imap-sweep', 'when-a-workflow-fails'],
	...['report-a-claim', 'sample-documents', 'send-and-continue', 'documents-on-hold'],
	...['renewals', 'submission', 'commission-statement', 'policy-check', 'endorsement-check'],
	'rows-into-postgresql',
];

/** The examples with a service that answers amounts and dates as values, as texts, or none. */
export function verdictsSpec(world: () => World): void {
	it('are all examples that compare, sum, group or store values', () => {
		const all = [...readExampleWorkflows().keys()];
		expect([...Object.keys(EXAMPLES), ...OTHERS].sort()).toEqual(all.sort());
	});

	it.each(Object.entries(EXAMPLES))(
		'%s does with texts what it does with values, and lets nobody pass whose amount is none',
		async (name, { steps, verdicts, words }) => {
			const run = async (written: Written) => runWith(world(), name, steps(written));
			const all = [...verdicts.map(([, , branches]) => branches), words].flatMap(Object.keys);
			const expectBranches = (execution: Execution, branches: Branches) =>
				expect(countedIn(execution, all)).toEqual({
					...Object.fromEntries(all.map((each) => [each, 0])),
					...branches,
				});
			const [[values] = []] = verdicts;
			await Promise.all([
				...verdicts.map(async ([typed, texts, branches]) => {
					const [execution, read] = await Promise.all([run(typed), run(texts)]);
					expectBranches(execution, branches);
					expect(itemsIn(read, name)).toEqual(itemsIn(execution, name));
				}),
				run({ date: values?.date, amount: WORDS }).then((execution) =>
					expectBranches(execution, words),
				),
			]);
		},
	);
}

/** Runs an example with one document, for which the service answers these steps. */
async function runWith(
	world: World,
	name: string,
	steps: Record<string, Json[]>,
): Promise<Execution> {
	return withOwnService(world, async (own) => {
		const data = Object.entries(steps).map(([step_name, rows]) => ({
			step_name,
			data: { schema: {}, data: rows.map(scored), metadata: {} },
		}));
		const body = { status: 'completed', steps: data, metadata: {} };
		own.simulator.state.faults.add({ route: 'get', action: { type: 'status', status: 200, body } });
		const workflow = withOneDocument(withService(own, withoutForms(template(name))));
		const execution = await runToEnd(own, workflow);
		expectSuccess(execution, []);
		return execution;
	});
}

const scored = (row: Json): Json =>
	Object.fromEntries(
		Object.entries(row).map(([field, value]) => [field, { value, confidence_score: 0.95 }]),
	);

/** Nobody fills in a form, so that its item goes no further. */
function withoutForms(example: Template): Template {
	const forms = example.nodes.filter(({ type }) => type === 'n8n-nodes-base.form');
	const shown = node('', 'n8n-nodes-base.noOp', 1, {});
	const { connections, ...rest } = forms.reduce(
		(each, { name }) => withNode(each, name, shown),
		example,
	);
	const others = Object.entries(connections).filter(
		([from]) => !forms.some(({ name }) => name === from),
	);
	return { ...rest, connections: Object.fromEntries(others) };
}

/** Another service that lists what is there, and is asked after the documents were read. */
const LISTED = 'List the Claims';

/** One item of the sample data, with a file, comes to the node that reads it. Nodes of other services behind it show what they get. */
function withOneDocument(example: Template): Template {
	const reading = example.nodes.filter(({ type }) => type === OURS);
	const leads = (from: string): boolean =>
		reading.some(({ name }) => name === from) ||
		(JSON.stringify(example.connections[from] ?? '').match(/(?<="node":")[^"]+/g) ?? []).some(
			leads,
		);
	const before = Object.keys(example.pinData).filter(
		(name) => leads(name) && !reading.some((each) => each.name === name),
	);
	const field = JSON.stringify(reading).includes('"inputDataFieldName":"data"')
		? 'data'
		: 'attachment_0';
	const file = {
		data: Buffer.from(`Document ${randomUUID()}`).toString('base64'),
		mimeType: 'text/plain',
		fileName: 'application, vehicles, values and losses.txt',
	};
	const pinned = before.map((name) => [
		name,
		example.pinData[name]?.slice(0, 1).map((item) => ({ ...item, binary: { [field]: file } })),
	]);
	return {
		...withProbes(example, [...before, LISTED]),
		pinData: {
			...Object.fromEntries(pinned),
			[LISTED]: example.pinData[LISTED],
		} as Template['pinData'],
	};
}

function countedIn({ runs }: Execution, names: string[]): Branches {
	const counted = names.map((each) => {
		const [name = '', text = ''] = each.split(/: (.*)/);
		const items = (runs[name] ?? []).flatMap(({ data }) => data?.main?.flat() ?? []);
		return [each, items.filter((item) => JSON.stringify(item?.json).includes(text)).length];
	});
	return Object.fromEntries(counted) as Branches;
}

/** The items of each node but the trigger, without what differs in each run. */
function itemsIn({ runs }: Execution, example: string): unknown {
	const trigger = triggerOf(template(example));
	const items = Object.entries(runs).map(([name, all]) => [
		name,
		name === trigger ||
			all.map(({ data }) => data?.main?.map((given) => given?.map(({ json }) => json))),
	]);
	const text = JSON.stringify(Object.fromEntries(items));
	return JSON.parse(
		text
			.replaceAll(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|[\da-f]{64}/g, 'ID')
			.replaceAll(/\d{4}-\d\d-\d\d \d\d\.\d\d(?:\.\d\d)?/g, 'now'),
	);
}
