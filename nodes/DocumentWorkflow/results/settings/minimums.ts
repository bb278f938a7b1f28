/** What a person enters as a minimum confidence. */
import { fractionOf } from '../../../../service/cells';
import { isRecord } from '../../../../service/json';
import { excerptOf } from '../../../../service/text';

/** The minimum confidence of values, from 0 to 1. A value without a minimum is not judged. */
export interface Minimums {
	/** Of all fields that have none of their own. */
	general: number | undefined;
	/** By name, with or without the step in front: `premium`, `policy.premium`; `policy` for all of a step. A field in a table has the name of its column. */
	byField: ReadonlyMap<string, number | undefined>;
}

export const DEFAULT_MINIMUM = 0.8;

/** A minimum of 0 judges nothing. */
export function readGeneralMinimum(given: unknown): Minimums['general'] {
	return judged(readMinimum(given, 'Minimum Confidence') ?? DEFAULT_MINIMUM);
}

const FIELD_MINIMUMS = 'Minimums per Field';

export function readFieldMinimums(given: unknown): Minimums['byField'] {
	const entries = (isRecord(given) ? given.pairs : given) ?? [];
	if (!Array.isArray(entries))
		throw new Error(`'${FIELD_MINIMUMS}' must be a list of fields, each with a minimum confidence`);
	const minimums = new Map<string, number | undefined>();
	for (const [index, { name, minimum }] of entries.map(readEntry).entries()) {
		if (name === '') throw new Error(`Entry ${index + 1} of '${FIELD_MINIMUMS}' has no field name`);
		const field = `${FIELD_MINIMUMS}: ${excerptOf(name, [], MAX_SHOWN)}`;
		if (minimums.has(name)) throw new Error(`'${field}' appears twice. Remove one`);
		const read = readMinimum(minimum, field);
		if (read === undefined) throw new Error(`'${field}' has no minimum confidence. ${ADVICE}`);
		minimums.set(name, judged(read));
	}
	return minimums;
}

function readEntry(entry: unknown): { name: string; minimum: unknown } {
	const { name, minimum } = isRecord(entry) ? entry : {};
	return { name: typeof name === 'string' ? name.trim() : '', minimum };
}

function judged(minimum: number): number | undefined {
	return minimum === 0 ? undefined : minimum;
}

/** In characters. */
const MAX_SHOWN = 40;

const ADVICE = 'Enter a number from 0 to 1, such as 0.8 for 80 %';

/** Reads 0.8, "0.8", "0,8" and "80 %" as 0.8; undefined where there is no minimum. 80 is an error, because the panel would show 80. */
function readMinimum(given: unknown, field: string): number | undefined {
	const text = excerptOf(given ?? '', [], MAX_SHOWN);
	if (text === '') return undefined;
	const [, digits = 'none', percent] = /^(\d+(?:[.,]\d+)?|[.,]\d+)\s*(%?)$/.exec(text) ?? [];
	const minimum = fractionOf(digits, percent);
	if (minimum <= 1) return minimum;
	throw new Error(`'${field}' must be from 0 to 1, but is ${text}. ${ADVICE}`);
}
