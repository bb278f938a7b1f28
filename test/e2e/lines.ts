import { lineOf, type Line } from '../../harness/install';
import { startN8n, type N8nOptions } from '../../harness/n8n';
import { startQueue, type Layout } from '../../harness/n8n-queue';
import { leaksAtEnd } from '../leaks/remains';
import { startWorld, type QueueWorld, type World } from './support';

const START_TIMEOUT = 1_200_000; // milliseconds; only against a start that never ends: each n8n has a limit of its own

/** By default n8n creates an isolate for the expressions of each call and each n8n execution, about 15 a second on two cores. The docs name these settings. */
export const FOR_BURSTS: Record<Line, NodeJS.ProcessEnv> = {
	'n8n-1': { N8N_EXPRESSION_ENGINE: 'legacy' },
	'n8n-2': { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' },
};

/** How much of its tests a spec runs. */
export interface Scope {
	/** Only what n8n 1 and n8n 2 do differently, or what depends on code of n8n that differs. */
	differencesOnly: boolean;
	/** Large numbers and long waits, for `npm run test:long`. */
	long: boolean;
	/** Runs right after n8n has started, before the first test: for waits that run beside other tests. */
	atStart: (begin: () => void) => void;
}

/** Tests of one subject against a running n8n. */
export type Spec<W extends World = World> = (world: () => W, scope: Scope) => void;
/** The specs of a test file by name; the table of times at the end shows each. */
export type Specs<W extends World = World> = Record<string, Spec<W>>;
type Extent = Partial<Omit<Scope, 'atStart'>>;

/** Runs specs against one n8n of a line, which starts before the first test and ends after the last. */
export function describeLine(
	line: Line,
	specs: Specs,
	extent: Extent = {},
	env: NodeJS.ProcessEnv = {},
): void {
	describeWorld(line, async () => startWorld(line, env, startN8n), specs, extent);
}

/** The same against another version than that of the harness. */
export function describeVersion(version: string, specs: Specs): void {
	const line = lineOf(version);
	const start = async (options: N8nOptions) => startN8n({ ...options, version });
	// An older n8n ends at a module that it does not know.
	const env = { N8N_DISABLED_MODULES: undefined };
	describeWorld(`n8n ${version}`, async () => startWorld(line, env, start), specs, {});
}

/** The same against an n8n in queue mode: Redis, PostgreSQL, main, by default a webhook process and two workers. */
export function describeQueue(
	line: Line,
	specs: Specs<QueueWorld>,
	extent: Extent = {},
	layout?: Layout,
): void {
	describeWorld(
		`${line} in queue mode`,
		async () => startWorld(line, {}, async (options) => startQueue(options, layout)),
		specs,
		extent,
	);
}

function describeWorld<W extends World>(
	title: string,
	start: () => Promise<W>,
	specs: Specs<W>,
	{ differencesOnly = false, long = false }: Extent,
): void {
	describe(title, () => {
		let current: W | undefined;
		const world = (): W => {
			if (!current) throw new Error('n8n has not been started');
			return current;
		};
		const begins: Array<() => void> = [];
		const atStart = (begin: () => void) => void begins.push(begin);
		beforeAll(async () => {
			current = await start();
			for (const begin of begins) begin();
		}, START_TIMEOUT);
		beforeEach(() => reset(world()));
		afterAll(async () => current?.stop(), START_TIMEOUT);
		for (const [name, spec] of Object.entries(specs))
			describe(name, () => spec(world, { differencesOnly, long, atStart }));
		it('leaves no secret, token or signed URL in the log, the files, the database and the Redis of n8n', async () => {
			expect(await leaksAtEnd(world())).toEqual([]);
		});
	});
}

/** Resets settings, requests and faults of the service; executions and tokens stay. */
function reset({ simulator: { state } }: World): void {
	state.faults.clear();
	state.requests.clear();
	state.settings.change({ tokenLifetimeSeconds: 3600 });
}
