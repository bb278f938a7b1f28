/**
 * `npm run test:mailroom -- [--seed <number>] [--passes calm,faults,kill] [--line n8n-1 | n8n-2] [--scale <number>]`: lets the
 * example "IMAP mailbox" read more than a hundred mails, and compares what comes out with what a careful broker wants. A planned
 * second of the service takes `scale` seconds. The exit code is 0 only if each mail came out once, as data or with its reason to a person.
 */
import { parseArgs } from 'node:util';
import { lineNamed, withWorld } from '../chaos/service';
import { mailbag } from './mails';
import { PASSES, runPass, type Passed } from './passes';
import { tableOf } from '../../benchmarks/figures';
import { FINDINGS, type FindingName } from './judge';

/** Prints a table of the passes, and what is not as it should be; returns whether all is. */
export function printPasses(passes: Passed[]): boolean {
	const table = tableOf(['', ...passes.map(({ pass }) => pass)]);
	const row = (title: string, figure: (passed: Passed) => string | number) =>
		table.push([title, ...passes.map(figure)]);
	row('mails that ended as they should', ({ right, mails }) => `${right} of ${mails}`);
	row('documents that were sent once', ({ sentOnce, documents }) => `${sentOnce} of ${documents}`);
	row('mails that need a person, and came to one', (each) => `${each.flagged} of ${each.doubtful}`);
	for (const [name, title] of Object.entries(FINDINGS) as Array<[FindingName, string]>)
		row(title, ({ findings }) => findings.filter((each) => each.name === name).length);
	row('left to do by hand, with what to do', ({ byHand }) => byHand.length);
	row('from the result to its row, median and longest', ({ delays }) =>
		[delays[Math.floor(delays.length / 2)], delays.at(-1)]
			.map((each) => `${((each ?? 0) / 1_000).toFixed(0)} s`)
			.join(', '),
	);
	row('it took', ({ seconds }) => `${seconds.toFixed(0)} s`);
	const lines = passes.flatMap(({ pass, executions, findings, byHand }) => [
		...[...executions].map(([status, count]) => `${pass}: n8n executions, ${count} ${status}`),
		...findings.map(({ name, mail, about }) => `${pass}: ${name}, ${mail}, ${about}`),
		...byHand.map(({ file, told }) => `${pass}: by hand, ${file.name}: ${told.slice(0, 400)}`),
	]);
	console.log([table.toString(), ...lines].join('\n'));
	return passes.every(({ findings }) => findings.length === 0);
}

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
