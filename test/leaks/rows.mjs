/**
 * Prints all values of all tables of n8n's database, one on a line: `node rows.mjs <n8n's program> <the connection as JSON>`. Node 24 runs
 * it, because that has SQLite; the client of PostgreSQL is n8n's.
 */
import { createRequire } from 'node:module';

const [program, json] = process.argv.slice(2);
const { file, postgres } = JSON.parse(json);

for await (const { table, row } of file === undefined ? rowsOfPostgres() : rowsOfSqlite()) {
	for (const [column, value] of Object.entries(row)) {
		if (value === null || typeof value === 'number') continue;
		const place = `${table}.${column}${workflowOf(row)}`;
		console.log(JSON.stringify([place, textOf(value)]));
	}
}

async function* rowsOfSqlite() {
	const { DatabaseSync } = await import('node:sqlite');
	const database = new DatabaseSync(file);
	const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
	for (const { name } of tables)
		for (const row of database.prepare(`SELECT * FROM "${name}"`).iterate())
			yield { table: name, row };
	database.close();
}

async function* rowsOfPostgres() {
	const { Client } = createRequire(program)('pg');
	const client = new Client(postgres);
	await client.connect();
	const tables = await client.query("SELECT tablename FROM pg_tables WHERE schemaname = 'public'");
	for (const { tablename } of tables.rows) {
		const { rows } = await client.query(`SELECT * FROM "${tablename}"`);
		for (const row of rows) yield { table: tablename, row };
	}
	await client.end();
}

/** The n8n workflow of stored execution data, by its name. */
function workflowOf({ workflowData }) {
	if (!workflowData) return '';
	const { name } = typeof workflowData === 'string' ? JSON.parse(workflowData) : workflowData;
	return ` of the n8n workflow "${name}"`;
}

function textOf(value) {
	if (typeof value === 'string') return value;
	return value instanceof Uint8Array
		? Buffer.from(value).toString('latin1')
		: JSON.stringify(value);
}
