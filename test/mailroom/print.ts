import { tableOf } from '../../benchmarks/figures';
import { FINDINGS, type FindingName } from './judge';
import type { Passed } from './passes';

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
