import type { Schema } from '../../../../../service/contract';
import { UNDECLARED } from '../../../../../service/contract';
import type { Path } from '../../judge/row';
import { fieldOf } from '../../judge/values/convert';
import { valueInWords } from '../words';

const MONTH = new Intl.DateTimeFormat('en-US', { month: 'long', timeZone: 'UTC' });
const NUMBER = new Intl.NumberFormat('en-US', { maximumFractionDigits: 20 });
const DATE = /^(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])(T\d\d:\d\d)?$/;

/** Writes values of a field: `1,234.5` and `5 March 2026` where its type or name is sure of it, others as they are. */
export function writerOf(schema: Schema, path: Path): (value: unknown) => string {
	const names = path.filter((part) => typeof part === 'string');
	const within = (outer: Schema, name: string) => outer.fields.get(name) ?? UNDECLARED;
	const { type: declared } = names.reduce(within, schema);
	const { kind, type } = fieldOf(String(names.at(-1)), declared);
	// A lower integer may be a year.
	const least = declared === 'number' ? 10_000 : Infinity;
	const mayBeGrouped = (value: number) => value % 1 !== 0 || Math.abs(value) >= least;
	const isGrouped = { ...SURE, other: mayBeGrouped, date: mayBeGrouped }[kind];
	return (value) => {
		if (typeof value === 'number' && isGrouped(value)) return NUMBER.format(value);
		const text = valueInWords(value) || '–';
		return type === 'date' ? text.replace(DATE, dateInWords) : text;
	};
}

const SURE = { money: () => true, count: () => true, identifier: () => false };

function dateInWords(_: string, year: string, month: string, day: string, clock = ''): string {
	const name = MONTH.format(Date.UTC(0, Number(month) - 1));
	return `${Number(day)} ${name} ${year}${clock.replace('T', ', ')}`;
}
