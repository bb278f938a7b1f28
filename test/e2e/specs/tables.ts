import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SAMPLE_DOCUMENTS } from '../../../examples/make-documents/sample-documents';
import { output, type Execution } from '../../../harness/n8n-execution';
import type { WorkflowJson } from '../../../harness/n8n-rest';
import { chain, documentWorkflow, EARLY, node, readFiles, type NodeJson } from '../flows';
import type { Scope } from '../lines';
import { DOCUMENTS, expectedOf, type World } from '../support';
import { appendToExcel, appendToSheet, type Json } from '../tables/nodes';
import { POLICY, withQuickService } from '../templateRuns';

const NODE = 'Document Workflow';
const TABLE = 'Data table';
const OF_N8N = ['id', 'createdAt', 'updatedAt'];

/** What docs/results.md says to add to the extracted fields. */
export const MARKS = {
	...{ needsReview: 'boolean', toReview: 'string', step: 'string', row: 'number' },
	...{ fileName: 'string', executionId: 'string', executionUrl: 'string' },
	...{ executionStatus: 'string', externalId: 'string' },
};
const OF_A_POLICY = {
	...columnsOf(expectedOf('declarations-page').steps.policy_details ?? []),
	...MARKS,
};

/** Of the sample documents, in the short form. */
const SOME = ['loss-run.pdf', 'statement-of-values.pdf', 'submission.eml', 'invoice.pdf'];

/** Rows as they are by default, in tables of other nodes with automatic mapping. The columns are made before. */
export function tablesSpec(world: () => World, { long }: Scope): void {
	it.each(long ? SAMPLE_DOCUMENTS.map(({ fileName }) => fileName) : SOME)(
		'the rows of each step of %s go into a Data table, an Excel table and a Google sheet',
		async (fileName) => {
			const [name = ''] = fileName.split('.');
			const { workflowId, steps } = expectedOf(name);
			await withQuickService(world(), async (own) => {
				const store = async ([step, rows]: [string, Json[]]) => {
					const columns = { ...columnsOf(rows), ...MARKS };
					const table = await own.client.createDataTable(`${name} ${step}`, columns);
					const read = readFiles(join(DOCUMENTS, fileName));
					const reading = rowsNode(own, workflowId, step);
					const flow = chain('Rows', read, reading, insert(table));
					const items = itemsIn(await own.client.runToEnd(flow));
					expect(items).toMatchObject(rows);
					await expectInTables(own, items, table, columns);
				};
				await Promise.all(Object.entries(steps).map(store));
			});
		},
	);

	it('a poll of three mails, one of them without attachment, goes into the tables, and so does the next', async () => {
		await withQuickService(world(), async (own) => {
			const table = await own.client.createDataTable('Policies', OF_A_POLICY);
			const poll = async (...numbers: string[]) => {
				const name = numbers.join();
				for (const number of numbers)
					writeFileSync(
						join(own.folder, `${name} ${number}.txt`),
						POLICY.replace('EMC-CP-1050117-26', number),
					);
				const reading = rowsNode(own, 'policy-intake', 'policy_details');
				const read = readFiles(join(own.folder, `${name} *.txt`));
				const flow = withMailWithoutFile(read, reading, insert(table));
				return itemsIn(await own.client.runToEnd(flow));
			};
			const first = await poll('A-1', 'A-2');
			const row = { needsReview: false, toReview: null, row: 1 };
			expect(first).toMatchObject([
				{ ...row, policy_number: 'A-1', fileName: 'A-1,A-2 A-1.txt' },
				{ ...row, policy_number: 'A-2', fileName: 'A-1,A-2 A-2.txt' },
				{ needsReview: true, toReview: 'Nothing was sent: there is no document', row: null },
			]);
			const second = await poll('B-1');
			expect(second).toMatchObject([{ policy_number: 'B-1' }, { row: null }]);
			await expectInTables(own, [...first, ...second], table, OF_A_POLICY);
		});
	});

	it('what failed, is not finished or has no such step goes into the tables, with the reason', async () => {
		const own = world();
		const table = await own.client.createDataTable('Reasons', OF_A_POLICY);
		const step = { step_name: 'other', data: [{ a: 1 }] };
		const bodies = [
			{ status: 'failed', error: 'Page 3 is blank' },
			{ status: 'running' },
			{ status: 'completed', steps: [step] },
			{ status: 'completed', steps: [] },
		];
		const items: Json[] = [];
		for (const body of bodies)
			items.push(...itemsIn(await runOfAnswer(own, body, [insert(table)])));
		expect(items.map(({ needsReview, row, toReview }) => [needsReview, row, toReview])).toEqual([
			[true, null, 'The execution failed: Page 3 is blank'],
			[true, null, 'Still running'],
			[true, null, 'No step is named "policy_details". The steps are: "other"'],
			[true, null, expect.stringMatching(/^The answer has no steps with data/)],
		]);
		await expectInTables(own, items, table, OF_A_POLICY);
	});

	it.each<[string, Json, Json, RegExp]>([
		[
			'a text in a column of numbers is refused',
			{ limit: 'N/A' },
			{ limit: 'number', ...MARKS },
			/value 'N\/A' does not match column type 'number'/,
		],
		[
			'a field with no name of a column is refused',
			{ 'Policy Number': 'A-1' },
			MARKS,
			/unknown column name 'Policy Number'/,
		],
	])(
		'n8n says so where %s by a Data table, which then has no row',
		async (title, row, columns, words) => {
			const own = world();
			const table = await own.client.createDataTable(title, columns as Record<string, string>);
			const steps = [{ step_name: 'policy_details', data: [row] }];
			const execution = await runOfAnswer(own, { status: 'completed', steps }, [insert(table)]);
			expect(JSON.stringify(execution.error)).toMatch(words);
			expect(await own.client.dataTableRows(table)).toEqual([]);
			const creating = own.client.createDataTable('No column', { 'Policy Number': 'string' });
			await expect(creating).rejects.toThrow();
		},
	);

	it('a text among numbers goes into a column of texts, and a Data table drops a field with the name id', async () => {
		const own = world();
		const columns = { limit: 'string', ...MARKS };
		const table = await own.client.createDataTable('Texts', columns);
		const data = [
			{ limit: 1250, id: 'A' },
			{ limit: 'N/A', id: 'B' },
		];
		const steps = [{ step_name: 'policy_details', data }];
		const items = itemsIn(await runOfAnswer(own, { status: 'completed', steps }, [insert(table)]));
		expect(items).toMatchObject(data);
		expect(await storedIn(own, table)).toMatchObject([{ limit: '1250' }, { limit: 'N/A' }]);
		expect(await appendToSheet(items)).toMatchObject(data);
	});
}

