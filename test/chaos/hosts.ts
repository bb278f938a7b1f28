import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { generate } from 'selfsigned';

/** A host other than the service's. It records what comes. */
export interface OtherHost {
	url: string;
	/** How many requests have come. */
	requests: () => number;
	/** How many of them had a token or the client secret, anywhere. */
	leaks: () => number;
	stop: () => Promise<void>;
}

const JWT = /eyJ[\w-]+\.(eyJ[\w-]+)\.[\w-]+/g;

/** Whether a text has an access token of the simulated service, or the client secret. n8n has tokens of its own. */
export function hasSecret(text: string, secret: string): boolean {
	const claims = [...text.matchAll(JWT)].map(([, part = '']) => Buffer.from(part, 'base64url'));
	return (
		text.includes(secret) || claims.some((each) => each.includes('document-workflow-simulator'))
	);
}

/** Starts a host under another name than the service: `localhost`. It answers 200. */
export async function startOtherHost(secret: string): Promise<OtherHost> {
	let requests = 0;
	let leaks = 0;
	const server = createServer((request, response) => {
		requests++;
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('error', () => undefined);
		request.on('close', () => {
			const text = [request.url, ...request.rawHeaders, Buffer.concat(chunks).toString('latin1')];
			const all = text.join('\n');
			if (request.headers.authorization !== undefined || hasSecret(all, secret)) leaks++;
		});
		request.on('end', () => void response.end('{}'));
	});
	// IPv6 too: the name leads to both.
	await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
	return {
		url: `http://localhost:${(server.address() as AddressInfo).port}`,
		requests: () => requests,
		leaks: () => leaks,
		stop: async () => new Promise((resolve) => server.close(() => resolve())),
	};
}

/** A host with a certificate that n8n does not trust. It records how many requests come all the same. */
export async function startSelfSigned(): Promise<Omit<OtherHost, 'leaks'>> {
	let requests = 0;
	const { cert, private: key } = await generate([{ name: 'commonName', value: '127.0.0.1' }], {
		keyType: 'ec',
	});
	const server = createTlsServer({ cert, key }, (_request, response) => {
		requests++;
		response.end('{}');
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
		requests: () => requests,
		stop: async () => new Promise((resolve) => server.close(() => resolve())),
	};
}
