/**
 * `npm run test:mailroom -- [--seed <number>] [--passes calm,faults,kill] [--line n8n-1 | n8n-2] [--scale <number>]`: lets the
 * example "IMAP mailbox" read more than a hundred mails, and compares what comes out with what a careful broker wants. A planned
 * second of the service takes `scale` seconds. The exit code is 0 only if each mail came out once, as data or with its reason to a person.
 */
import { parseArgs } from 'node:util';
import { lineNamed, withWorld } from '../chaos/service';
import { mailbag } from './mails';
import { PASSES, runPass, type Passed } from './passes';
import { printPasses } from './print';

async function main(): Promise<void> {
	const { values } = parseArgs({
		options: {
			seed: { type: 'string', default: String(Date.now() % 1_000_000) },
			passes: { type: 'string', default: PASSES.join() },
			line: { type: 'string', default: 'n8n-2' },
			scale: { type: 'string', default: '0.1' },
		},
	});
	const [seed, scale] = [Number(values.seed), Number(values.scale)];
	const wanted = PASSES.filter((pass) => values.passes.split(',').includes(pass));
	if (wanted.length === 0) throw new Error(`There are only the passes ${PASSES.join()}.`);
	const report = (sentence: string) => console.error(sentence);
	console.log(`seed ${seed}`);
	const mails = await mailbag(seed);
	const env = { N8N_LOG_LEVEL: 'info' };
	const passes = await withWorld({ line: lineNamed(values.line), env, report }, async (world) => {
		const passed: Passed[] = [];
		for (const pass of wanted)
			passed.push(await runPass(world, mails, pass, { seed, scale, report }));
		return passed;
	});
	if (!printPasses(passes)) process.exitCode = 1;
}

void main();
