import Table from 'cli-table3';
import { FAULTS, VERDICTS, type Verdict } from './books';
import type { Figures } from './chaos';
import { OUTCOMES, type EndFigures, type Named } from './kill';
import type { QueueWorld } from '../e2e/support';

/** The figures of a part. */
export interface Section {
	title: string;
	rows: Array<[what: string, figure: string | number]>;
	/** What must not happen. */
	findings: string[];
}

export interface Sizes {
	/** Documents of `executions`. */
	documents: number;
	/** Events of `pairs`. */
	pairs: number;
	/** In a row, of each part that restarts n8n. */
	restarts: number;
}

/** What a part works with. */
export interface PartOptions extends Sizes {
	seed: number;
	/** All that n8n has logged. */
	log: () => string;
	report: (sentence: string) => void;
}

export type Part = (world: QueueWorld, options: PartOptions) => Promise<Section>;

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;

export function seconds(milliseconds: number): string {
	return `${(milliseconds / SECOND).toFixed(0)} s`;
}

/** The n8n executions that a log says were put into the queue. */
export function enqueuedIn(log: string): string[] {
	return [...new Set([...log.matchAll(/Enqueued execution (\d+) /g)].map(([, id = '']) => id))];
}

/** Prints the figures and the findings; returns whether all is as it must be. */
export function printChaos(figures: Figures): boolean {
	const names = Object.keys(VERDICTS) as Verdict[];
	const sums = new Map<Verdict, number>();
	for (const counts of figures.verdicts.values())
		for (const [verdict, count] of counts) sums.set(verdict, (sums.get(verdict) ?? 0) + count);
	const used = names.filter((name) => FAULTS.includes(name) || (sums.get(name) ?? 0) > 0);
	const ways = new Table({ head: ['How documents were sent', ...used], style: STYLE });
	for (const [way, counts] of figures.verdicts)
		ways.push([way, ...used.map((name) => counts.get(name) ?? 0)]);
	ways.push(['all', ...used.map((name) => sums.get(name) ?? 0)]);
	console.log(ways.toString());
	for (const name of used) console.log(`  ${name}: n8n says ${VERDICTS[name]}`);

	const faults = new Table({ head: ['What went wrong', 'times'], style: STYLE });
	for (const row of [...figures.faults].sort()) faults.push(row);
	console.log(faults.toString());
	const { strangers, requests, seconds } = figures;
	const total = [...sums.values()].reduce((sum, count) => sum + count, 0);
	console.log(
		[
			`${total} documents and ${requests} requests in ${seconds.toFixed(0)} s`,
			`requests that followed a redirect to another host: ${strangers.requests}`,
			`requests over a certificate that is not trusted: ${strangers.selfSigned}`,
			`tokens or secrets at another host: ${strangers.leaks}; in outputs, errors and the log of n8n: ${strangers.leaksInN8n}`,
			...FAULTS.map((verdict) => `${VERDICTS[verdict].split(':')[0]}: ${sums.get(verdict) ?? 0}`),
			...figures.findings,
		].join('\n'),
	);
	return isFine(figures);
}

/** Whether nothing was lost, doubled without mark, mixed up or leaked. */
export function isFine({ findings, strangers }: Figures): boolean {
	const { leaks, leaksInN8n, selfSigned } = strangers;
	return findings.length + leaks + leaksInN8n + selfSigned === 0;
}

/** Prints how the waits came out when n8n was ended; returns whether all is as it must be. */
export function printEnds(figures: EndFigures): boolean {
	const { ends, atStarts, met, unmet, lost, doubled, mails, seconds } = figures;
	const table = new Table({ head: ['What the wait did', ...OUTCOMES], style: STYLE });
	const row = (named: Named) => OUTCOMES.map((outcome) => named.get(outcome)?.length ?? 0);
	const rows = [...met.values()].map(row);
	for (const [moment, named] of met) table.push([moment, ...row(named)]);
	const sum = (column: number) => rows.reduce((total, counts) => total + (counts[column] ?? 0), 0);
	table.push(['all that were met', ...OUTCOMES.map((_, column) => sum(column))]);
	table.push(['not met', ...row(unmet)]);
	const each = [...met].flatMap(([moment, named]) =>
		[...named].map(([outcome, names]) => `  ${moment}, ${outcome}: ${names.join(', ')}`),
	);
	console.log(
		[
			`n8n was ended ${ends + atStarts} times in ${seconds.toFixed(0)} s, ${atStarts} of them within half a minute of a start; ${mails} mails`,
			table.toString(),
			...each,
			...lost.map((about) => `lost: ${about}`),
			`doubled: ${doubled.length}`,
			...doubled,
		].join('\n'),
	);
	return lost.length + doubled.length === 0;
}

/** Prints the figures of a part of queue mode; returns whether all is as it must be. */
export function printSection({ title, rows, findings }: Section): boolean {
	const table = new Table({ style: STYLE });
	table.push(...rows);
	console.log([title, table.toString(), ...findings].join('\n'));
	return findings.length === 0;
}

const STYLE = { head: [], border: [], compact: true };
