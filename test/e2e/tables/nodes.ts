/** n8n's nodes for tables, as they are installed with n8n, on stand-ins for what is at the other end. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { roomFolder } from '../../../harness/cache';

export type Json = Record<string, unknown>;
type Cells = unknown[][];

interface Call {
	method: string;
	uri: string;
	body?: { values?: Cells };
}

interface Append {
	execute: (this: unknown, ...given: unknown[]) => Promise<unknown>;
}

const installed = createRequire(join(roomFolder('n8n-2'), 'package.json'));
const NODES = 'n8n-nodes-base/dist/nodes';

/** Puts items into an empty Google sheet by automatic mapping; returns its rows, with the names of the first row. */
export async function appendToSheet(items: Json[]): Promise<Json[]> {
	const cells: Cells = [];
	const { GoogleSheet } = installed(`${NODES}/Google/Sheet/v2/helpers/GoogleSheet.js`) as {
		GoogleSheet: new (id: string, context: unknown) => object;
	};
	const { execute } = installed(
		`${NODES}/Google/Sheet/v2/actions/sheet/append.operation.js`,
	) as Append;
	const context = contextOf(4.7, items, { 'columns.mappingMode': 'autoMapInputData' }, (call) =>
		sheetAnswer(cells, call),
	);
	await execute.call(context, new GoogleSheet('document', context), 'Rows', '0');
	const [names = [], ...rows] = cells as Array<Array<string | undefined>>;
	return rows.map((row) =>
		Object.fromEntries(
			names.map((name, index) => [name ?? '', row[index] === '' ? null : row[index]]),
		),
	);
}

/** Puts items into an Excel table with some columns by automatic mapping; returns its rows. */
export async function appendToExcel(items: Json[], columns: string[]): Promise<Json[]> {
	const { execute } = installed(
		`${NODES}/Microsoft/Excel/v2/actions/table/append.operation.js`,
	) as Append;
	const added: Cells = [];
	const context = contextOf(2.2, items, { dataMode: 'autoMap' }, ({ method, uri, body }) => {
		if (method === 'GET') return { value: columns.map((name) => ({ name })) };
		if (!uri.endsWith('/rows/add')) return { id: 'session' };
		added.push(...plain(body?.values));
		return { values: added };
	});
	await execute.call(
		context,
		items.map((json) => ({ json })),
	);
	return added.map((row) =>
		Object.fromEntries(columns.map((name, index) => [name, row[index] ?? null])),
	);
}

function contextOf(
	typeVersion: number,
	items: Json[],
	parameters: Json,
	answer: (call: Call) => unknown,
): object {
	return {
		getInputData: () => items.map((json) => ({ json })),
		getNode: () => ({ name: 'Table', typeVersion }),
		getCredentials: async () => Promise.resolve({}),
		continueOnFail: () => false,
		getNodeParameter: (name: string, _index: number, fallback?: unknown) =>
			({ authentication: 'oAuth2', options: {}, ...parameters })[name] ?? fallback ?? name,
		helpers: {
			requestOAuth2: async (_type: string, call: Call) =>
				Promise.resolve(JSON.parse(JSON.stringify(answer(call))) as unknown),
			constructExecutionMetaData: (data: unknown) => data,
		},
	};
}

/** Reads all, and writes rows from the number in the range on. */
function sheetAnswer(cells: Cells, { method, uri, body }: Call): unknown {
	if (method === 'GET') return cells.length === 0 ? {} : { values: cells };
	const [, first] = /!(\d+)/.exec(decodeURIComponent(uri)) ?? [];
	plain(body?.values).forEach((row, index) => (cells[Number(first) - 1 + index] = row));
	return {};
}

/** As over the wire. Neither service takes a list or a record as a cell. */
function plain(values: Cells = []): Cells {
	const cells = JSON.parse(JSON.stringify(values)) as Cells;
	const nested = cells.flat().find((value) => Object(value) === value);
	if (nested !== undefined) throw new Error(`400 This is no cell: ${JSON.stringify(nested)}`);
	return cells;
}
