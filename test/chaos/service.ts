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

/** Creates take a while, so that a kill meets some of them. */
export function slowCreatesDown({ simulator }: World): void {
	for (const [every, milliseconds] of [
		[1, 150],
		[2, 500],
		[5, 1_500],
	] as const)
		simulator.state.faults.add({
			route: 'create',
			requests: { every },
			action: { type: 'delay', milliseconds },
		});
}
