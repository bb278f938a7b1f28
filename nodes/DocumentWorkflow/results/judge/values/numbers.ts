const SIGNS = '$€£¥₹₩₪₽₺₴₫₱฿₦';
const CODES =
	'USD EUR GBP CHF CAD CDN AUD NZD INR JPY CNY SEK NOK DKK PLN CZK HUF SGD HKD ZAR MXN BRL AED';
const MONEY = `(?:US ?|CA|AU|NZ|HK|[ACSR])?\\$|[${SIGNS}]|(?<![A-Za-z])(?:${CODES.replaceAll(' ', '|')})(?![A-Za-z])`;
const FRONT = new RegExp(`^(?:[-+(]|${MONEY})`);
const BACK = new RegExp(`(?:[-)%]|${MONEY})$`);

/** What stands around the digits of a number, and how often. */
type Around = Record<'minus' | 'plus' | 'open' | 'close' | 'percent' | 'sign' | 'code', number>;
export type Amount = Around & { digits: string; hasCurrency: boolean };

const KINDS = new Map(
	Object.entries({ '-': 'minus', '+': 'plus', '(': 'open', ')': 'close', '%': 'percent' } as const),
);
/** Most amounts, which take the short way. */
const DOLLARS = /^\$?\d[\d.,]*$/;

const BARE: Around = { minus: 0, plus: 0, open: 0, close: 0, percent: 0, sign: 0, code: 0 };
export function amountIn(text: string): Amount {
	const found: Amount = { ...BARE, digits: text, hasCurrency: false };
	if (DOLLARS.test(text)) {
		found.sign = text.startsWith('$') ? 1 : 0;
		found.digits = text.slice(found.sign);
	} else
		for (const side of /\d$/.test(text) ? [FRONT] : [FRONT, BACK])
			for (let part = side.exec(found.digits); part !== null; part = side.exec(found.digits)) {
				found[KINDS.get(part[0]) ?? (CODES.includes(part[0]) ? 'code' : 'sign')]++;
				found.digits = found.digits.replace(side, '').trim();
			}
	found.hasCurrency = found.code + found.sign > 0;
	return found;
}

/** Groups are complete; India has groups of two. */
const POINT = /^(?:\d{1,3}(?:,\d{3})*|\d{1,2}(?:,\d{2})+,\d{3}|\d{1,3}(?:'\d{3})+|\d*)(?:\.\d+)?$/;
const COMMA = /^(?:\d{1,3}(?:(?:\.\d{3})+|(?: \d{3})+|(?:'\d{3})+)|\d*)(?:,\d+)?$/;

/** The number in a style. Money has no three decimals: they could be a group. */
export function numberOf(amount: Amount, style: Style, isMoney: boolean): number | undefined {
	const { minus, plus, open, close, percent, sign, code } = amount;
	const isPlain = minus + plus + open < 2 && open === close && Math.max(percent, sign, code) < 2;
	const { form, groups, decimal } = FORMATS[style];
	if (!isPlain || !form.test(amount.digits)) return undefined;
	const text = amount.digits.replace(groups, '').replace(decimal, '.');
	if (NO_NUMBER.test(text) || (isMoney && MAY_HAVE_GROUP.test(text))) return undefined;
	// Zero has no minus.
	return minus + open > 0 ? 0 - Number(text) : Number(text);
}

const IN_POINTS = { form: POINT, groups: /[,']/g, decimal: '.' };
const FORMATS = {
	us: IN_POINTS,
	uk: IN_POINTS,
	europe: { form: COMMA, groups: /[. ']/g, decimal: ',' },
};

/** Nothing, a code such as 007, or more digits than are exact. */
const NO_NUMBER = /^$|^0\d|^(?:\.?\d){16}/;
const MAY_HAVE_GROUP = /^(?!\.?0).*\.\d{3}$/;

/** One run of characters that begins with a digit, such as `1M` and `1,O00`, also before a word such as million. */
export const RUN = /^\d[^\s%/]*(?: ?(?:thousand|million|billion|k|m|mn|mm|bn|mio|mrd|tsd)\.?)?$/i;

export const STYLES = ['us', 'uk', 'europe'] as const;
export type Style = (typeof STYLES)[number];

/** `today`: in ISO 8601, for years of two digits. */
export interface How {
	style: Style;
	today: string;
}
