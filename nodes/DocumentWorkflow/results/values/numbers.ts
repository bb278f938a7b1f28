import type { Style } from './style';

const SIGN = '(?:US|CA|AU|NZ|HK|[ACSR])?\\$|[€£¥₹₩₪₽₺₴₫₱฿₦]';
const CODES =
	'USD EUR GBP CHF CAD AUD NZD INR JPY CNY SEK NOK DKK PLN CZK HUF SGD HKD ZAR MXN BRL AED';
const MONEY = `(?<sign>${SIGN})|(?<!\\p{L})(?<code>${CODES.replaceAll(' ', '|')})(?!\\p{L})`;
const FRONT = new RegExp(`^(?:(?<minus>[-−–])|(?<plus>\\+)|(?<open>\\()|${MONEY})`, 'u');
const BACK = new RegExp(`(?:(?<minus>[-−])|(?<close>\\))|(?<percent>%)|${MONEY})$`, 'u');

/** What stands around the digits of a number, and how often. */
type Around = Record<'minus' | 'plus' | 'open' | 'close' | 'percent' | 'sign' | 'code', number>;
export type Amount = Around & { digits: string; hasCurrency: boolean };

export function amountIn(text: string): Amount {
	const found: Around = { minus: 0, plus: 0, open: 0, close: 0, percent: 0, sign: 0, code: 0 };
	let digits = text;
	for (const side of [FRONT, BACK])
		for (let part = side.exec(digits); part !== null; part = side.exec(digits)) {
			digits = digits.replace(side, '').trim();
			for (const [name, group] of Object.entries(part.groups ?? {}))
				if (group !== undefined) found[name as keyof Around]++;
		}
	return { ...found, digits, hasCurrency: found.code + found.sign > 0 };
}

/** Groups are complete; India has groups of two. The digits and the decimals. */
const POINT = /^(\d{1,3}(?:,\d{3})+|\d{1,2}(?:,\d{2})+,\d{3}|\d{1,3}(?:'\d{3})+|\d*)(?:\.(\d+))?$/;
const COMMA = /^(\d{1,3}(?:(?:\.\d{3})+|(?: \d{3})+|(?:'\d{3})+)|\d*)(?:,(\d+))?$/;

/** The number in a style. Money has no three decimals: they could be a group. */
export function numberOf(amount: Amount, style: Style, isMoney: boolean): number | undefined {
	const { minus, plus, open, close, percent, sign, code } = amount;
	const isPlain = minus + plus + open < 2 && open === close && Math.max(percent, sign, code) < 2;
	const match = (style === 'europe' ? COMMA : POINT).exec(amount.digits);
	if (!isPlain || match === null) return undefined;
	const [whole = '', decimals = ''] = match.slice(1).map((part = '') => part.replaceAll(/\D/g, ''));
	const all = whole + decimals;
	// More digits are not exact.
	if (!/^\d{1,15}$/.test(all) || /^0\d/.test(whole)) return undefined;
	if (isMoney && decimals.length === 3 && !all.startsWith('0')) return undefined;
	const number = Number(`${whole}.${decimals}`);
	return minus + open > 0 && number !== 0 ? -number : number;
}

/** One run of characters that begins with a digit, such as `1M` and `1,O00`, also before a word such as million. */
export const RUN = /^\d[^\s%/]*(?: ?(?:thousand|million|billion|k|m|mn|mm|bn|mio|mrd|tsd)\.?)?$/i;
