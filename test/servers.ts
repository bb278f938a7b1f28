/** Servers of tests, on a free port of this machine. */
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { Server as TlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

export interface Listening {
	url: string;
	stop: () => Promise<void>;
}

export async function startHandler(handler: RequestListener): Promise<Listening> {
	return listening(createServer(handler), 'http');
}

export async function listening(
	server: Server | TlsServer,
	protocol: 'http' | 'https',
): Promise<Listening> {
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	const stop = async (): Promise<void> => {
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
	};
	return { url: `${protocol}://127.0.0.1:${port}`, stop };
}

export async function textOf(message: IncomingMessage): Promise<string> {
	const chunks: Buffer[] = [];
	for await (const chunk of message as AsyncIterable<Buffer>) chunks.push(chunk);
	return Buffer.concat(chunks).toString('utf8');
}
