/**
 * `npm run dev`: a real n8n with this package, the simulated service and the examples. It takes up each change of product code: this
 * command compiles it into the folder of the installed package, and n8n loads the package again.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { EXAMPLES, readExampleWorkflows } from '../harness/example-workflows';
import { connect } from '../harness/n8n-rest';
import { Trouble } from '../harness/report';
import { startSimulator } from '../simulator';
import { buildOnChange } from './build-on-change';
import { importExamples, MAIN_WORKFLOW } from './import-examples';
import { readPort } from './options';
import { DOCUMENTS, startOwnN8n } from './own-n8n';
import { interruption, Started } from './started';

const HELP = `npm run dev -- [options]

Starts n8n with this package and a simulated service, and takes up each change of nodes/, credentials/ and service/.

  --port <port>  port of the n8n editor (default 5678, or another free one if that is taken)
  --help         this text`;
const PACKAGE = join('.n8n', 'nodes', 'node_modules', 'n8n-nodes-document-workflow');

async function main(): Promise<void> {
	const { port, help } = readOptions(process.argv.slice(2));
	if (help) return console.log(HELP);
	const started = new Started();
	const interrupted = interruption();
	try {
		const shown = show(port, started);
		shown.catch(() => undefined); // handled by the race; an interruption may come first
		await Promise.race([shown, interrupted]);
		await interrupted;
		console.log('\nEnding n8n and the simulated service.');
	} finally {
		await started.end();
	}
}

async function show(port: number | undefined, started: Started): Promise<void> {
	const n8n = await startOwnN8n(port, { N8N_DEV_RELOAD: 'true' });
	started.add(n8n.stop);
	const simulator = await startSimulator({ configuration: join(EXAMPLES, 'simulator.json') });
	started.add(async () => simulator.stop());
	const client = await connect(n8n);
	const workflowId = await importExamples(client, simulator, DOCUMENTS);
	const { stop } = await buildOnChange(join(n8n.userFolder, PACKAGE, 'dist'), console.log);
	started.add(stop);
	const node = readExampleWorkflows()
		.get(MAIN_WORKFLOW)
		?.nodes.find(({ type }) => type.endsWith('.documentWorkflow'));
	console.log(`
The panel of the node in n8n's editor, until you press Ctrl-C. It shows a change of product code after some seconds, without a reload:

  ${n8n.url}/workflow/${workflowId}/${String(node?.id)}

  E-mail:   ${client.login.email}
  Password: ${client.login.password}   (of this n8n only)
`);
}

function readOptions(args: string[]): { port: number | undefined; help: boolean } {
	try {
		const { values } = parseArgs({
			args,
			options: { port: { type: 'string' }, help: { type: 'boolean', default: false } },
		});
		return { port: readPort(values.port), help: values.help ?? false };
	} catch (error) {
		throw new Trouble(error instanceof Error ? error.message : String(error), HELP);
	}
}

main().then(
	() => process.exit(0),
	(error: unknown) => {
		console.error(error instanceof Trouble ? error.message : error);
		process.exit(1);
	},
);
