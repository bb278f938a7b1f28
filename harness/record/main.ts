/**
 * `npm run record -- <base URL> <workflow ID> <file>` records what a real service answers, without any value: see shape.ts. With
 * `--execution <ID>` in place of the file it checks an execution that is there.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { parseArgs } from 'node:util';
import { ARTEFACTS } from '../pack';
import { Trouble } from '../report';
import { record, type Wanted } from './recording';

const HELP =
	'npm run record -- <base URL> <workflow ID> <file>\nnpm run record -- <base URL> <workflow ID> --execution <ID>';
const FOLDER = join(ARTEFACTS, 'recorded');
const EVERY = 5_000; // milliseconds
const CHECKS = 120; // ten minutes

function readArguments(): Omit<Wanted, 'login'> {
	const { values, positionals } = parseArgs({
		allowPositionals: true,
		options: { execution: { type: 'string' } },
	});
	const [baseUrl = '', workflowId = '', file] = positionals;
	const { execution } = values;
	const one = execution === undefined ? file && { file } : { executionId: execution };
	if (!URL.canParse(baseUrl) || workflowId === '' || !one || (execution && file))
		throw new Trouble('Name the service, the workflow, and a file or an execution.', HELP);
	return {
		baseUrl: baseUrl.replace(/\/+$/, ''),
		workflowId,
		of: one,
		everyMilliseconds: EVERY,
		checks: CHECKS,
	};
}

/** Asks for a line each. What is typed is not shown. */
async function askHidden(...questions: string[]): Promise<string[]> {
	const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
	const { stdin, stdout } = process;
	const reader = createInterface({ input: stdin, output: nowhere, terminal: stdin.isTTY });
	const lines = reader[Symbol.asyncIterator]();
	const answers: string[] = [];
	for (const question of questions) {
		stdout.write(`${question}: `);
		const line = (await lines.next()) as IteratorResult<string, undefined>;
		stdout.write('\n');
		answers.push((line.value ?? '').trim());
	}
	reader.close();
	return answers;
}

async function main(): Promise<void> {
	const wanted = readArguments();
	const [clientId = '', clientSecret = ''] = await askHidden('Client ID', 'Client Secret');
	const recorded = await record({ ...wanted, login: { clientId, clientSecret } });
	mkdirSync(FOLDER, { recursive: true });
	for (const { name, ...answer } of recorded) {
		const file = join(FOLDER, `${Date.now()}-${name}.json`);
		writeFileSync(file, `${JSON.stringify(answer, null, '\t')}\n`);
		console.log(`${name}: ${answer.status}, ${file}`);
	}
	console.log('Look through the files before you share them.');
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
