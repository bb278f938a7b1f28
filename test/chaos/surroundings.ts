/** The service with all that stands around it in a chaos: the network, other hosts, and n8n's clock. */
import { startSimulator, type Simulator, type SimulatorConfiguration } from '../../simulator';
import { storeCredential, type World } from '../e2e/support';
import { startOtherHost, startSelfSigned, type OtherHost } from './hosts';
import { CASE } from './service';
import { connectionFaults } from './plan';
import { startProxy, type Proxy } from '../../harness/proxy';
import { SERVICE_WORKFLOWS, type Address } from './ways';

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
