import { readRow } from '../../../service/cells';
import type { Cell } from '../../../service/contract';
import { isRecord } from '../../../service/contract';
import { excerptOf } from '../../../service/text';
import type { ReadParameter } from '../panel/options';
import { DEFAULT_MINIMUM } from './fields';
import type { NamedStep } from './selection';

/** The minimum confidence of values, from 0 to 1. A value without a minimum is not judged. */
export interface Minimums {
	/** Of all fields that have none of their own. */
	general: number | undefined;
	/** By name, with or without the step in front: `premium`, `policy.premium`; `policy` for all of a step. A field in a table has the name of its column. */
	byField: ReadonlyMap<string, number | undefined>;
}

/** Whether any value is judged, so that the output says what needs review. */
export function isJudging({ general, byField }: Minimums): boolean {
	return general !== undefined || [...byField.values()].some((minimum) => minimum !== undefined);
}

/** Whether the chosen steps have values to judge, and no step has any score. */
export function lacksScoresIn(chosen: NamedStep[], all: NamedStep[], minimums: Minimums): boolean {
	return isJudging(minimums) && chosen.some(hasFields) && !all.some(hasScore);
}

function hasFields({ step }: NamedStep): boolean {
	return step.rows.some((row) => readRow(row).size > 0);
}

function hasScore({ step }: NamedStep): boolean {
	const isScored = ({ confidenceScore, inner = [] }: Cell): boolean =>
		confidenceScore !== undefined || [...inner.values()].some(isScored);
	return step.rows.some((row) => [...readRow(row).values()].some(isScored));
}

/** The minimums for the rows of a step: there, `policy.premium` counts as `premium`. */
export function minimumsIn({ name, step }: NamedStep, { general, byField }: Minimums): Minimums {
	const names = [...new Set([name, step.stepName])];
	const own = [...byField].flatMap(([field, minimum]) =>
		names
			.filter((stepName) => field.startsWith(`${stepName}.`))
			.map((stepName) => [field.slice(stepName.length + 1), minimum] as const),
	);
	const stepName = names.find((each) => byField.has(each));
	return {
		general: stepName === undefined ? general : byField.get(stepName),
		byField: new Map([...byField, ...own]),
	};
}

export type Read<T> = { ok: true; value: T } | { ok: false; refusal: string };

/** Reads 'Minimum Confidence' and 'Minimums per Field'. A minimum of 0 judges nothing. */
export function readMinimums(read: ReadParameter): Read<Minimums> {
	const general = readMinimum(read('minimumConfidence', null) ?? '', 'Minimum Confidence');
	if (!general.ok) return general;
	const byField = readFieldMinimums(read('outputOptions.fieldMinimums', null));
	if (!byField.ok) return byField;
	return {
		ok: true,
		value: { general: judged(general.value ?? DEFAULT_MINIMUM), byField: byField.value },
	};
}

const FIELD_MINIMUMS = 'Minimums per Field';

function readFieldMinimums(given: unknown): Read<Minimums['byField']> {
	const entries = isRecord(given) ? (given.pairs ?? []) : (given ?? []);
	if (!Array.isArray(entries))
		return {
			ok: false,
			refusal: `'${FIELD_MINIMUMS}' must be a list of fields, each with a minimum confidence`,
		};
	const minimums = new Map<string, number | undefined>();
	for (const [index, entry] of entries.entries()) {
		const { name: givenName, minimum } = isRecord(entry) ? entry : {};
		const name = typeof givenName === 'string' ? givenName.trim() : '';
		if (name === '')
			return { ok: false, refusal: `Entry ${index + 1} of '${FIELD_MINIMUMS}' has no field name` };
		const about = `${FIELD_MINIMUMS}: ${excerptOf(name, [], MAX_SHOWN)}`;
		if (minimums.has(name)) return { ok: false, refusal: `'${about}' appears twice. Remove one` };
		const read = readMinimum(minimum, about);
		if (!read.ok) return read;
		if (read.value === undefined)
			return { ok: false, refusal: `'${about}' has no minimum confidence. ${ADVICE}` };
		minimums.set(name, judged(read.value));
	}
	return { ok: true, value: minimums };
}

function judged(minimum: number): number | undefined {
	return minimum === 0 ? undefined : minimum;
}

/** In characters. */
const MAX_SHOWN = 40;

const ADVICE = 'Enter a number from 0 to 1, such as 0.8 for 80 %';

/**
 * Reads a minimum: 0.8, "0.8", "0,8" and "80 %" all mean 0.8; undefined where there is none. 80 is an error: who enters it may mean
 * 80 % or 0.8, and the panel would show 80.
 */
function readMinimum(given: unknown, field: string): Read<number | undefined> {
	if (given === undefined || given === null || (typeof given === 'string' && given.trim() === ''))
		return { ok: true, value: undefined };
	const text = typeof given === 'string' || typeof given === 'number' ? String(given).trim() : '';
	const [, digits = '', percent] = /^(\d+(?:[.,]\d+)?|[.,]\d+)\s*(%?)$/.exec(text) ?? [];
	const minimum = Number(digits.replace(',', '.')) / (percent === '%' ? 100 : 1);
	if (digits !== '' && minimum <= 1) return { ok: true, value: minimum };
	const shown = excerptOf(given, [], MAX_SHOWN) || typeof given;
	return { ok: false, refusal: `'${field}' must be from 0 to 1, but is ${shown}. ${ADVICE}` };
}
