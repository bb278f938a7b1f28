import Table from 'cli-table3';
import { FAULTS, VERDICTS, type Verdict } from './books';
import type { Figures } from './chaos';
import type { KillFigures } from './kill';
import type { Section } from './queue/section';

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
			`data of results downloaded from another host: ${strangers.downloads} times`,
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

/** Prints the figures of kills; returns whether all is as it must be. */
export function printKills(figures: KillFigures): boolean {
	const { kills, rounds, started, found, lost, doubled, documents, seconds } = figures;
	const { sentAfterwards, withOwnData } = figures;
	const table = new Table({ style: STYLE });
	const met = [...rounds.values()].reduce((sum, count) => sum + count, 0);
	table.push(['n8n was killed', `${kills} times in ${seconds.toFixed(0)} s`]);
	table.push(['n8n executions that a kill met', met]);
	for (const [kind, count] of rounds) table.push([`  ${kind}`, count]);
	table.push(['documents', documents]);
	table.push(['executions that the service has started', started]);
	table.push(['  found in the output of n8n', found.output]);
	table.push(["  found in n8n's log", found.log]);
	table.push(['  found by the search for the External ID', found.search]);
	table.push(['  lost', lost.length]);
	table.push(['documents that were started twice', doubled.length]);
	table.push(['documents that had not been sent, and were sent afterwards', sentAfterwards]);
	table.push(['documents with their own data at the end', withOwnData]);
	console.log([table.toString(), ...lost, ...doubled].join('\n'));
	return lost.length + doubled.length === 0 && withOwnData === documents;
}

/** Prints the figures of a part of queue mode; returns whether all is as it must be. */
export function printSection({ title, rows, findings }: Section): boolean {
	const table = new Table({ style: STYLE });
	table.push(...rows);
	console.log([title, table.toString(), ...findings].join('\n'));
	return findings.length === 0;
}

const STYLE = { head: [], border: [], compact: true };
