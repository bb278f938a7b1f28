import { output, type Execution } from '../../../harness/n8n-execution';
import { node, type NodeJson } from '../flows';
import type { World } from '../support';
import type { Json } from '../tables/nodes';
import { insert, MARKS, runOfAnswer } from './tables';

const TYPED = [
	{ policy: 'A-1', limit: 1_250_000, expiration_date: '2026-12-31' },
	{ policy: 'A-2', limit: 999_999.5, expiration_date: '2026-12-31' },
	{ policy: 'A-3', limit: 1_000_000, expiration_date: '2026-03-01' },
];
const AS_TEXTS = [
	{ policy: 'A-1', limit: '$1,250,000', expiration_date: '12/31/2026' },
	{ policy: 'A-2', limit: '999,999.50', expiration_date: 'Dec. 31, 2026' },
	{ policy: 'A-3', limit: 'USD 1,000,000.00', expiration_date: '3/1/2026' },
];

/** What n8n does with amounts and dates of a document. Data tables exist on both lines. */
export function valuesSpec(world: () => World): void {
	it('Texts that were converted go into a Data table with columns of numbers and dates', async () => {
		const columns = { policy: 'string', limit: 'number', expiration_date: 'date', ...MARKS };
		const table = await world().client.createDataTable('Converted', columns);
		const execution = await runOfTexts(world(), insert(table));
		expect(`${execution.status} ${JSON.stringify(execution.error ?? '')}`).toBe('success ""');
		const stored = await world().client.dataTableRows(table);
		const days = stored.map(({ expiration_date: date, ...others }) => ({
			...others,
			expiration_date: String(date).slice(0, 10),
		}));
		expect(days).toMatchObject(TYPED);
	});

	it('An If on an amount and one on a date take the right branch for texts that were converted', async () => {
		const amount = condition('Enough?', 'limit', 1_000_000, { type: 'number', operation: 'gte' });
		const date = condition('Still valid?', 'expiration_date', '2026-06-30', {
			type: 'dateTime',
			operation: 'after',
		});
		const execution = await runOfTexts(world(), amount, date);
		const policies = (name: string, branch: number) =>
			output(execution, name, branch).map(({ json }) => json.policy);
		expect([policies('Enough?', 0), policies('Enough?', 1)]).toEqual([['A-1', 'A-3'], ['A-2']]);
		expect([policies('Still valid?', 0), policies('Still valid?', 1)]).toEqual([['A-1'], ['A-3']]);
	});
}

async function runOfTexts(own: World, ...behind: NodeJson[]): Promise<Execution> {
	const steps = [{ step_name: 'policy_details', data: AS_TEXTS }];
	return runOfAnswer(own, { status: 'completed', steps }, behind, { values: 'us' });
}

/** With the strict comparison that the editor sets. */
function condition(name: string, field: string, value: unknown, operator: Json): NodeJson {
	return node(name, 'n8n-nodes-base.if', 2.2, {
		conditions: {
			options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
			combinator: 'and',
			conditions: [{ id: 'c', leftValue: `={{ $json.${field} }}`, rightValue: value, operator }],
		},
		options: {},
	});
}
