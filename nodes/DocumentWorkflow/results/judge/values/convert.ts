/** Texts as numbers and dates, in the style that a person chose. Each is read by itself; what is not certain stays text. */
import type { DeclaredType } from '../../../../../service/contract';
import { dateIn } from './dates';
import { type Said, saidBy } from './names';
import { amountIn, type How, numberOf, RUN } from './numbers';

export type ValueType = 'number' | 'date' | 'boolean';

/** What is known of the values of a field. */
export interface Field {
	declared: DeclaredType | undefined;
	/** Whether a person declared it, as a number. */
	isByPerson: boolean;
	says: Said;
}

/** `isNumber`: whether *Number Fields* names it. A type of the service counts more. */
export function fieldOf(name: string, declared?: DeclaredType, isNumber = false): Field {
	const isByPerson = declared === undefined && isNumber;
	return { declared: isByPerson ? 'number' : declared, isByPerson, says: saidBy(name) };
}

/** What a text is, or should have been. With neither, it stays text, and needs no review. */
export interface Reading {
	value?: string | number | boolean | null;
	needed?: ValueType;
}

/** In characters. No longer text is a number or a date. */
export const MAX_LENGTH = 65;

const TEXT: Reading = {};
const NOTHING = /^(?:n\/a|not found|[-—])?$/i;
const YES = /^(?:y|yes|true|x)$/i;
const NO = /^(?:n|no|false)$/i;

export function readValue(given: string, field: Field, how: How): Reading {
	const { declared, says } = field;
	const whole = given.trim();
	// No value has the character at the end.
	const text = tidy(whole.length > MAX_LENGTH ? `${whole.slice(0, MAX_LENGTH)}…` : whole);
	const hasType = declared !== undefined || says.isMoney || says.isCount || says.isDate;
	if (NOTHING.test(text)) return hasType ? { value: null } : TEXT;
	if (declared === undefined) return /\d/.test(text) ? readUndeclared(text, says, how) : TEXT;
	const value = readDeclared(text, field, how);
	return value === undefined ? { needed: neededFor(declared) } : { value };
}

export function neededFor(declared: DeclaredType): ValueType {
	if (declared === 'integer') return 'number';
	return declared === 'date-time' ? 'date' : declared;
}

/** Spaces and dashes of all kinds become plain ones; not a long dash. */
function tidy(text: string): string {
	if (/^[\x20-\x7e]*$/.test(text)) return text;
	return text
		.replaceAll(/\p{Zs}/gu, ' ')
		.replaceAll('’', "'")
		.replaceAll(/[\u2010-\u2013\u2212]/g, '-');
}

function readDeclared(text: string, field: Field, how: How): Reading['value'] {
	const { declared, isByPerson, says } = field;
	if (declared === 'boolean') return YES.test(text) || (NO.test(text) ? false : undefined);
	if (declared === 'date' || declared === 'date-time') {
		const iso = dateIn(text, how, says.isBirth)?.iso;
		return declared === 'date' ? iso?.slice(0, 'YYYY-MM-DD'.length) : iso;
	}
	const amount = amountIn(text);
	// Three decimals of a count could be a group too.
	const isMoney = amount.hasCurrency || says.isMoney;
	if (amount.percent > 0 && isMoney) return undefined;
	const number = numberOf(amount, how.style, isMoney || says.isCount || isByPerson);
	return declared === 'integer' && !Number.isInteger(number) ? undefined : number;
}

function readUndeclared(text: string, says: Said, how: How): Reading {
	const amount = amountIn(text);
	if (says.isIdentifier && amount.sign === 0) return TEXT;
	const mayBeDate = !amount.hasCurrency && (says.isDate || /(?:19|20)\d\d/.test(text));
	const date = mayBeDate ? dateIn(text, how, says.isBirth) : undefined;
	if (date?.iso !== undefined && (date.isFull || says.isDate)) return { value: date.iso };
	const isAmount = amount.percent === 0 && (amount.hasCurrency || says.isMoney || says.isCount);
	const value = isAmount ? numberOf(amount, how.style, true) : undefined;
	if (value !== undefined) return { value };
	if (says.isDate || date?.isFull === true) return { needed: 'date' };
	return isAmount && RUN.test(amount.digits) ? { needed: 'number' } : TEXT;
}
