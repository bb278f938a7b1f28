/** Turns written values into cell values: text, number, ISO date (YYYY-MM-DD) or boolean. */
import type { FieldType } from '../configuration';

export type CellValue = string | number | boolean | null;

/** `exactness`: 1 for a value of the type; 0.92 with more text behind it; 0.5 for another type, kept as text. */
export interface ParsedValue {
	value: CellValue;
	exactness: 1 | 0.92 | 0.5;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const YES = /^(yes|y|true|x|✓|✔|☑|☒|\[x\])$/i;
const NO = /^(no|n|false|none|☐|\[ ?\])$/i;

/** Reads `written` as a value of `type`. */
export function parseValue(written: string, type: FieldType): ParsedValue {
	const text = written.replace(/\s+/g, ' ').trim();
	const parsed = PARSERS[type](text);
	return parsed ?? { value: text, exactness: 0.5 };
}

const PARSERS: Record<FieldType, (text: string) => ParsedValue | undefined> = {
	text: (text) => ({ value: text, exactness: 1 }),
	number: parseNumber,
	amount: parseNumber,
	date: parseDate,
	boolean: parseBoolean,
};

function parseBoolean(text: string): ParsedValue | undefined {
	const word = text.split(/[\s,.;]/)[0] ?? '';
	const exactness = word === text ? 1 : 0.92;
	if (YES.test(text) || YES.test(word)) return { value: true, exactness };
	if (NO.test(text) || NO.test(word)) return { value: false, exactness };
	return undefined;
}

/** `$1,250.00`, `USD 1,250`, `1.250,00 EUR`, `(1,250.00)` and `-3` are numbers; `2.5%` is 2.5. */
function parseNumber(text: string): ParsedValue | undefined {
	const match =
		/^(\(|-)?\s*(?:[A-Z]{3}\s?|[A-Z]{0,3}[$€£¥]\s?)?(-)?(\d[\d.,' ]*\d|\d)\s?(?:%|[$€£¥]|[A-Z]{3}\b)?(\))?/.exec(
			text,
		);
	if (!match) return undefined;
	const [whole, before, minus, digits = ''] = match;
	const size = Number(plainDigits(digits));
	if (Number.isNaN(size)) return undefined;
	const negative = before !== undefined || minus !== undefined;
	return { value: negative ? -size : size, exactness: whole.length === text.length ? 1 : 0.92 };
}

/** The last of the two separators is the decimal one; a single separator before exactly three digits groups thousands. */
function plainDigits(digits: string): string {
	const compact = digits.replace(/[' ]/g, '');
	const comma = compact.lastIndexOf(',');
	const point = compact.lastIndexOf('.');
	const decimal = comma > point ? ',' : '.';
	const grouping = decimal === ',' ? '.' : ',';
	const onlyGroups = comma > point && point < 0 && /^\d{1,3}(,\d{3})+$/.test(compact);
	if (onlyGroups) return compact.replaceAll(',', '');
	return compact.replaceAll(grouping, '').replace(decimal, '.');
}

/** Year first; month by name; day first with points; month first with slashes, unless that is no month. */
function parseDate(text: string): ParsedValue | undefined {
	return (
		dateOf(text, /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)/, (y, m, d) => [y, m, d]) ??
		dateOf(text, /^(\d{1,2})\.(\d{1,2})\.(\d{4})/, (d, m, y) => [y, m, d]) ??
		dateOf(text, /^(\d{1,2})[-/](\d{1,2})[-/](\d{4}|\d{2})(?!\d)/, (m, d, y) =>
			Number(m) > 12 ? [y, d, m] : [y, m, d],
		) ??
		dateOf(
			text,
			/^(?:[a-z]+,? )?([a-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})/i,
			(m, d, y) => [y, m, d],
		) ??
		dateOf(
			text,
			/^(?:[a-z]+,? )?(\d{1,2})(?:st|nd|rd|th)?\.?[ -]([a-z]{3,9})\.?,?[ -](\d{4})/i,
			(d, m, y) => [y, m, d],
		)
	);
}

type DateParts = [year: string, month: string, day: string];

function dateOf(
	text: string,
	form: RegExp,
	order: (a: string, b: string, c: string) => DateParts,
): ParsedValue | undefined {
	const match = form.exec(text);
	if (!match) return undefined;
	const [, a = '', b = '', c = ''] = match;
	const [yearText, monthText, dayText] = order(a, b, c);
	const year = Number(yearText) + (yearText.length === 2 ? 2000 : 0);
	const month = /\d/.test(monthText)
		? Number(monthText)
		: MONTHS.indexOf(monthText.slice(0, 3).toLowerCase()) + 1;
	const date = new Date(Date.UTC(year, month - 1, Number(dayText)));
	if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== Number(dayText)) return undefined;
	return {
		value: date.toISOString().slice(0, 10),
		exactness: match[0].length === text.length ? 1 : 0.92,
	};
}
