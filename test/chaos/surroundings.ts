/** The service with all that stands around it in a chaos: the network, other hosts, and n8n's clock. */
import { startSimulator, type Simulator, type SimulatorConfiguration } from '../../simulator';
import { storeCredential, type World } from '../e2e/support';
import { CASE } from './service';
import { connectionFaults } from './plan';
import { startProxy, type Proxy } from '../../harness/proxy';
import { SERVICE_WORKFLOWS, type Address } from './ways';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { generate } from 'selfsigned';

const NO_SUCH_HOST = 'https://no-such-host.invalid';
const CONFIGURATION: SimulatorConfiguration = {
	clients: [{ clientId: 'chaos', clientSecret: 'made-up-secret-of-the-chaos' }],
	workflows: [
		{ workflowId: SERVICE_WORKFLOWS.quick, duration: { medianSeconds: 1 }, steps: [CASE] },
		{
			workflowId: SERVICE_WORKFLOWS.failing,
			duration: { fixedSeconds: 0.5 },
			failWith: { error: 'The document has no pages.' },
		},
		{ workflowId: SERVICE_WORKFLOWS.slow, duration: { fixedSeconds: 3600 }, steps: [CASE] },
	],
};

export interface Surroundings {
	simulator: Simulator;
	network: Proxy;
	other: OtherHost;
	selfSigned: Omit<OtherHost, 'leaks'>;
	/** n8n with a credential for each address. */
	worlds: Record<Address, World>;
	stop: () => Promise<void>;
}

export async function surround(world: World, seed: number): Promise<Surroundings> {
	const simulator = await startSimulator({ configuration: { ...CONFIGURATION, seed } });
	const { productionUrl, state } = simulator;
	const secret = state.clients[0]?.clientSecret ?? '';
	const network = await startProxy(productionUrl, connectionFaults(seed));
	const other = await startOtherHost(secret);
	const selfSigned = await startSelfSigned();
	const at = async (url: string): Promise<World> => {
		const service = { ...simulator, productionUrl: url };
		return { ...world, simulator, credential: await storeCredential(world.client, service) };
	};
	return {
		...{ simulator, network, other, selfSigned },
		worlds: {
			service: await at(network.url),
			unknownHost: await at(NO_SUCH_HOST),
			selfSigned: await at(selfSigned.url),
		},
		stop: async () => {
			await network.stop();
			await simulator.stop();
			await Promise.all([other.stop(), selfSigned.stop()]);
		},
	};
}

/** The clock of n8n, which can be set right again. */
export function movable({ clock }: World) {
	let ahead = 0;
	const move = async (milliseconds: number) => {
		ahead += milliseconds;
		await clock.move(milliseconds);
	};
	const restore = async () => (ahead === 0 ? undefined : move(-ahead));
	return { move, look: clock.look, restore };
}

/** A host other than the service's. It records what comes. */
interface OtherHost {
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
async function startOtherHost(secret: string): Promise<OtherHost> {
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
async function startSelfSigned(): Promise<Omit<OtherHost, 'leaks'>> {
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
