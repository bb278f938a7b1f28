/** What was measured: beside what, with which target, and whether it was reached. */
import Table from 'cli-table3';

/** A value in several rounds. */
export interface Spread {
	median: number;
	lowest: number;
	highest: number;
}

export interface Figure {
	name: string;
	/** What the package is compared with. */
	beside: string;
	unit: string;
	own: Spread;
	other: Spread;
	/** The package's value divided by the other, round by round. */
	ratio: Spread;
	target?: Target;
	isReached?: boolean;
}

/** What the median must come to. */
export interface Target {
	of: 'ratio' | 'own';
	atMost?: number;
	atLeast?: number;
}

export interface Measured {
	name: string;
	beside: string;
	unit: string;
	/** Of each round. */
	own: number[];
	other: number[];
	target?: Target;
}

export function figureOf({ own, other, target, ...about }: Measured): Figure {
	const ratio = spreadOf(own.map((value, round) => value / (other[round] ?? NaN)));
	const spreads = { own: spreadOf(own), other: spreadOf(other), ratio };
	if (target === undefined) return { ...about, ...spreads };
	const { of, atMost = Infinity, atLeast = -Infinity } = target;
	const value = spreads[of].median;
	return { ...about, ...spreads, target, isReached: value <= atMost && value >= atLeast };
}

export function spreadOf(values: readonly number[]): Spread {
	const sorted = [...values].sort((a, b) => a - b);
	const middle = (sorted.length - 1) / 2;
	const at = (index: number) => sorted[index] ?? NaN;
	return {
		median: (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2,
		lowest: at(0),
		highest: at(sorted.length - 1),
	};
}

export const COLUMNS = [
	'measured',
	'this package',
	'beside',
	'that one',
	'ratio',
	'range',
	'target',
	'reached',
];

/** A figure as the cells of a table. */
export function cellsOf({ name, beside, unit, own, other, ratio, ...judged }: Figure): string[] {
	const { target, isReached } = judged;
	return [
		name,
		withUnit(own.median, unit),
		beside,
		withUnit(other.median, unit),
		numberText(ratio.median),
		Number.isFinite(ratio.median)
			? `${numberText(ratio.lowest)} to ${numberText(ratio.highest)}`
			: '',
		target === undefined ? '' : targetText(target, unit),
		isReached === undefined ? '' : isReached ? 'yes' : 'no',
	];
}

function targetText({ of, atMost, atLeast }: Target, unit: string): string {
	const text = (value: number) => (of === 'own' ? withUnit(value, unit) : String(value));
	if (atMost === undefined) return `at least ${text(atLeast ?? NaN)}`;
	return atLeast === undefined ? `at most ${text(atMost)}` : `${text(atLeast)} to ${text(atMost)}`;
}

function withUnit(value: number, unit: string): string {
	if (!Number.isFinite(value)) return '–';
	const digits = Number.isInteger(value) || Math.abs(value) >= 100 ? 0 : value >= 10 ? 1 : 2;
	return `${value.toFixed(digits)} ${unit}`.trim();
}

function numberText(value: number): string {
	return Number.isFinite(value) ? value.toFixed(2) : '–';
}

/** A table for the terminal, with numbers on the right. */
export function tableOf([first = '', ...others]: string[], rows: string[][] = []): Table.Table {
	const table = new Table({
		head: [first, ...others],
		colAligns: ['left', ...others.map(() => 'right' as const)],
		style: { head: [], border: [], compact: true },
	});
	table.push(...rows);
	return table;
}
