/** Texts as numbers and dates, in the style that a person chose. Each is read by itself; what is not certain stays text. */
import { isMissing } from '../../../../../service/cells';
import type { DeclaredType } from '../../../../../service/contract';
import { dateIn, NO_DATE } from './dates';
import { type Field, type How, type Style, STYLES } from './field';

/** What a text is, or should have been. With neither, it stays text, and needs no review. */
export interface TextValue {
	value?: string | number | boolean | null;
	needed?: Field['type'];
}

/** In characters. No longer text is a number or a date. */
export const MAX_LENGTH = 65;

const TEXT: TextValue = {};
const DASH = /^[-—]$/;
const BOOLEANS = new Map([
	...['y', 'yes', 'true', 'x'].map((word) => [word, true] as const),
	...['n', 'no', 'false'].map((word) => [word, false] as const),
]);

export function readValue(given: string, field: Field, how: How): TextValue {
	const whole = given.trim();
	// No value has the character at the end.
	const text = tidy(whole.length > MAX_LENGTH ? `${whole.slice(0, MAX_LENGTH)}…` : whole);
	if (isMissing(text) || DASH.test(text)) return field.type === 'text' ? TEXT : { value: null };
	if (field.declared === undefined)
		return /\d/.test(text) ? readUndeclared(text, field, how) : TEXT;
	const value = READERS[field.declared](text, field, how);
	return value === undefined ? { needed: field.type } : { value };
}

/** A number or date begins so: with its digits, after signs or a currency, or after the name of a month or a day. */
const MAY_BE_VALUE = /^[\WA-Z]{0,8}\d|^\p{L}{3,10}[.,]?[- ]{0,2}\d/u;

/** The first style in which a text is another value than itself. */
export function firstStyleOf(text: string, field: Field, today: string): Style | undefined {
	if (text.length > MAX_LENGTH || !MAY_BE_VALUE.test(text)) return undefined;
	return STYLES.find((style) => {
		const { value } = readValue(text, field, { style, today });
		return (value ?? text) !== text;
	});
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
const READERS: Record<DeclaredType, (text: string, field: Field, how: How) => TextValue['value']> =
	{
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
	if (amount.around.percent > 0 && isMoney) return undefined;
	// Three decimals of a count could be a group too.
	return numberOf(amount, style, isMoney || kind === 'count' || isByPerson);
}

function readUndeclared(text: string, { kind, isBirth, type }: Field, how: How): TextValue {
	const amount = amountIn(text);
	if (kind === 'identifier' && amount.around.sign === 0) return TEXT;
	const isDate = type === 'date';
	const mayBeDate = !amount.hasCurrency && (isDate || /(?:19|20)\d\d/.test(text));
	const { iso, isFull } = mayBeDate ? dateIn(text, how, isBirth) : NO_DATE;
	const isCertain = isDate || isFull;
	if (isCertain && iso !== undefined) return { value: iso };
	const isAmount = amount.around.percent === 0 && (amount.hasCurrency || type === 'number');
	const value = isAmount ? numberOf(amount, how.style, true) : undefined;
	if (value !== undefined) return { value };
	if (isCertain) return { needed: 'date' };
	return isAmount && RUN.test(amount.digits) ? { needed: 'number' } : TEXT;
}

const SIGNS = '$€£¥₹₩₪₽₺₴₫₱฿₦';
const CODES =
	'USD EUR GBP CHF CAD CDN AUD NZD INR JPY CNY SEK NOK DKK PLN CZK HUF SGD HKD ZAR MXN BRL AED';
const MONEY = `(?:US ?|CA|AU|NZ|HK|[ACSR])?\\$|[${SIGNS}]|(?<![A-Za-z])(?:${CODES.replaceAll(' ', '|')})(?![A-Za-z])`;
const FRONT = new RegExp(`^(?:[-+(]|${MONEY})`);
const BACK = new RegExp(`(?:[-)%]|${MONEY})$`);

/** What stands around the digits of a number, and how often. */
type Around = Record<'minus' | 'plus' | 'open' | 'close' | 'percent' | 'sign' | 'code', number>;
interface Amount {
	around: Around;
	digits: string;
	hasCurrency: boolean;
}

const KINDS = new Map(
	Object.entries({ '-': 'minus', '+': 'plus', '(': 'open', ')': 'close', '%': 'percent' } as const),
);

function amountIn(text: string): Amount {
	// A literal takes a tenth of the time of a spread record.
	const around: Around = { minus: 0, plus: 0, open: 0, close: 0, percent: 0, sign: 0, code: 0 };
	let digits = text;
	for (const side of /[\da-z.]$/.test(text) ? [FRONT] : [FRONT, BACK])
		for (let part = side.exec(digits); part !== null; part = side.exec(digits)) {
			around[KINDS.get(part[0]) ?? (CODES.includes(part[0]) ? 'code' : 'sign')]++;
			digits = digits.replace(side, '').trim();
		}
	return { around, digits, hasCurrency: around.code + around.sign > 0 };
}

/** Groups are complete; India has groups of two. */
const POINT = /^(?:\d{1,3}(?:,\d{3})*|\d{1,2}(?:,\d{2})+,\d{3}|\d{1,3}(?:'\d{3})+|\d*)(?:\.\d+)?$/;
const COMMA = /^(?:\d{1,3}(?:(?:\.\d{3})+|(?: \d{3})+|(?:'\d{3})+)|\d*)(?:,\d+)?$/;

/** The number in a style. Money has no three decimals: they could be a group. */
function numberOf(amount: Amount, style: Style, isMoney: boolean): number | undefined {
	const { minus, plus, open, close, percent, sign, code } = amount.around;
	const isPlain = minus + plus + open < 2 && open === close && Math.max(percent, sign, code) < 2;
	const { form, groups } = FORMATS[style];
	if (!isPlain || !form.test(amount.digits)) return undefined;
	// The comma of a style with points is gone by now.
	const text = amount.digits.replace(groups, '').replace(',', '.');
	const mayHaveGroup = text.at(-4) === '.' && !/^\.?0/.test(text);
	if (NO_NUMBER.test(text) || (isMoney && mayHaveGroup)) return undefined;
	// Zero has no minus.
	return minus + open > 0 ? 0 - Number(text) : Number(text);
}

const IN_POINTS = { form: POINT, groups: /[,']/g };
const FORMATS = { us: IN_POINTS, uk: IN_POINTS, europe: { form: COMMA, groups: /[. ']/g } };

/** Nothing, a code such as 007, or more digits than are exact. */
const NO_NUMBER = /^$|^0\d|^(?:\.?\d){16}/;

/** A text that is no number needs review if it is one run that begins with a digit: `1M`, not `5,000 per claim`. */
const RUN = /^\d[^\s%/]*(?: ?(?:thousand|million|billion|k|m|mn|mm|bn|mio|mrd|tsd)\.?)?$/i;
