/**
 * n8n in queue mode as people run it: PostgreSQL, Redis, main, two webhook processes behind a balancer, and three workers, each with a user
 * folder of its own.
 */
import { installN8n, installNode, type Line } from '../../../harness/install';
import { DEPLOYED, startQueue } from '../../../harness/n8n-queue';
import { packPackage } from '../../../harness/pack';
import { FOR_BURSTS } from '../../e2e/lines';
import { startWorld, type QueueWorld } from '../../e2e/support';
import { executions } from './executions';
import { memory } from './memory';
import { pairs } from './pairs';
import { RESTART_PARTS } from './restarts';
import type { Part, Section, Sizes } from '../print';
import { tokens } from './tokens';

/** In this order. */
const PARTS = { executions, pairs, tokens } satisfies Record<string, Part>;
/** Starts n8n itself, for each store of files. */
const MEMORY = 'memory';
/** All parts that restart n8n. They run only by name. */
const RESTART = 'restart';
const NAMES = [...Object.keys(PARTS), MEMORY, RESTART, ...Object.keys(RESTART_PARTS)];

export interface QueueOptions extends Sizes {
	line: Line;
	seed: number;
	/** Further settings of n8n, as `NAME=value`. */
	env: string[];
	/** Names of parts; all of them if there are none. */
	wanted: string[];
	report: (sentence: string) => void;
	/** Called as soon as a part has ended. */
	onSection: (section: Section) => void;
}

export async function runQueue({
	line,
	wanted,
	env: given,
	onSection,
	...options
}: QueueOptions): Promise<void> {
	const isWanted = (name: string) => wanted.length === 0 || wanted.includes(name);
	const unknown = wanted.filter((name) => !NAMES.includes(name));
	if (unknown.length > 0) throw new Error(`${unknown.join(', ')}: choose from ${NAMES.join(', ')}`);
	// n8n's own log in the tests loses its oldest part.
	const written: string[] = [];
	const onOutput = (text: string) => void written.push(text);
	const log = () => written.join('');
	const further = Object.fromEntries(given.map((each) => each.split('=', 2) as [string, string]));
	const withQueue = async <T>(env: NodeJS.ProcessEnv, work: (world: QueueWorld) => Promise<T>) => {
		const settings = {
			N8N_LOG_LEVEL: 'info',
			...FOR_BURSTS[line],
			...STORE[line],
			...further,
			...env,
		};
		const world = await startWorld(line, settings, async (given) =>
			startQueue({ ...given, onOutput }, DEPLOYED),
		);
		try {
			return await work(world);
		} finally {
			await world.stop();
		}
	};
	const restarts = Object.entries(RESTART_PARTS).filter(
		([name]) => wanted.includes(RESTART) || wanted.includes(name),
	);
	const parts = [...Object.entries(PARTS).filter(([name]) => isWanted(name)), ...restarts];
	await installNode(options.report);
	await installN8n(line, options.report);
	await packPackage({ report: options.report });
	if (parts.length > 0)
		await withQueue({}, async (world) => {
			for (const [, part] of parts) onSection(await part(world, { ...options, log }));
		});
	if (isWanted(MEMORY)) onSection(await memory(withQueue, options.report));
}

/** Where n8n keeps files by default in queue mode. */
const STORE: Record<Line, NodeJS.ProcessEnv> = {
	'n8n-1': { N8N_DEFAULT_BINARY_DATA_MODE: 'default' },
	'n8n-2': { N8N_DEFAULT_BINARY_DATA_MODE: 'database' },
};
