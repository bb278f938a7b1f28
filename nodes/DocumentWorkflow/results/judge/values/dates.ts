import { type How, withoutAccents } from './field';

/** English, German, French, Spanish, without accents; from January to December. */
const MONTHS = `jan january januar jaenner janner janv janvier ene enero, feb february februar fev fevr fevrier febrero,
	mar march marz maerz mrz mars marzo, apr april avr avril abr abril, may mai mayo, jun june juni juin junio,
	jul july juli juil juill juillet julio, aug august aout ago agosto, sep sept september septembre septiembre setiembre,
	oct october okt oktober octobre octubre, nov november novembre noviembre, dec december dez dezember decembre dic
	diciembre`;
const MONTH = new Map(
	MONTHS.split(',').flatMap((names, at) =>
		[...names.matchAll(/\w+/g)].map(([name]) => [name, at + 1]),
	),
);

const YEAR = '(?<year>[1-9]\\d{3}|\\d\\d)(?!\\d)';
const DAY = '(?<day>\\d\\d?)';
const NAME = '(?<month>[a-z]{3,10})\\.?';
const FORMS = [
	/^(?<year>[1-9]\d{3})(?<sign>[-/.])(?<month>\d\d?|[a-z]{3,10})\k<sign>(?<day>\d\d?)(?!\d)/,
	new RegExp(`^(?<first>\\d\\d?) ?(?<sign>[-/.]) ?(?<second>\\d\\d?) ?\\k<sign> ?${YEAR}`),
	new RegExp(`^${DAY}(?:st|[nr]d|th|er|\\.)?[-/ ]?(?:of |de )?${NAME},?[-/ ]?(?:del? )?${YEAR}`),
	new RegExp(`^${NAME}[- ]?${DAY}(?:st|[nr]d|th)?(?:, ?|[- ])${YEAR}`),
];
const TIME =
	/^(?:,? (?:at |um )?|t)(\d\d?)[:h]([0-5]\d)(?::[0-5]\d(?:\.\d+)?)?(?: ?([ap])\.?m\.?| uhr)?$/;
const ZONED = /^(\d{4}-\d\d-\d\dt\d\d:\d\d)(?::\d\d(?:\.\d+)?)?(?:z|[-+]\d\d:?\d\d)$/;

interface TextDate {
	/** In ISO 8601; undefined where the style has no such date. */
	iso: string | undefined;
	/** Whether its year has four digits, from 1900 to 2099. */
	isFull: boolean;
}

/** A text that has not the form of a date. */
export const NO_DATE: TextDate = { iso: undefined, isFull: false };

/** A text as a date of the style. `isBirth`: a year of two digits is never ahead. */
export function dateIn(text: string, { style, today }: How, isBirth: boolean): TextDate {
	const given = withoutAccents(text);
	const line = given.replace(ZONED, '$1');
	const match = FORMS.map((form) => form.exec(line)).find((found) => found !== null);
	const { year = '', sign, first = '', second = '', ...named } = match?.groups ?? {};
	const [inMonth, inDay] = style === 'us' ? [first, second] : [second, first];
	const { month: monthText = inMonth, day = inDay } = named;
	const month = MONTH.get(monthText) ?? Number(monthText);
	const time = timeIn(line.slice(match?.[0].length));
	if (year === '' || Number.isNaN(month) || time === undefined) return NO_DATE;
	const dates = yearsOf(year, today).map((each) => isoOf(each, month, Number(day)));
	const isPast = (each = '') => each <= today;
	const date = isBirth && year.length === 2 ? dates.find(isPast) : dates[0];
	const isOfStyle = date !== undefined && !(sign === '.' && style === 'us');
	const iso = line === given ? `${date}${time}` : text;
	return { iso: isOfStyle ? iso : undefined, isFull: /(?:19|20)\d\d/.test(year) };
}

/** Two digits are from 79 years back to 20 ahead, or the century before. */
function yearsOf(year: string, today: string): number[] {
	const latest = Number(today.slice(0, 4)) + 20;
	const within = latest - ((latest - Number(year)) % 100);
	return year.length > 2 ? [Number(year)] : [within, within - 100];
}

function isoOf(year: number, month: number, day: number): string | undefined {
	const date = new Date(Date.UTC(year, month - 1, day));
	// A day that the month does not have is in another one.
	return date.getUTCMonth() === month - 1 ? date.toISOString().slice(0, 10) : undefined;
}

/** Empty where there is none; undefined for other words. */
function timeIn(rest: string): string | undefined {
	const [, hour, minute, half] = TIME.exec(rest) ?? [];
	if (hour === undefined) return rest === '' ? '' : undefined;
	if (Number(hour) > (half === undefined ? 23 : 12)) return undefined;
	const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (half === 'p' ? 12 : 0);
	return `T${String(hours).padStart(2, '0')}:${minute}`;
}