export const insert = (table: string): NodeJson =>
	node(TABLE, 'n8n-nodes-base.dataTable', 1, {
		dataTableId: { __rl: true, mode: 'id', value: table },
		columns: { mappingMode: 'autoMapInputData', value: null },
		options: {},
	});

const rowsNode = (own: World, workflowId: string, step: string): NodeJson =>
	documentWorkflow(own, 'createAndWait', workflowId, {
		...{ output: 'rows', step, outputOptions: { values: 'us' } },
		...EARLY,
	});

/** An item without a file joins the files, as of a mail without attachment. */
function withMailWithoutFile(read: NodeJson, ...behind: NodeJson[]): WorkflowJson {
	const merge = node('Merge', 'n8n-nodes-base.merge', 3.2, { options: {} });
	const flow = chain('Poll', read, merge, ...behind);
	const to = (name: string, index: number) => ({ node: name, type: 'main', index });
	const Start = { main: [[to(read.name, 0), to(merge.name, 1)]] };
	return { ...flow, connections: { ...flow.connections, Start } };
}

/** A run in which the service gives this answer to the check of an execution. */
export async function runOfAnswer(
	own: World,
	body: Json,
	behind: NodeJson[],
	outputOptions: Json = {},
): Promise<Execution> {
	const { faults } = own.simulator.state;
	const action = { type: 'status' as const, status: 200, body: { metadata: {}, ...body } };
	const { faultId } = faults.add({ route: 'get', action });
	const reading = documentWorkflow(own, 'get', 'policy-intake', {
		...{ executionId: 'e-1', output: 'rows', step: 'policy_details' },
		...{ minimumConfidence: 0, outputOptions },
	});
	try {
		return await own.client.runToEnd(chain('Answer', reading, ...behind));
	} finally {
		faults.clear(faultId);
	}
}

/** The items of the node, all of which the table took. */
function itemsIn(execution: Execution): Json[] {
	expect(`${execution.status} ${JSON.stringify(execution.error ?? '')}`).toBe('success ""');
	const items = output(execution, NODE).map(({ json }) => json);
	expect(output(execution, TABLE)).toHaveLength(items.length);
	return items;
}

async function expectInTables(
	own: World,
	items: Json[],
	table: string,
	columns: Record<string, string>,
): Promise<void> {
	const expected = items.map((item) => filled(item, columns));
	expect(await storedIn(own, table)).toEqual(expected);
	expect(await appendToExcel(items, Object.keys(columns))).toEqual(expected);
	expect(await appendToSheet(items)).toMatchObject(items);
}

/** The rows of a Data table without the columns that n8n adds. */
async function storedIn({ client }: World, table: string): Promise<Json[]> {
	const rows = await client.dataTableRows(table);
	return rows.map((row) =>
		Object.fromEntries(Object.entries(row).filter(([name]) => !OF_N8N.includes(name))),
	);
}

function columnsOf(rows: Json[]): Record<string, string> {
	const all = rows.flatMap((row) => Object.entries(row));
	const known = all.filter(([, value]) => value !== null);
	return Object.fromEntries([
		...all.map(([name]) => [name, 'string'] as const),
		...known.map(([name, value]) => [name, typeof value] as const),
	]);
}

/** An item as a table has it: a column that it lacks is empty. */
function filled(item: Json, columns: Json): Json {
	return Object.fromEntries(Object.keys(columns).map((name) => [name, item[name] ?? null]));
}
