/** Texts as numbers and dates, in the style that a person chose. Each is read by itself; what is not certain stays text. */
import type { DeclaredType } from '../../../../../service/contract';
import { dateIn, NO_DATE } from './dates';
import { type FieldKind, kindBy } from './names';
import { amountIn, type How, numberOf, RUN } from './numbers';

export type ValueType = 'number' | 'date' | 'boolean';

/** What is known of the values of a field. */
export interface Field {
	declared: DeclaredType | undefined;
	/** Whether a person declared it, as a number. */
	isByPerson: boolean;
	/** What its name says. */
	kind: FieldKind;
	isBirth: boolean;
	/** What its values should be. */
	type: ValueType | 'text';
}

const TYPES: Record<DeclaredType | FieldKind, ValueType | 'text'> = {
	number: 'number',
	integer: 'number',
	boolean: 'boolean',
	date: 'date',
	'date-time': 'date',
	count: 'number',
	money: 'number',
	identifier: 'text',
	other: 'text',
};

/** `isNumber`: whether *Number Fields* names it. A type of the service counts more. */
export function fieldOf(name: string, byService?: DeclaredType, isNumber = false): Field {
	const isByPerson = byService === undefined && isNumber;
	const declared = isByPerson ? 'number' : byService;
	const { kind, isBirth } = kindBy(name);
	return { declared, isByPerson, kind, isBirth, type: TYPES[declared ?? kind] };
}

/** What a text is, or should have been. With neither, it stays text, and needs no review. */
export interface Reading {
	value?: string | number | boolean | null;
	needed?: Field['type'];
}

/** In characters. No longer text is a number or a date. */
export const MAX_LENGTH = 65;

const TEXT: Reading = {};
const NOTHING = /^(?:n\/a|not found|[-—])?$/i;
const BOOLEANS = new Map([
	...['y', 'yes', 'true', 'x'].map((word) => [word, true] as const),
	...['n', 'no', 'false'].map((word) => [word, false] as const),
]);

export function readValue(given: string, field: Field, how: How): Reading {
	const whole = given.trim();
	// No value has the character at the end.
	const text = tidy(whole.length > MAX_LENGTH ? `${whole.slice(0, MAX_LENGTH)}…` : whole);
	if (NOTHING.test(text)) return field.type === 'text' ? TEXT : { value: null };
	if (field.declared === undefined)
		return /\d/.test(text) ? readUndeclared(text, field, how) : TEXT;
	const value = READERS[field.declared](text, field, how);
	return value === undefined ? { needed: field.type } : { value };
}

/** Spaces and dashes of all kinds become plain ones; not a long dash. */
function tidy(text: string): string {
	if (/^[\x20-\x7e]*$/.test(text)) return text;
	return text
		.replaceAll(/\p{Zs}/gu, ' ')
		.replaceAll('’', "'")
		.replaceAll(/[\u2010-\u2013\u2212]/g, '-');
}

/** The value of a text of each declared type; undefined where it is none. */
const READERS: Record<DeclaredType, (text: string, field: Field, how: How) => Reading['value']> = {
	boolean: (text) => BOOLEANS.get(text.toLowerCase()),
	date: (text, { isBirth }, how) => dateIn(text, how, isBirth).iso?.slice(0, 'YYYY-MM-DD'.length),
	'date-time': (text, { isBirth }, how) => dateIn(text, how, isBirth).iso,
	integer: (...given) => {
		const number = readNumber(...given);
		return Number.isInteger(number) ? number : undefined;
	},
	number: readNumber,
};

function readNumber(text: string, { kind, isByPerson }: Field, { style }: How): number | undefined {
	const amount = amountIn(text);
	const isMoney = amount.hasCurrency || kind === 'money';
	if (amount.percent > 0 && isMoney) return undefined;
	// Three decimals of a count could be a group too.
	return numberOf(amount, style, isMoney || kind === 'count' || isByPerson);
}

function readUndeclared(text: string, { kind, isBirth, type }: Field, how: How): Reading {
	const amount = amountIn(text);
	if (kind === 'identifier' && amount.sign === 0) return TEXT;
	const isDate = type === 'date';
	const mayBeDate = !amount.hasCurrency && (isDate || /(?:19|20)\d\d/.test(text));
	const { iso, isFull } = mayBeDate ? dateIn(text, how, isBirth) : NO_DATE;
	const isCertain = isDate || isFull;
	if (isCertain && iso !== undefined) return { value: iso };
	const isAmount = amount.percent === 0 && (amount.hasCurrency || type === 'number');
	const value = isAmount ? numberOf(amount, how.style, true) : undefined;
	if (value !== undefined) return { value };
	if (isCertain) return { needed: 'date' };
	return isAmount && RUN.test(amount.digits) ? { needed: 'number' } : TEXT;
}
