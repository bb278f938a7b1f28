const SIGNS = '$€£¥₹₩₪₽₺₴₫₱฿₦';
const CODES =
	'USD EUR GBP CHF CAD AUD NZD INR JPY CNY SEK NOK DKK PLN CZK HUF SGD HKD ZAR MXN BRL AED';
const MONEY = `(?:US|CA|AU|NZ|HK|[ACSR])?\\$|[${SIGNS}]|(?<![A-Za-z])(?:${CODES.replaceAll(' ', '|')})(?![A-Za-z])`;
const FRONT = new RegExp(`^(?:[-−–+(]|${MONEY})`);
const BACK = new RegExp(`(?:[-−)%]|${MONEY})$`);

/** What stands around the digits of a number, and how often. */
type Around = Record<'minus' | 'plus' | 'open' | 'close' | 'percent' | 'sign' | 'code', number>;
export type Amount = Around & { digits: string; hasCurrency: boolean };

const KINDS: Record<string, keyof Around> = {
	'+': 'plus',
	'(': 'open',
	')': 'close',
	'%': 'percent',
};
/** The most frequent form takes the short way. */
const DOLLAR = /^\$\d[\d.,]*$/;
const HAS_AROUND = new RegExp(`^[-−–+(A-Z${SIGNS}]|[-−)%A-Z${SIGNS}]$`);

export function amountIn(text: string): Amount {
	const found: Around = { minus: 0, plus: 0, open: 0, close: 0, percent: 0, sign: 0, code: 0 };
	const isDollar = DOLLAR.test(text);
	found.sign = isDollar ? 1 : 0;
	let digits = isDollar ? text.slice(1) : text;
	for (const side of HAS_AROUND.test(digits) ? [FRONT, BACK] : [])
		for (let part = side.exec(digits); part !== null; part = side.exec(digits)) {
			const kind = '-−–'.includes(part[0]) ? 'minus' : CODES.includes(part[0]) ? 'code' : 'sign';
			found[KINDS[part[0]] ?? kind]++;
			digits = digits.replace(side, '').trim();
		}
	return Object.assign(found, { digits, hasCurrency: found.code + found.sign > 0 });
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
	const [, groups = '', decimals = ''] = match;
	const whole = groups.replaceAll(/\D/g, '');
	const all = whole + decimals;
	// More digits are not exact.
	if (!/^\d{1,15}$/.test(all) || /^0\d/.test(whole)) return undefined;
	if (isMoney && decimals.length === 3 && !all.startsWith('0')) return undefined;
	const number = Number(`${whole}.${decimals}`);
	return minus + open > 0 && number !== 0 ? -number : number;
}

/** One run of characters that begins with a digit, such as `1M` and `1,O00`, also before a word such as million. */
export const RUN = /^\d[^\s%/]*(?: ?(?:thousand|million|billion|k|m|mn|mm|bn|mio|mrd|tsd)\.?)?$/i;

export const STYLES = ['us', 'uk', 'europe'] as const;
export type Style = (typeof STYLES)[number];

/** `today`: in ISO 8601, for years of two digits. */
export interface How {
	style: Style;
	today: string;
}
