import { startSimulator, type SimulatorConfiguration } from '../../simulator';
import { storeCredential, type World } from '../e2e/support';

/** The data of a document: the case that it names. */
export const CASE = {
	stepName: 'case',
	fields: [{ name: 'case_number', labels: ['Case Number'] }],
};

/** The case in the data of an item. */
export function caseIn({ data }: Record<string, unknown>): string | undefined {
	const rows = (data as { case?: Array<{ case_number?: unknown }> } | undefined)?.case;
	const [row] = rows ?? [];
	return typeof row?.case_number === 'string' ? row.case_number : undefined;
}

export type ServiceConfiguration = Omit<SimulatorConfiguration, 'clients'>;

/** Works in the same n8n with a service of its own. */
export async function withService<W extends World, T>(
	given: W,
	configuration: ServiceConfiguration,
	work: (world: W) => Promise<T>,
): Promise<T> {
	const clients = [{ clientId: 'chaos', clientSecret: 'made-up-secret-of-the-chaos' }];
	const simulator = await startSimulator({ configuration: { ...configuration, clients } });
	try {
		const credential = await storeCredential(given.client, simulator);
		return await work({ ...given, simulator, credential });
	} finally {
		await simulator.stop();
	}
}

/** Creates and checks take a while, so that a kill meets some of them: each so manieth one, in milliseconds. */
const SLOW = [
	['create', 1, 150],
	['create', 2, 500],
	['create', 5, 1_500],
	['get', 2, 400],
	['get', 7, 3_000],
] as const;

export function slowDown({ simulator }: World, ...routes: Array<'create' | 'get'>): void {
	for (const [route, every, milliseconds] of SLOW)
		if (routes.includes(route))
			simulator.state.faults.add({
				...{ route, requests: { every }, action: { type: 'delay', milliseconds } },
			});
}
