import { setTimeout as sleep } from 'node:timers/promises';
import { startMailServer, type MailServer } from '../../../harness/mail-server';
import { withSetting } from '../../../harness/example-workflows';
import type { Execution } from '../../../harness/n8n-execution';
import type { Scope } from '../lines';
import { importMailbox, startBreakableLine, type BreakableLine } from '../mailbox';
import { attachment, compose } from '../mails';
import { until, type World } from '../support';
import { expectSuccess, POLICY, template, withProbes, withQuickService } from '../templateRuns';

const MINUTE = 60_000;
const SCOPES = ['workflow:read', 'workflow:activate', 'workflow:deactivate'];
/** Minutes between two connections of the trigger; 10 in the example. */
const SOON = 0.02;

/** A mailbox, a line to it, and the example "IMAP mailbox" that watches it through the line. */
interface Watched {
	own: World;
	server: MailServer;
	line: BreakableLine;
	workflowId: string;
	/** How often a client has signed in to the mailbox. */
	logins: () => number;
}

/** The examples "IMAP mailbox" and "IMAP sweep" with mails that arrive while the trigger is off or its connection hangs. */
export function mailSweepSpec(world: () => World, { differencesOnly }: Scope): void {
	it('imap-mailbox and imap-sweep: ten mails that came while the workflow was off are sent once each', async () => {
		// n8n 1 cannot end a trigger that is about to connect again, and needs no connection to be forced after it was switched on.
		await watching(world(), differencesOnly ? undefined : SOON, async (watched) => {
			const { own, workflowId } = watched;
			await own.client.deactivate(workflowId);
			await deliverTen(watched);
			expectSuccess(await sweep(watched), ['Switch It On']);
			await untilTenSent(watched);
			expectSuccess(await sweep(watched), ['Switch It On']);
			await expectEachSentOnce(watched);
		});
	});

	if (!differencesOnly)
		it('imap-mailbox: ten mails that came while its connection hung are sent once each', async () => {
			await watching(world(), SOON, async (watched) => {
				await loseConnection(watched);
				await deliverTen(watched);
				await expectEachSentOnce(watched);
			});
		});
}

async function loseConnection({ line, logins }: Watched): Promise<void> {
	await until(() => logins() > 1);
	line.breakNow();
}

async function watching(
	world: World,
	minutes: number | undefined,
	work: (watched: Watched) => Promise<void>,
): Promise<void> {
	const server = await startMailServer();
	const line = await startBreakableLine(server.port);
	await withQuickService(world, async (own) => {
		const mailbox = { ...server, port: line.port };
		const workflowId = await importMailbox(own, mailbox, minutes);
		const logins = () => server.log().split('Login: user=').length - 1;
		await own.client.activate(workflowId);
		try {
			await work({ own, server, line, workflowId, logins });
		} finally {
			await own.client.deactivate(workflowId);
			await line.stop();
			await server.stop();
		}
	});
}

const NUMBERS = Array.from({ length: 10 }, (_, index) => `EMC-CP-20000${index}-26`);

async function deliverTen({ server }: Watched): Promise<void> {
	for (const number of NUMBERS) {
		const text = POLICY.replace(/EMC-CP-[\d-]+/, number);
		const file = attachment(`${number}.txt`, 'text/plain', text);
		server.deliver(await compose(number, [file]));
	}
}

/** Runs the example "IMAP sweep" with n8n's own API, as its trigger does each hour. */
async function sweep({ own, workflowId }: Watched): Promise<Execution> {
	const { client, n8n } = own;
	const n8nApi = {
		name: 'n8n account',
		type: 'n8nApi',
		data: { apiKey: await client.createApiKey(SCOPES), baseUrl: `${n8n.url}/api/v1` },
	};
	const id = await client.createCredential(n8nApi);
	const api = ['Find the Intake', 'Switch It Off', 'Switch It On'];
	const { nodes, ...workflow } = withProbes(template('imap-sweep'), api);
	const chosen = nodes.map((each) =>
		api.includes(each.name)
			? {
					...each,
					credentials: { n8nApi: { id, name: n8nApi.name } },
				}
			: each,
	);
	const live = { ...workflow, nodes: chosen, pinData: {} };
	return client.runToEnd(withSetting(live, 'intakeWorkflowId', workflowId));
}

/** The names of the documents that the service has. */
const sentIn = ({ own }: Watched): string[] =>
	own.simulator.state.executions
		.all()
		.flatMap(({ files }) => files.map(({ fileName }) => fileName));

const untilTenSent = async (watched: Watched) =>
	until(() => sentIn(watched).length >= NUMBERS.length);

/** Waits until each of the ten documents was sent, and then for a time in which a forced trigger connects twice. */
async function expectEachSentOnce(watched: Watched): Promise<void> {
	const { own, workflowId } = watched;
	await untilTenSent(watched);
	await sleep(2.5 * SOON * MINUTE);
	expect(sentIn(watched).sort()).toEqual(NUMBERS.map((number) => `${number}.txt`));
	const executions = await Promise.all(
		(await own.client.executionIds(workflowId)).map(async (id) => own.client.waitForExecution(id)),
	);
	for (const each of executions) expectSuccess(each, []);
}
