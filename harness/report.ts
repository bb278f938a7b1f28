/** Hears what is being done, one plain sentence at a time. */
export type Report = (sentence: string) => void;

/** A report that nobody hears. */
export const silent: Report = () => undefined;

/** Something went wrong that a person can mend: what is wrong, and what to do. */
export class Trouble extends Error {
	constructor(
		readonly what: string,
		readonly remedy: string,
	) {
		super(`${what}\n${remedy}`);
		this.name = 'Trouble';
	}
}

/** Elapsed time for people: `45 s`, `2 min 05 s`. */
export function elapsed(milliseconds: number): string {
	const seconds = Math.round(milliseconds / 1000);
	if (seconds < 60) return `${seconds} s`;
	return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`;
}
