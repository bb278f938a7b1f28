/**
 * `npm run test:chaos -- [kill | restart | stop | overdue [share…] | queue [part…]] [--seed <number>] [--documents <number>] [--rounds <number>] [--line n8n-1 | n8n-2] …`:
 * sends documents through a real n8n while everything around it misbehaves, or kills, restarts or stops n8n, or starts it when pauses are overdue,
 * or runs n8n in queue mode, and prints how each document ended. The exit code is 0 only if nothing was lost, doubled without mark, or leaked.
 */
import { parseArgs } from 'node:util';
import type { World } from '../e2e/support';
import { runChaos, type ChaosOptions } from './chaos';
import { runEnds } from './kill';
import { runOverdue, SHARES, type OverdueOptions } from './overdue';
import { printChaos, printEnds, printSection } from './print';
import { runQueue, type QueueOptions } from './queue/run';
import { lineNamed, withWorld } from './service';
import { runStop } from './stop';

/** From so many documents on, faults that last for minutes belong to it. */
const LONG = 1_000;

/** How n8n is ended. */
const SIGNALS: Record<string, 'SIGKILL' | 'SIGTERM'> = { kill: 'SIGKILL', restart: 'SIGTERM' };

async function main(): Promise<void> {
	const { values, positionals } = parseArgs({
		args: process.argv.slice(2),
		allowPositionals: true,
		options: {
			seed: { type: 'string', default: process.env.CHAOS_SEED ?? String(Date.now() % 1_000_000) },
			documents: { type: 'string', default: '2000' },
			rounds: { type: 'string', default: '100' },
			line: { type: 'string', default: 'n8n-2' },
			env: { type: 'string', multiple: true, default: [] },
			pairs: { type: 'string', default: '1000' },
			waits: { type: 'string', default: '200' },
			delay: { type: 'string', multiple: true, default: ['10', '75', '200'] },
			kills: { type: 'string', default: '1' },
			restarts: { type: 'string', default: '3' },
		},
	});
	const [kind, ...parts] = positionals;
	const line = lineNamed(values.line);
	const report = (sentence: string) => console.error(sentence);
	const shared = { seed: Number(values.seed), documents: Number(values.documents), report };
	console.log(`seed ${shared.seed}`);
	const sizes = {
		pairs: Number(values.pairs),
		restarts: Number(values.restarts),
	};
	const signal = kind === undefined ? undefined : SIGNALS[kind];
	const wanted = { line, env: { N8N_LOG_LEVEL: 'info' }, report };
	const inWorld = async (world: World): Promise<boolean> => {
		if (kind === 'overdue') {
			const waits = { waits: Number(values.waits), kills: Number(values.kills) };
			return overdue(world, { ...shared, ...waits }, parts, values.delay);
		}
		if (kind === 'stop') return stop(world, shared.seed);
		if (signal === undefined) return chaos(world, shared);
		return printEnds(await runEnds(world, { ...shared, rounds: Number(values.rounds), signal }));
	};
	const isFine =
		kind === 'queue'
			? await queue({ ...shared, ...sizes, line, wanted: parts, env: values.env })
			: await withWorld(wanted, inWorld);
	if (!isFine) process.exitCode = 1;
	console.log(`seed ${shared.seed}`);
}

async function chaos(world: World, options: Omit<ChaosOptions, 'long'>): Promise<boolean> {
	return printChaos(await runChaos(world, { ...options, long: options.documents >= LONG }));
}

/** Each delay of the start, in seconds, with each share of pauses that are overdue. */
async function overdue(
	world: World,
	options: Omit<OverdueOptions, 'loops' | 'due' | 'delay'>,
	shares: string[],
	delays: string[],
): Promise<boolean> {
	let isFine = true;
	for (const delay of delays)
		for (const share of shares.length > 0 ? shares : Object.keys(SHARES)) {
			const due = SHARES[share]?.(options.waits) ?? options.waits;
			const loops = Math.ceil(options.waits / 4);
			const run = { ...options, loops, due, delay: Number(delay) * 1_000 };
			isFine = printSection(await runOverdue(world, run)) && isFine;
		}
	return isFine;
}

/** The way of docs/waiting.md comes last. */
async function stop(world: World, seed: number): Promise<boolean> {
	printSection(await runStop(world, seed, false));
	return printSection(await runStop(world, seed, true));
}

async function queue(options: Omit<QueueOptions, 'onSection'>): Promise<boolean> {
	let isFine = true;
	await runQueue({
		...options,
		onSection: (section) => {
			isFine = printSection(section) && isFine;
		},
	});
	return isFine;
}

void main();
