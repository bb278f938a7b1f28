import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { EXAMPLES } from '../harness/example-workflows';
import type { N8n } from '../harness/n8n';
import { output, type Execution } from '../harness/n8n-execution';
import { untilServed } from '../harness/n8n-process';
import { connect, type Login, type N8nClient } from '../harness/n8n-rest';
import { Trouble } from '../harness/report';
import { startSimulator, type Simulator } from '../simulator';
import { importExamples, workflowIds } from './import-examples';
import { HELP, readOptions, type DemoOptions } from './options';
import { DOCUMENTS, startOwnN8n } from './own-n8n';
import { interruption, Started } from './started';
import {
	countValues,
	describeDocument,
	documentResult,
	firstConverted,
	LOW_CONFIDENCE,
} from './table';

const SENT = /\.(pdf|eml|txt)$/; // as in the example workflow
const RUN_TIMEOUT = 5 * 60_000; // milliseconds
const say = (text: string) => console.log(text);

async function main(): Promise<number> {
	const options = readOptions(process.argv.slice(2));
	if (options.help) {
		say(HELP);
		return 0;
	}
	const started = new Started();
	const interrupted = interruption();
	try {
		const shown = show(options, started);
		shown.catch(() => undefined); // handled by the race; an interruption may come first
		const outcome = await Promise.race([shown, interrupted]);
		if (typeof outcome !== 'number') return 128 + outcome.by;
		if (options.once) return outcome;
		await interrupted;
		say(`\nEnding ${options.n8n ? '' : 'n8n and '}the simulated service.`);
		return outcome;
	} finally {
		await started.end();
	}
}

/** Installs and starts everything and prints the results. Returns 0 when every document was completed, else 1. */
async function show(options: DemoOptions, started: Started): Promise<number> {
	const documents = options.n8n?.documents ?? DOCUMENTS;
	const n8n = options.n8n ?? (await ownN8n(options.port, started));
	const simulator = await startSimulator({ configuration: join(EXAMPLES, 'simulator.json') });
	started.add(async () => simulator.stop());

	const owner = ownerOf(options);
	if (options.n8n) await untilServed(n8n.url);
	const client = await connect({ url: n8n.url, line: 'n8n-2' }, owner).catch((error: Error) => {
		if (!options.n8n) throw error;
		throw new Trouble(
			error.message,
			'Set N8N_OWNER_EMAIL and N8N_OWNER_PASSWORD to the owner of this n8n, and start again.',
		);
	});
	if (options.n8n && owner === undefined)
		say(
			`This n8n had no owner. The demo has made one: N8N_OWNER_EMAIL=${client.login.email} N8N_OWNER_PASSWORD=${client.login.password}`,
		);
	const workflowId = await importExamples(client, simulator, documents);
	const files = readdirSync(DOCUMENTS).filter((name) => SENT.test(name));
	say(`Sending ${files.length} sample documents through n8n (about 15 seconds).\n`);
	const execution = await client.waitForExecution(await client.run(workflowId), RUN_TIMEOUT);
	const complete = printResults(execution, files, simulator);
	if (!options.once) {
		printEditor(n8n, client, workflowId, execution.id);
		printService(simulator);
	}
	return complete ? 0 : 1;
}

async function ownN8n(port: number | undefined, started: Started): Promise<N8n> {
	const n8n = await startOwnN8n(port);
	started.add(n8n.stop);
	return n8n;
}

/** The owner of an n8n that runs already; undefined if it has none yet. */
function ownerOf(options: DemoOptions): Login | undefined {
	const { N8N_OWNER_EMAIL: email, N8N_OWNER_PASSWORD: password } = process.env;
	if (options.n8n === undefined || email === undefined || password === undefined) return undefined;
	return { email, password };
}

/** Prints the results. Returns false when a document is missing or was not completed. */
function printResults(execution: Execution, files: string[], { state }: Simulator): boolean {
	if (execution.status !== 'success') {
		say(
			`The n8n execution ended with "${execution.status}": ${execution.error?.message ?? 'no reason given'}`,
		);
		if (execution.error?.description) say(execution.error.description);
		return false;
	}
	const items = output(execution, 'Read the Documents');
	const results = items.flatMap(({ json }) => {
		const parsed = documentResult.safeParse(json);
		if (!parsed.success)
			say(`The result of a document is not as expected: ${JSON.stringify(json)}`);
		return parsed.success ? [parsed.data] : [];
	});
	for (const result of results) {
		const sent = state.executions.all().find((each) => each.executionId === result.executionId);
		const converted = firstConverted(result, sent?.steps ?? []);
		const texts = converted === undefined ? '' : `texts of the document, converted: ${converted}\n`;
		say(`${describeDocument(result)}\n${texts}`);
	}

	const counts = results.map(countValues);
	const values = counts.reduce((sum, count) => sum + count.values, 0);
	const low = counts.reduce((sum, count) => sum + count.low, 0);
	const completed = results.filter(({ status }) => status === 'completed').length;
	say(
		`${completed} of ${files.length} documents completed; ${values} values, ${low} of them below a confidence of ${LOW_CONFIDENCE}.`,
	);
	return completed === files.length;
}

function printEditor(
	n8n: { url: string },
	{ login }: N8nClient,
	workflowId: string,
	executionId: string,
): void {
	say(`
This runs until you press Ctrl-C. The n8n editor:

  ${n8n.url}/workflow/${workflowId}
  the run above: ${n8n.url}/workflow/${workflowId}/executions/${executionId}

  E-mail:   ${login.email}
  Password: ${login.password}   (of this n8n only)
`);
}

/** How to use the service in an n8n workflow of one's own. */
function printService({ productionUrl, state }: Simulator): void {
	const [account] = state.clients;
	say(`To try your own n8n workflow, create one in this editor. Its credential "Document Workflow account" is ready.
All examples of README.md are in its list of workflows.
In another n8n on this machine, install the package and create the credential with these values, which only the simulated service knows:

  Base URL:       ${productionUrl}
  Client ID:      ${account?.clientId ?? ''}
  Client Secret:  ${account?.clientSecret ?? ''}

Workflows to enter by ID; any-document takes every document:

  ${workflowIds(state).join(', ')}

Import examples/workflows/sample-documents.json to begin with what ran above. README.md lists the other examples by task.
`);
}

main().then(
	(code) => process.exit(code),
	(error: unknown) => {
		console.error(error instanceof Trouble ? error.message : error);
		process.exit(1);
	},
);
