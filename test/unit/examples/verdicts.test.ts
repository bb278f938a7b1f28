/** What the examples decide, for values that the service sends typed and for the same values as texts, read in US style. */
import { runInNewContext } from 'node:vm';
import { DateTime } from 'luxon';

import { readExampleWorkflows } from '../../../harness/example-workflows';
import type { Json, JsonRecord } from '../../../service/contract';
import { cell, onlyItem } from '../nodes/results/support';

interface SetNode {
	name: string;
	parameters: { assignments: { assignments: Array<{ name: string; value: string }> } };
}

const SETTINGS = {
	requirements: 'General = 1000000\nUmbrella = 5000000',
	daysBeforeExpiry: 30,
	payUpTo: 2500,
};

/** The value of a field that a Set node of an example makes of an item. */
function valueOf(example: string, nodeName: string, field: string, json: JsonRecord): unknown {
	const { nodes } = readExampleWorkflows().get(example) as unknown as { nodes: SetNode[] };
	const node = nodes.find(({ name }) => name === nodeName);
	const given = node?.parameters.assignments.assignments.find(({ name }) => name === field)?.value;
	const expression = /^=\{\{(.*)\}\}$/s.exec(given ?? '')?.[1] ?? '';
	const others = () => ({ item: { json: SETTINGS }, first: () => ({ json: SETTINGS }) });
	const now = DateTime.fromISO('2026-11-24');
	return runInNewContext(`(${expression})`, {
		$json: json,
		$: others,
		$now: now,
		DateTime,
	}) as unknown;
}

/** The item of rows of one step, whose service declares nothing. */
function itemOf(name: string, rows: JsonRecord[]): JsonRecord {
	const scored = rows.map((row) =>
		Object.fromEntries(Object.entries(row).map(([field, value]) => [field, cell(value, 0.95)])),
	);
	const data = { schema: {}, data: scored as Json, metadata: {} };
	return onlyItem(
		{ steps: [{ step_name: name, data }] },
		{
			minimumConfidence: 0.8,
			values: { style: 'us', numberFields: [], today: '2026-11-24' },
		},
	);
}

describe('The example that checks certificates', () => {
	const problems = (limit: Json, ends: Json) => {
		const item = itemOf('policies', [
			{ type: 'General', limit, expiration_date: ends },
			{ type: 'Umbrella', limit: 5_000_000, expiration_date: '2099-01-01' },
		]);
		return valueOf('certificate-check', 'Compare With the Requirements', 'problems', item);
	};

	it.each<[string, Json, Json, Json, Json]>([
		['fine', 1_000_000, '2099-12-31', '$1,000,000', '12/31/2099'],
		['a limit that is too low', 500_000, '2099-12-31', '500,000', '12/31/2099'],
		['a policy that has expired', 1_000_000, '2020-03-01', '$1,000,000.00', '03/01/2020'],
		['a policy that expires soon', 1_000_000, '2026-12-01', '1000000', 'December 1, 2026'],
	])('finds the same in texts and in values: %s', (_what, limit, ends, text, endsText) => {
		expect(problems(text, endsText)).toEqual(problems(limit, ends));
	});

	it.each(['See attached', 'Statutory', null, ''])(
		'lets nobody pass with the limit %j',
		(limit) => {
			expect(problems(limit, '2099-12-31')).toEqual([
				expect.stringContaining('General: the limit is'),
			]);
		},
	);

	it('lets nobody pass with a limit that is too low, or a date that is none', () => {
		expect(problems('$100', '12/31/2099')).toEqual([expect.stringContaining('limit is 100,')]);
		expect(problems('$1,000,000', 'until cancelled')).toEqual(['General: no date of expiry']);
	});
});

describe('The example of loss runs', () => {
	const NODE = 'Name the Columns';
	const columns = (claim: JsonRecord) => {
		const item = itemOf('claims', [claim]).data as { claims: JsonRecord[] };
		const json = { claim: item.claims[0] ?? null };
		return ['Year', 'Paid', 'Incurred'].map((field) => valueOf('loss-runs', NODE, field, json));
	};

	it('groups and sums texts as it does values', () => {
		const typed = columns({ date_of_loss: '2024-07-04', paid: 1234.5, incurred: -20 });
		expect(typed).toEqual(['2024', 1234.5, -20]);
		expect(columns({ date_of_loss: '07/04/2024', paid: '$1,234.50', incurred: '(20.00)' })).toEqual(
			typed,
		);
	});

	it('groups what is no date under unknown, and adds no text', () => {
		expect(columns({ date_of_loss: 'July', paid: 'Reopened', incurred: null })).toEqual([
			'unknown',
			0,
			0,
		]);
	});
});

describe('The example of invoices', () => {
	const amountOf = (total: Json) =>
		valueOf(
			'claim-invoice',
			'Choose the Values',
			'amount',
			itemOf('invoice', [{ total_due: total }]),
		);

	it('compares the amount of a text as it does a number, and takes no other text for one', () => {
		expect(amountOf('$1,850.00')).toBe(1850);
		expect(amountOf(1850)).toBe(1850);
		expect(amountOf('See attached')).toBeNull();
	});
});
