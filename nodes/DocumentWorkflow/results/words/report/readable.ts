import type { Schema } from '../../../../../service/contract';
import { UNDECLARED } from '../../../../../service/schema';
import type { Path } from '../../judge/row';
import { kindBy } from '../../judge/values/names';
import { valueInWords } from '../words';

const MONTH = new Intl.DateTimeFormat('en-US', { month: 'long', timeZone: 'UTC' });
const NUMBER = new Intl.NumberFormat('en-US', { maximumFractionDigits: 20 });
const DATE = /^(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])(T\d\d:\d\d)?$/;

/** Writes values of a field: `1,234.5` and `5 March 2026` where its type or name is sure of it, others as they are. */
export function writerOf(schema: Schema | undefined, path: Path): (value: unknown) => string {
	const names = path.filter((part) => typeof part === 'string');
	const declared = (within: Schema, name: string) => within.fields.get(name) ?? UNDECLARED;
	const { type } = names.reduce(declared, schema ?? UNDECLARED);
	const { kind } = kindBy(names.at(-1) ?? '');
	const isAmount = kind === 'money' || kind === 'count';
	const isDate = kind === 'date' || type === 'date' || type === 'date-time';
	// A lower integer may be a year.
	const isSure = (value: number) =>
		kind !== 'identifier' &&
		(isAmount || value % 1 !== 0 || (type === 'number' && Math.abs(value) >= 10_000));
	return (value) => {
		if (typeof value === 'number' && isSure(value)) return NUMBER.format(value);
		const text = valueInWords(value) || '–';
		const [, year, month, day, time = ''] = (isDate ? DATE.exec(text) : undefined) ?? [];
		if (year === undefined) return text;
		return `${Number(day)} ${MONTH.format(Date.UTC(0, Number(month) - 1))} ${year}${time.replace('T', ', ')}`;
	};
}
