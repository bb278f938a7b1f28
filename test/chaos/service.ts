/** What the parts of a chaos share: a service of its own, n8n for the work, and many at the same time. */
import { startSimulator, type SimulatorConfiguration } from '../../simulator';
import { storeCredential, startWorld, type World } from '../e2e/support';
import { installN8n, installNode, type Line } from '../../harness/install';
import { startN8n } from '../../harness/n8n';
import { packPackage } from '../../harness/pack';
import type { Report } from '../../harness/report';

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

export function increase(counts: Map<string, number>, name: string): void {
	counts.set(name, (counts.get(name) ?? 0) + 1);
}

/** Works on all, so many at the same time. */
export async function inTurns<T>(
	all: T[],
	atOnce: number,
	work: (one: T) => Promise<unknown>,
): Promise<void> {
	const left = [...all];
	await Promise.all(
		Array.from({ length: atOnce }, async () => {
			for (let next = left.shift(); next !== undefined; next = left.shift()) await work(next);
		}),
	);
}

interface Wanted {
	line: Line;
	env: NodeJS.ProcessEnv;
	report: Report;
}

/** A line of n8n by its name on the command line. */
export function lineNamed(name: string): Line {
	if (name === 'n8n-1' || name === 'n8n-2') return name;
	throw new Error(`There is no line "${name}", only n8n-1 and n8n-2.`);
}

/** Installs what is missing, starts n8n with the package of the sources, and ends it after the work. */
export async function withWorld<T>(
	{ line, env, report }: Wanted,
	work: (world: World) => Promise<T>,
): Promise<T> {
	await installNode(report);
	await installN8n(line, report);
	await packPackage({ report });
	const world = await startWorld(line, env, startN8n);
	try {
		return await work(world);
	} finally {
		await world.stop();
	}
}
