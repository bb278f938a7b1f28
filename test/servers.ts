/** Servers of tests, on a free port of this machine. */
import {
	createServer,
	type IncomingMessage,
	type RequestListener,
	type Server,
	type IncomingHttpHeaders,
} from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { generate } from 'selfsigned';

export interface Listening {
	url: string;
	stop: () => Promise<void>;
}

export async function startHandler(handler: RequestListener): Promise<Listening> {
	return listening(createServer(handler), 'http');
}

async function listening(
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

export interface OtherServer extends Listening {
	/** Headers of each request. */
	seen: IncomingHttpHeaders[];
}

interface Answer {
	status?: number;
	headers?: Record<string, string>;
	body: string;
}

/** Gives the same answer to each request, and records its headers. */
export async function startServer({
	status = 200,
	headers = {},
	body,
}: Answer): Promise<OtherServer> {
	const seen: IncomingHttpHeaders[] = [];
	const server = await startHandler((request, response) => {
		seen.push(request.headers);
		response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
	});
	return { ...server, seen };
}

/** A server with a self-signed certificate. */
export async function startSelfSignedServer(): Promise<OtherServer> {
	const seen: IncomingHttpHeaders[] = [];
	const { cert, private: key } = await generate([{ name: 'commonName', value: '127.0.0.1' }], {
		keyType: 'ec',
	});
	const server = createTlsServer({ cert, key }, (request, response) => {
		seen.push(request.headers);
		response.end('{}');
	});
	return { ...(await listening(server, 'https')), seen };
}

/** A proxy that connects nothing, and answers with this status itself. */
export async function startRefusingProxy(status: number): Promise<Listening> {
	const server = createServer().on('connect', (_request, socket) => {
		socket.end(`HTTP/1.1 ${status} No\r\ncontent-type: text/html\r\ncontent-length: 3\r\n\r\n<p>`);
	});
	return listening(server, 'http');
}

/** A URL of this machine where nothing listens: no program gets this port by chance. */
export async function unusedAddress(): Promise<string> {
	return Promise.resolve('http://127.0.0.1:1');
}
