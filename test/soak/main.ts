/**
 * `npm run test:soak -- [--minutes <number>] [--line n8n-1 | n8n-2]`: gives a real n8n mixed work at an even rate, and prints
 * how it ended, and how memory, handles and disk grew. The exit code is 0 only if no work was lost or failed unexpectedly, and
 * nothing grew more than it may.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from '../../harness/pack';
import { lineNamed, withWorld } from '../chaos/service';
import { printSoak } from './print';
import { runSoak } from './soak';

/** n8n keeps the last 300 n8n executions, so that the database does not grow with each. */
const PRUNED: NodeJS.ProcessEnv = {
	EXECUTIONS_DATA_PRUNE_MAX_COUNT: '300',
	EXECUTIONS_DATA_HARD_DELETE_BUFFER: '0', // hours
	EXECUTIONS_DATA_PRUNE_SOFT_DELETE_INTERVAL: '1', // minutes
	EXECUTIONS_DATA_PRUNE_HARD_DELETE_INTERVAL: '1',
};

async function main(): Promise<void> {
	const { values } = parseArgs({
		options: {
			minutes: { type: 'string', default: '30' },
			line: { type: 'string', default: 'n8n-2' },
		},
	});
	const minutes = Number(values.minutes);
	const report = (sentence: string) => console.error(sentence);
	const env = {
		...PRUNED,
		N8N_METRICS: 'true',
		N8N_LOG_LEVEL: 'info',
		NODE_OPTIONS: `--require=${join(ROOT, 'test', 'soak', 'collect.cjs')}`,
	};
	const figures = await withWorld({ line: lineNamed(values.line), env, report }, async (world) =>
		runSoak(world, { minutes, report }),
	);
	if (!printSoak(figures, minutes)) process.exitCode = 1;
}

void main();
