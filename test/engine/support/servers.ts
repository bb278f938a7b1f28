/** Servers on this machine other than the service. */
import {
	createServer,
	type IncomingHttpHeaders,
	type RequestListener,
	type Server,
} from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { generate } from 'selfsigned';

export interface OtherServer {
	url: string;
	/** Headers of each request. */
	seen: IncomingHttpHeaders[];
	stop: () => Promise<void>;
}

export interface Answer {
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
	const server = createServer((request, response) => {
		seen.push(request.headers);
		response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
	});
	return { ...(await listening(server, 'http')), seen };
}

/** A server with any handler. */
export async function startHandler(handler: RequestListener): Promise<Omit<OtherServer, 'seen'>> {
	return listening(createServer(handler), 'http');
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

/** A URL of this machine where nothing listens: no program gets this port by chance. */
export async function unusedAddress(): Promise<string> {
	return Promise.resolve('http://127.0.0.1:1');
}

async function listening(
	server: Server | TlsServer,
	protocol: 'http' | 'https',
): Promise<Omit<OtherServer, 'seen'>> {
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	const stop = async (): Promise<void> => {
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
	};
	return { url: `${protocol}://127.0.0.1:${port}`, stop };
}
