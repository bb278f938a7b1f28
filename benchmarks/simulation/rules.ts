import type { Sighting } from './measures';

/** When to look next, in seconds since the start: by the time of the last look, and how many there were. */
type Rule = (lastLook: number, looks: number) => number;

/** In proportion to the time waited, of which nothing else is known. */
export const PLAIN_RULE: Rule = (lastLook) => lastLook + Math.min(Math.max(0.15 * lastLook, 5), 60);

/** The yardsticks: what is commonly done. */
export const RULES: Record<string, Rule> = {
	'every 5 s': (lastLook) => lastLook + 5,
	'5 s, × 1.5, up to 30 s': (lastLook, looks) => lastLook + Math.min(5 * 1.5 ** looks, 30),
	'15 % of the time waited, 5 to 60 s': PLAIN_RULE,
};

export function watchByRule(durations: readonly number[], rule: Rule): Sighting[] {
	return durations.map((duration) => {
		let looks = 0;
		let look = 0;
		do look = rule(look, looks++);
		while (look < duration);
		return { duration, lag: look - duration, looks };
	});
}
