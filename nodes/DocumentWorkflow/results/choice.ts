import type { INodeProperties } from 'n8n-workflow';

import { isRecord } from '../../../service/contract';
import { excerptOf } from '../../../service/text';
import { time } from '../connection/time';
import { offeredValue, readNames, type ReadParameter } from '../panel/options';
import type { Minimums } from './asked';
import { DEFAULT_MINIMUM, outputFields } from './fields';
import { outputOptionsField } from './optionFields';
import type { ValueSettings } from './texts';
import { STYLES } from './values/numbers';

/** `selected` is for AI tools, which should get no more than they ask for. */
export type Output = 'simplified' | 'rows' | 'raw' | 'selected';

export interface Shaping {
	output: Output;
	minimums: Minimums;
	/** For `rows`: names of steps; empty: all of them. */
	onlySteps: string[];
	/** For `rows`: whether nested values stay as they are, and each item has what else is known of it. */
	includeDetails: boolean;
	/** How texts become values; undefined in `raw`. */
	values: ValueSettings | undefined;
	/** Names of fields that must have a value, with or without their step. */
	required: string[];
	/** For `selected`: names of fields, with or without their step; empty: all of them. */
	fields: string[];
}

export interface InputSettings {
	includeFiles: boolean;
}

export interface ResultSettings extends InputSettings {
	shaping: Shaping;
	attachReport: boolean;
}

const FIELDS = [...outputFields, ...(outputOptionsField.options as INodeProperties[])];

/** Reads an entry of *Output Options*, or another field of the output. */
function readField(read: ReadParameter, name: string, path = `outputOptions.${name}`): unknown {
	const field = FIELDS.find((each) => each.name === name);
	const value = read(path, null);
	return field === undefined ? value : offeredValue(value, field);
}

/** @throws Error when a minimum confidence or a list of names cannot be read */
export function readResultSettings(read: ReadParameter): ResultSettings {
	return { ...readOutputSettings(read), ...readInputSettings(read) };
}

/** @throws Error as above */
export function readOutputSettings(read: ReadParameter): Omit<ResultSettings, keyof InputSettings> {
	const option = (name: string): unknown => readField(read, name);
	const output = (readField(read, 'output', 'output') ?? 'simplified') as Output;
	return {
		shaping: {
			output,
			minimums: readMinimums(read),
			onlySteps: output === 'rows' ? readNames(read('step', ''), 'Step') : [],
			includeDetails: option('includeDetails') === true,
			values: output === 'raw' ? undefined : readValueSettings(option),
			required: readNames(option('requiredFields'), 'Required Fields'),
			fields: readNames(read('fields', ''), 'Fields'),
		},
		attachReport: option('attachReport') === true,
	};
}

function readValueSettings(option: (name: string) => unknown): ValueSettings {
	const style = STYLES.find((each) => each === option('values'));
	const given = style === undefined ? '' : option('numberFields');
	return {
		style,
		numberFields: readNames(given, 'Number Fields'),
		today: new Date(time.now()).toISOString().slice(0, 'YYYY-MM-DD'.length),
	};
}

export function readInputSettings(read: ReadParameter): InputSettings {
	return { includeFiles: readField(read, 'includeFiles') === true };
}

/** Reads 'Minimum Confidence' and 'Minimums per Field'. A minimum of 0 judges nothing. */
export function readMinimums(read: ReadParameter): Minimums {
	const general = readMinimum(read('minimumConfidence', null) ?? '', 'Minimum Confidence');
	return {
		general: judged(general ?? DEFAULT_MINIMUM),
		byField: readFieldMinimums(read('outputOptions.fieldMinimums', null)),
	};
}

const FIELD_MINIMUMS = 'Minimums per Field';

function readFieldMinimums(given: unknown): Minimums['byField'] {
	const entries = isRecord(given) ? (given.pairs ?? []) : (given ?? []);
	if (!Array.isArray(entries))
		throw new Error(`'${FIELD_MINIMUMS}' must be a list of fields, each with a minimum confidence`);
	const minimums = new Map<string, number | undefined>();
	for (const [index, entry] of entries.entries()) {
		const { name: givenName, minimum } = isRecord(entry) ? entry : {};
		const name = typeof givenName === 'string' ? givenName.trim() : '';
		if (name === '') throw new Error(`Entry ${index + 1} of '${FIELD_MINIMUMS}' has no field name`);
		const about = `${FIELD_MINIMUMS}: ${excerptOf(name, [], MAX_SHOWN)}`;
		if (minimums.has(name)) throw new Error(`'${about}' appears twice. Remove one`);
		const read = readMinimum(minimum, about);
		if (read === undefined) throw new Error(`'${about}' has no minimum confidence. ${ADVICE}`);
		minimums.set(name, judged(read));
	}
	return minimums;
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
function readMinimum(given: unknown, field: string): number | undefined {
	if (given === undefined || given === null || (typeof given === 'string' && given.trim() === ''))
		return undefined;
	const text = typeof given === 'string' || typeof given === 'number' ? String(given).trim() : '';
	const [, digits = '', percent] = /^(\d+(?:[.,]\d+)?|[.,]\d+)\s*(%?)$/.exec(text) ?? [];
	const minimum = Number(digits.replace(',', '.')) / (percent === '%' ? 100 : 1);
	if (digits !== '' && minimum <= 1) return minimum;
	const shown = excerptOf(given, [], MAX_SHOWN) || typeof given;
	throw new Error(`'${field}' must be from 0 to 1, but is ${shown}. ${ADVICE}`);
}
