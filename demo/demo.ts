import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import {
	CREDENTIAL_TYPE,
	EXAMPLES,
	readExampleWorkflows,
	withCredential,
	withSetting,
} from '../harness/example-workflows';
import { installN8n, installNode } from '../harness/install';
import { startN8n, type N8n } from '../harness/n8n';
import { output, type Execution } from '../harness/n8n-execution';
import { untilServed } from '../harness/n8n-process';
import { connect, type Login, type N8nClient } from '../harness/n8n-rest';
import { packPackage } from '../harness/pack';
import { freePorts, isFree } from '../harness/ports';
import { Trouble } from '../harness/report';
import { startSimulator, type Simulator } from '../simulator';
import { HELP, readOptions, type DemoOptions } from './options';
import {
	countValues,
	describeDocument,
	documentResult,
	firstConverted,
	LOW_CONFIDENCE,
} from './table';

const EDITOR_PORT = 5678;
const DOCUMENTS = join(EXAMPLES, 'documents');
const SENT = /\.(pdf|eml|txt)$/; // as in the example workflow
const RUN_TIMEOUT = 5 * 60_000; // milliseconds
const MAIN_WORKFLOW = 'sample-documents';
const SIGNALS = [
	['SIGHUP', 1],
	['SIGINT', 2],
	['SIGTERM', 15],
] as const;
const say = (text: string) => console.log(text);

/** Everything that was started, to be ended in reverse order. */
class Started {
	private readonly endings: Array<() => Promise<void>> = [];

	add(ending: () => Promise<void>): void {
		this.endings.unshift(ending);
	}

	async end(): Promise<void> {
		for (const ending of this.endings.splice(0)) await ending();
	}
}

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

/**
 * Resolves with the number of the signal that ends the demo. When npm gets SIGTERM it ends its shell without passing the signal on,
 * so a missing parent counts as SIGTERM when npm started the demo.
 */
async function interruption(): Promise<{ by: number }> {
	return new Promise((resolve) => {
		for (const [signal, number] of SIGNALS) process.once(signal, () => resolve({ by: number }));
		if (process.env.npm_lifecycle_event === undefined) return;
		const parent = process.ppid;
		setInterval(() => process.ppid !== parent && resolve({ by: 15 }), 500).unref();
	});
}

/** Installs and starts everything and prints the results. Returns 0 when every document was completed, else 1. */
async function show(options: DemoOptions, started: Started): Promise<number> {
	const documents = options.n8n?.documents ?? DOCUMENTS;
	const n8n = options.n8n ?? (await ownN8n(options, started));
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
	const workflowId = await prepare(client, simulator, documents);
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

/** Installs and starts an n8n with the package. */
async function ownN8n(options: DemoOptions, started: Started): Promise<N8n> {
	const port = await editorPort(options.port);
	await installNode(say);
	await installN8n('n8n-2', say);
	const packageTarball = await packPackage({ report: say });
	say('Starting n8n with the package (about 10 seconds).');
	const n8n = await startN8n({
		line: 'n8n-2',
		packageTarball,
		port,
		env: { N8N_RESTRICT_FILE_ACCESS_TO: DOCUMENTS },
	});
	started.add(n8n.stop);
	return n8n;
}

/** The owner of an n8n that runs already; undefined if it has none yet. */
function ownerOf(options: DemoOptions): Login | undefined {
	const { N8N_OWNER_EMAIL: email, N8N_OWNER_PASSWORD: password } = process.env;
	if (options.n8n === undefined || email === undefined || password === undefined) return undefined;
	return { email, password };
}

async function editorPort(asked: number | undefined): Promise<number> {
	const wanted = asked ?? EDITOR_PORT;
	if (await isFree(wanted)) return wanted;
	if (asked !== undefined)
		throw new Trouble(
			`Port ${asked} is taken by another program.`,
			'Choose another one with --port, or leave the option out.',
		);
	const [free = 0] = await freePorts(1);
	say(
		`Port ${EDITOR_PORT} is taken by another program (perhaps another n8n): the editor will be at port ${free}.`,
	);
	return free;
}

/** Stores the credential and imports the example workflows; returns the id of the one that is run. */
async function prepare(
	client: N8nClient,
	simulator: Simulator,
	documents: string,
): Promise<string> {
	const [account] = simulator.state.clients;
	if (!account) throw new Error('The simulated service has no client.');
	const name = 'Document Workflow account';
	const data = {
		environment: 'production',
		productionUrl: simulator.productionUrl,
		stagingUrl: simulator.stagingUrl,
		clientId: account.clientId,
		clientSecret: account.clientSecret,
		workflowNames: workflowIds(simulator.state).map(namedLine).join('\n'),
	};
	const id = await client
		.createCredential({ name, type: CREDENTIAL_TYPE, data })
		.catch((error: unknown) => {
			if (!String(error).includes('Unrecognized credential type')) throw error;
			throw new Trouble(
				'This n8n does not have the package n8n-nodes-document-workflow.',
				'Install it, restart n8n and start again: CONTRIBUTING.md has the commands. Set N8N_OWNER_EMAIL and N8N_OWNER_PASSWORD to the owner of this n8n.',
			);
		});
	const ids = new Map<string, string>();
	for (const [file, workflow] of readExampleWorkflows()) {
		const prepared = withCredential(workflow, { id, name });
		// Without its sample data it reads the folder.
		const onDocuments = () => ({
			...withSetting(prepared, 'documentsFolder', documents),
			pinData: {},
		});
		ids.set(file, await client.createWorkflow(file === MAIN_WORKFLOW ? onDocuments() : prepared));
	}
	const workflowId = ids.get(MAIN_WORKFLOW);
	if (workflowId === undefined)
		throw new Error(`The example workflow ${MAIN_WORKFLOW} is missing.`);
	return workflowId;
}

const workflowIds = ({ workflows }: Simulator['state']) =>
	workflows.all().map(({ workflowId }) => workflowId);

/** A line of *Workflow Names* in the credential, such as "Policy intake = policy-intake". */
function namedLine(workflowId: string): string {
	const words = workflowId.replaceAll('-', ' ');
	return `${words.charAt(0).toUpperCase()}${words.slice(1)} = ${workflowId}`;
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

Import examples/workflows/sample-documents.json to begin with what ran above. README.md lists the other examples by case.
`);
}

main().then(
	(code) => process.exit(code),
	(error: unknown) => {
		console.error(error instanceof Trouble ? error.message : error);
		process.exit(1);
	},
);
