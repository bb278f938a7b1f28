import { createServer, connect, type Socket } from 'node:net';
import type { MailServer } from '../../harness/mail-server';
import { HOST } from '../../harness/server';
import { template, withProbes, withService } from './templateRuns';
import type { World } from './support';

/** What a mail client needs to know of a mailbox. */
export type Mailbox = Pick<MailServer, 'host' | 'port' | 'user' | 'password'>;

/**
 * Imports the example "IMAP mailbox", or another one with its trigger, and chooses the credentials, as its note says; the messages are only
 * noted. `minutes` are those between two connections. Returns the id of the workflow.
 */
export async function importMailbox(
	world: World,
	{ host, port, user, password }: Mailbox,
	minutes?: number,
	example = 'imap-mailbox',
): Promise<string> {
	const imap = {
		name: 'IMAP account',
		type: 'imap',
		data: { host, port, user, password, secure: false, allowUnauthorizedCerts: false },
	};
	const id = await world.client.createCredential(imap);
	expect(await world.client.testCredential(id, imap)).toMatchObject({ status: 'OK' });
	const workflow = withProbes(withService(world, template(example)));
	const nodes = workflow.nodes.map((each) => {
		if (each.name !== 'Watch the Mailbox') return each;
		const { options } = each.parameters as { options: Record<string, unknown> };
		const forceReconnect = minutes ?? options.forceReconnect;
		const parameters = { ...each.parameters, options: { ...options, forceReconnect } };
		return { ...each, parameters, credentials: { imap: { id, name: imap.name } } };
	});
	return world.client.createWorkflow({ ...workflow, nodes, pinData: {} });
}

/** A line to a server that can break without a word, as when a router forgets a connection: what is open then passes nothing any more. */
export interface BreakableLine {
	port: number;
	/** Connections that are made later work again. */
	breakNow: () => void;
	stop: () => Promise<void>;
}

export async function startBreakableLine(port: number): Promise<BreakableLine> {
	const open = new Set<Socket>();
	const keep = (socket: Socket) => {
		open.add(socket);
		socket.on('error', () => undefined).once('close', () => open.delete(socket));
	};
	const server = createServer((client) => {
		const behind = connect(port, HOST);
		for (const socket of [client, behind]) keep(socket);
		client.pipe(behind).pipe(client);
		client.once('close', () => behind.destroy());
	});
	await new Promise<void>((resolve) => server.listen(0, HOST, resolve));
	const address = server.address();
	return {
		port: typeof address === 'object' && address ? address.port : 0,
		breakNow: () => {
			for (const socket of open) socket.unpipe().pause();
		},
		stop: async () => {
			for (const socket of open) socket.destroy();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
