/** The example "IMAP mailbox" in a running n8n, between a mailbox, the service and the counter. */
import { readExampleWorkflows, withCredential } from '../../harness/example-workflows';
import { startMailServer, type MailServer } from '../../harness/mail-server';
import type { WorkflowJson } from '../../harness/n8n-rest';
import type { Simulator } from '../../simulator';
import { node } from '../e2e/flows';
import { storeCredential, type World } from '../e2e/support';
import { startCounter, type Counter } from './counter';
import type { Mailbag } from './mails';
import { startPlanned } from './service';

/** Carries on what n8n broke off. */
const CONTINUE = 'continue-after-a-crash';
const SCOPES = ['execution:list', 'execution:read', 'execution:retry'];

export interface Office {
	mailbox: MailServer;
	service: Simulator;
	counter: Counter;
	/** Of all workflows; that which reads the mails is the last. */
	workflowIds: string[];
	stop: () => Promise<void>;
}

export interface OfficeOptions {
	scale: number;
	/** Whether the template for crashes runs too. */
	isKilled: boolean;
}

/** Imports the examples as a user does, with his credentials; a node that adds a row follows "Use the Data". */
export async function openOffice(
	{ client, n8n }: World,
	mailbag: Mailbag,
	{ scale, isKilled }: OfficeOptions,
): Promise<Office> {
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
	const choose = async (workflow: WorkflowJson, type: string, data: Record<string, unknown>) => {
		const name = `${type} account`;
		const id = await client.createCredential({ name, type, data });
		return withCredential(workflow, { id, name }, type);
	};
	const take = async (workflow: WorkflowJson) => {
		const { host, port, user, password } = mailbox;
		const smtp = { host, port: counter.smtpPort, user: '', password: '', secure: false };
		let chosen = withCredential(workflow, await storeCredential(client, service));
		chosen = await choose(chosen, 'imap', { host, port, user, password, secure: false });
		chosen = await choose(chosen, 'smtp', { ...smtp, disableStartTls: true });
		const api = { apiKey: await client.createApiKey(SCOPES), baseUrl: `${n8n.url}/api/v1` };
		chosen = await choose(chosen, 'n8nApi', api);
		const id = await client.createWorkflow(chosen);
		ids.push(id);
		await client.activate(id);
		return id;
	};
	try {
		const examples = readExampleWorkflows();
		const [mails, crashes] = [examples.get('imap-mailbox'), examples.get(CONTINUE)];
		if (mails === undefined) throw new Error('The example "imap-mailbox" is missing.');
		if (isKilled && crashes !== undefined) await take(crashes);
		await take(withTable(mails, counter));
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
		...{ method: 'POST', url, sendBody: true, specifyBody: 'json' },
		...{ jsonBody: '={{ JSON.stringify($json) }}', options: {} },
	});
	if (!nodes.some(({ name }) => name === DATA)) throw new Error(`There is no node "${DATA}".`);
	const links = { [DATA]: { main: [[{ node: add.name, type: 'main', index: 0 }]] } };
	return { ...workflow, nodes: [...nodes, add], connections: { ...connections, ...links } };
}
