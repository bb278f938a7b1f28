/** Receives progress, one sentence at a time. */
export type Report = (sentence: string) => void;

/** Drops progress. */
export const silent: Report = () => undefined;

/** A failure that a person can fix: what is wrong, and what to do. */
export class Trouble extends Error {
	constructor(
		readonly what: string,
		readonly remedy: string,
	) {
		super(`${what}\n${remedy}`);
		this.name = 'Trouble';
	}
}

/** Elapsed time as text: `45 s`, `2 min 05 s`. */
export function elapsed(milliseconds: number): string {
	const seconds = Math.round(milliseconds / 1000);
	if (seconds < 60) return `${seconds} s`;
	return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`;
}
