/**
 * `npm run test:chaos -- [kill] [--seed <number>] [--documents <number>] [--rounds <number>] [--line n8n-1 | n8n-2]`: sends documents through
 * a real n8n while everything around it misbehaves, or kills n8n, and prints what became of each document. The exit code is 0 only if
 * nothing was lost, doubled without mark, or leaked.
 */
import { parseArgs } from 'node:util';
import type { World } from '../e2e/support';
import { runChaos, type ChaosOptions } from './chaos';
import { collector, runKills } from './kill';
import { printChaos, printKills } from './print';
import { lineNamed, withWorld } from './world';

/** From so many documents on, faults that last for minutes belong to it. */
const LONG = 1_000;

async function main(): Promise<void> {
	const { values, positionals } = parseArgs({
		args: process.argv.slice(2),
		allowPositionals: true,
		options: {
			seed: { type: 'string', default: process.env.CHAOS_SEED ?? String(Date.now() % 1_000_000) },
			documents: { type: 'string', default: '2000' },
			rounds: { type: 'string', default: '200' },
			line: { type: 'string', default: 'n8n-2' },
		},
	});
	const seed = Number(values.seed);
	const report = (sentence: string) => console.error(sentence);
	console.log(`seed ${seed}`);
	const { onOutput, log } = collector();
	const wanted = { line: lineNamed(values.line), env: { N8N_LOG_LEVEL: 'info' }, report, onOutput };
	const isFine = await withWorld(wanted, async (world) =>
		positionals.includes('kill')
			? printKills(await runKills(world, { seed, rounds: Number(values.rounds), log, report }))
			: chaos(world, { seed, documents: Number(values.documents), report }),
	);
	if (!isFine) process.exitCode = 1;
	console.log(`seed ${seed}`);
}

async function chaos(world: World, options: Omit<ChaosOptions, 'long'>): Promise<boolean> {
	return printChaos(await runChaos(world, { ...options, long: options.documents >= LONG }));
}

void main();
