/** 2026-03-01 as 03/01/2026, the way US documents print dates. */
export function usDate(iso: string): string {
	const [year = '', month = '', day = ''] = iso.split('-');
	return `${month}/${day}/${year}`;
}

const MONTHS = [
	'January',
	'February',
	'March',
	'April',
	'May',
	'June',
	'July',
	'August',
	'September',
	'October',
	'November',
	'December',
];

/** 2026-03-01 as March 1, 2026. */
export function longDate(iso: string): string {
	const [year = '', month = '', day = ''] = iso.split('-');
	return `${MONTHS[Number(month) - 1] ?? month} ${Number(day)}, ${year}`;
}

/** 1234.5 as 1,234.50. Written out rather than left to the machine's locale data. */
export function plainAmount(value: number, decimals = 2): string {
	const [whole = '', fraction] = value.toFixed(decimals).split('.');
	const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
	return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

/** 1234.5 as $1,234.50. */
export function cents(value: number): string {
	return `$${plainAmount(value)}`;
}

/** 1234 as $1,234: limits and values are printed without cents. */
export function dollars(value: number): string {
	return `$${plainAmount(value, 0)}`;
}

/** Sum of amounts, rounded to whole cents. */
export function total(values: readonly number[]): number {
	return Math.round(values.reduce((sum, value) => sum + value, 0) * 100) / 100;
}
