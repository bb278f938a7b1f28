/** What a series of samples says: where it began and ended, and how it grew. */

export interface Sample {
	/** Milliseconds since 1970. */
	at: number;
	value: number;
}

export interface Trend {
	start: number;
	end: number;
	highest: number;
	/** Of the straight line through the samples, by least squares. */
	perHour: number;
	/** Standard error of `perHour`, as if each sample stood for itself. */
	error: number;
}

const HOUR = 3_600_000;
/** Start and end are the medians of this share of the samples. */
const EDGE = 0.1;

/** The trend of three samples or more, in the order of time. */
export function trendOf(samples: readonly Sample[]): Trend {
	const values = samples.map(({ value }) => value);
	const edge = Math.max(1, Math.round(samples.length * EDGE));
	return {
		start: medianOf(values.slice(0, edge)),
		end: medianOf(values.slice(-edge)),
		highest: Math.max(...values),
		...lineThrough(samples),
	};
}

function lineThrough(samples: readonly Sample[]): Pick<Trend, 'perHour' | 'error'> {
	const count = samples.length;
	const points = samples.map(({ at, value }) => ({ hours: at / HOUR, value }));
	const middle = points.reduce((sum, { hours }) => sum + hours, 0) / count;
	const mean = points.reduce((sum, { value }) => sum + value, 0) / count;
	const sumOf = (of: (fromMiddle: number, fromMean: number) => number) =>
		points.reduce((sum, { hours, value }) => sum + of(hours - middle, value - mean), 0);
	const width = sumOf((x) => x * x);
	const perHour = sumOf((x, y) => x * y) / width;
	const offLine = sumOf((x, y) => (y - perHour * x) ** 2);
	return { perHour, error: Math.sqrt(offLine / (count - 2) / width) };
}

function medianOf(values: readonly number[]): number {
	const sorted = [...values].sort((a, b) => a - b);
	const middle = (sorted.length - 1) / 2;
	return ((sorted[Math.floor(middle)] ?? NaN) + (sorted[Math.ceil(middle)] ?? NaN)) / 2;
}
