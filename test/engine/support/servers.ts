/** Servers on this machine other than the service. */
import type { IncomingHttpHeaders } from 'node:http';
import { createServer } from 'node:https';
import { generate } from 'selfsigned';
import { listening, startHandler, type Listening } from '../../servers';

export interface OtherServer extends Listening {
	/** Headers of each request. */
	seen: IncomingHttpHeaders[];
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
	const server = createServer({ cert, key }, (request, response) => {
		seen.push(request.headers);
		response.end('{}');
	});
	return { ...(await listening(server, 'https')), seen };
}

/** A URL of this machine where nothing listens: no program gets this port by chance. */
export async function unusedAddress(): Promise<string> {
	return Promise.resolve('http://127.0.0.1:1');
}
