/** The example "IMAP mailbox" in a running n8n, between a mailbox, the service and the counter. */
import { withCredential } from '../../harness/example-workflows';
import { startMailServer, type MailServer } from '../../harness/mail-server';
import type { WorkflowJson } from '../../harness/n8n-rest';
import { startSimulator, type Simulator } from '../../simulator';
import { node } from '../e2e/flows';
import { startCounter, type Counter } from '../e2e/counter';
import { exampleNamed, importContinuing, importExample } from '../e2e/published';
import { storeCredential, type World } from '../e2e/support';
import type { Mailbag } from './mails';
import { together } from './answers';
import type { Booked } from './judge';

export interface Office {
	mailbox: MailServer;
	service: Simulator;
	counter: Counter;
	/** Of all workflows; that which reads the mails is the last. */
	workflowIds: string[];
	stop: () => Promise<void>;
}

interface OfficeOptions {
	scale: number;
	/** Whether the template for crashes runs too. */
	isKilled: boolean;
}

/** Imports the examples as a user does, with his credentials; a node that adds a row follows "Use the Data". */
export async function openOffice(
	world: World,
	mailbag: Mailbag,
	{ scale, isKilled }: OfficeOptions,
): Promise<Office> {
	const { client } = world;
	const [mailbox, service, counter] = await Promise.all([
		startMailServer(),
		startPlanned(mailbag, scale),
		startCounter(),
	]);
	const ids: string[] = [];
	const stop = async () => {
		for (const id of ids) await client.deactivate(id);
		await Promise.all([mailbox.stop(), service.stop(), counter.stop()]);
	};
	const { host, port, user, password } = mailbox;
	const credentials = { imap: { host, port, user, password, secure: false }, smtp: counter.smtp };
	try {
		if (isKilled) ids.push(await importContinuing(world, counter));
		const mails = withTable(exampleNamed('imap-mailbox'), counter);
		const stored = await storeCredential(client, service);
		ids.push(await importExample(world, withCredential(mails, stored), credentials));
		return { mailbox, service, counter, stop, workflowIds: ids };
	} catch (error) {
		await stop();
		throw error;
	}
}

const DATA = 'Use the Data';

function withTable(
	{ nodes, connections, ...workflow }: WorkflowJson,
	{ url }: Counter,
): WorkflowJson {
	const add = node('Add a Row', 'n8n-nodes-base.httpRequest', 4.2, {
		...{ method: 'POST', url: `${url}/rows`, sendBody: true, specifyBody: 'json' },
		...{ jsonBody: '={{ JSON.stringify($json) }}', options: {} },
	});
	if (!nodes.some(({ name }) => name === DATA)) throw new Error(`There is no node "${DATA}".`);
	const links = { [DATA]: { main: [[{ node: add.name, type: 'main', index: 0 }]] } };
	return { ...workflow, nodes: [...nodes, add], connections: { ...connections, ...links } };
}

/** For a file that nobody has planned. */
const UNKNOWN = { seconds: 1, steps: {}, policies: [], failure: 'Nobody expected this file' };

/** The service, with the planned answer for each file. A planned second takes `scale` seconds. */
async function startPlanned({ answers }: Mailbag, scale: number): Promise<Simulator> {
	const clients = [{ clientId: 'mailroom', clientSecret: 'made-up-secret-of-the-mailroom' }];
	const simulator = await startSimulator({
		configuration: { clients, workflows: [{ workflowId: 'policy-intake' }] },
	});
	const { executions } = simulator.state;
	const start = executions.start.bind(executions);
	executions.start = (workflow, environment, submission) => {
		const { seconds, steps, failure } = together(
			submission.intakes.map(({ file }) => answers.get(file.sha256) ?? UNKNOWN),
		);
		const duration = { fixedSeconds: seconds * scale };
		const failWith = failure === undefined ? null : { error: failure };
		const execution = start({ ...workflow, duration, failWith }, environment, submission);
		const planned = Object.entries(steps).map(([name, data]) => ({ step_name: name, data }));
		Object.defineProperty(execution, 'steps', {
			enumerable: true,
			get: () => (execution.status === 'completed' ? planned : undefined),
			set: () => undefined,
		});
		return execution;
	};
	return simulator;
}

export function booksOf({ state }: Simulator): Booked[] {
	return state.executions.all().map(({ executionId, files, completesAt }) => ({
		executionId,
		completesAt,
		files: files.map(({ sha256 }) => sha256),
	}));
}
