import type { QueueWorld } from '../../e2e/support';

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
	/** n8n executions of `pauses`. */
	pauses: number;
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
