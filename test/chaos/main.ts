/**
 * `npm run test:chaos -- [kill] [--seed <number>] [--documents <number>] [--rounds <number>]`: sends documents through a real n8n while everything around
 * it misbehaves, or kills n8n, and prints what became of each document. The exit code is 0 only if nothing was lost, doubled without
 * mark, or leaked.
 */
import { parseArgs } from 'node:util';
import { installN8n, installNode } from '../../harness/install';
import { startN8n } from '../../harness/n8n';
import { packPackage } from '../../harness/pack';
import { startWorld, type World } from '../e2e/support';
import { runChaos, type ChaosOptions } from './chaos';
import { collector, runKills } from './kill';
import { printChaos, printKills } from './print';

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
		},
	});
	const seed = Number(values.seed);
	const report = (sentence: string) => console.error(sentence);
	await installNode(report);
	await installN8n('n8n-2', report);
	await packPackage({ report });
	console.log(`seed ${seed}`);
	const { onOutput, log } = collector();
	const world = await startWorld('n8n-2', { N8N_LOG_LEVEL: 'info' }, async (options) =>
		startN8n({ ...options, onOutput }),
	);
	try {
		const isFine = positionals.includes('kill')
			? printKills(await runKills(world, { seed, rounds: Number(values.rounds), log, report }))
			: await chaos(world, { seed, documents: Number(values.documents), report });
		if (!isFine) process.exitCode = 1;
	} finally {
		await world.stop();
	}
	console.log(`seed ${seed}`);
}

async function chaos(world: World, options: Omit<ChaosOptions, 'long'>): Promise<boolean> {
	return printChaos(await runChaos(world, { ...options, long: options.documents >= LONG }));
}

void main();
