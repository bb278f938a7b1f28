/** How waits that an end of n8n has met came out. */
import type { Counter } from '../e2e/counter';
import type { World } from '../e2e/support';
import { MOMENTS, nameOf, type Moment, type Wait } from './waits';

/**
 * `by itself`: its n8n execution has ended with its result, and nobody acted. `carried on`: Retry did it. `named`: a mail of the example
 * "Continue after a crash" has its document. `lost`: everything else.
 */
export const OUTCOMES = ['by itself', 'carried on', 'named', 'lost'] as const;
export type Outcome = (typeof OUTCOMES)[number];

export type Named = Map<Outcome, string[]>;

export interface Outcomes {
	/** The waits by what they did when n8n ended, the last time for those that were met twice. */
	met: Map<Moment, Named>;
	/** Those that no end has met. */
	unmet: Named;
	lost: string[];
	/** Whose document was sent twice, or for which the next node ran twice. */
	doubled: string[];
}

export async function outcomesOf(
	{ client, n8n, simulator }: World,
	waits: Wait[],
	counter: Counter,
): Promise<Outcomes> {
	const found: Outcomes = {
		met: new Map(MOMENTS.map((moment) => [moment, new Map()])),
		unmet: new Map(),
		lost: [],
		doubled: [],
	};
	const started = simulator.state.executions.all().map(nameOf);
	for (const { name, id, met } of waits) {
		const { status } = await client.execution(id);
		const times = counter.counts.get(name) ?? 0;
		const sent = started.filter((each) => each === name).length;
		const isNamed = isNamedIn(counter, name);
		const about = `${name} (n8n execution ${id}, ${status}, met while ${met ?? 'nothing'}): next node ${times}, sent ${sent}`;
		let outcome: Outcome = isNamed ? 'named' : 'lost';
		if (times > 0 && status === 'success') outcome = 'by itself';
		else if (times > 0 && !isNamed) outcome = 'carried on';
		if (outcome === 'lost') found.lost.push(about);
		if (times > 1 || sent > 1) {
			const lines = n8n.main.log().split('\n');
			const ofWait = lines.filter((line) => line.includes(`${name}.txt`));
			found.doubled.push([about, ...ofWait].join('\n  '));
		}
		const counted = met === undefined ? found.unmet : found.met.get(met);
		counted?.set(outcome, [...(counted.get(outcome) ?? []), name]);
	}
	return found;
}

/** How many have neither a result nor a mail. */
export function outcomesOpen(waits: Wait[], counter: Counter): number {
	return waits.filter(({ name }) => !counter.counts.has(name) && !isNamedIn(counter, name)).length;
}

const isNamedIn = (counter: Counter, name: string) =>
	counter.counted().messages.some(({ text }) => new RegExp(`\\b${name}\\.txt\\b`).test(text));
