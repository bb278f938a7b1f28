import { isRecord, type Json, own } from '../../../../../service/contract';
import { schemaOfField, typeIn } from '../../../../../service/schema';
import type { Path } from '../../judge/row';
import { saidBy } from '../../judge/values/names';
import { valueInWords } from '../words';

const MONTH = new Intl.DateTimeFormat('en-US', { month: 'long', timeZone: 'UTC' });
const NUMBER = new Intl.NumberFormat('en-US', { maximumFractionDigits: 20 });
const DATE = /^(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])(T\d\d:\d\d)?$/;

/** Writes values of a field: `1,234.5` and `5 March 2026` where its type or name is sure of it, others as they are. */
export function writerOf(schema: Json | undefined, path: Path): (value: unknown) => string {
	const names = path.filter((part) => typeof part === 'string');
	const field = names.reduce(schemaOfField, schema);
	const type = typeIn(field) ?? (isRecord(field) ? own(field, 'type') : undefined);
	const says = saidBy(names.at(-1) ?? '');
	const isAmount = says.isMoney || says.isCount || type === 'amount';
	const isDate = says.isDate || type === 'date' || type === 'date-time';
	// A lower integer may be a year.
	const isSure = (value: number) =>
		!says.isIdentifier &&
		(isAmount || value % 1 !== 0 || (type === 'number' && Math.abs(value) >= 10_000));
	return (value) => {
		if (typeof value === 'number' && isSure(value)) return NUMBER.format(value);
		const text = valueInWords(value) || '–';
		const [, year, month, day, time = ''] = (isDate ? DATE.exec(text) : undefined) ?? [];
		if (year === undefined) return text;
		return `${Number(day)} ${MONTH.format(Date.UTC(0, Number(month) - 1))} ${year}${time.replace('T', ', ')}`;
	};
}
