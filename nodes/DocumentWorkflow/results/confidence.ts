/** A minimum confidence as the user gave it; undefined where none was given. */
export type MinimumConfidence =
	{ ok: true; minimum: number | undefined } | { ok: false; refusal: string };

const ADVICE = 'Enter a number from 0 to 1 such as 0.8, or a percentage such as 80 %';

/**
 * Reads 'Minimum Confidence': 0.8, "0.8", "0,8", "80 %" and 80 all mean 0.8. A number up to 1 is taken as it is, one from 2 on as a
 * percentage; what lies between could be meant either way and is refused.
 */
export function readMinimumConfidence(given: unknown): MinimumConfidence {
	if (given === undefined || given === null || (typeof given === 'string' && given.trim() === ''))
		return { ok: true, minimum: undefined };
	const text = typeof given === 'string' || typeof given === 'number' ? String(given).trim() : '';
	const [, digits, percent] = /^(\d+(?:[.,]\d+)?|[.,]\d+)\s*(%?)$/.exec(text) ?? [];
	const refuse = (why: string): MinimumConfidence => ({
		ok: false,
		refusal: `'Minimum Confidence' ${why}. ${ADVICE}`,
	});
	if (digits === undefined) return refuse(`is no number: ${shorten(given)}`);
	const number = Number(digits.replace(',', '.'));
	if (percent === '' && number > 1 && number < 2)
		return refuse(`could be a fraction or a percentage: ${text}`);
	const minimum = percent === '' && number <= 1 ? number : number / 100;
	return minimum <= 1 ? { ok: true, minimum } : refuse(`is above 100 %: ${text}`);
}

/** Whether a score (0 to 1) is below the minimum. A score above 1 is on a scale that is not known, and never counts as good enough. */
export function isBelow(score: number | undefined, minimum: number | undefined): score is number {
	return score !== undefined && minimum !== undefined && (score < minimum || score > 1);
}

function shorten(given: unknown): string {
	const text = typeof given === 'string' ? given : (JSON.stringify(given) ?? typeof given);
	return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
