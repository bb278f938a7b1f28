import { tableOf } from '../../benchmarks/figures';
import { KINDS, type KindName } from './kinds';
import { MEASURES, trendOf, type Measure, type MeasureName, type Trend } from './samples';
import type { SoakFigures } from './soak';

/** This share of the work is the warm-up: n8n compiles what runs often, fills its caches, and keeps its first executions. */
const WARM_UP = 1 / 3;
/** A shorter run has too few samples for a slope. */
const JUDGED_FROM_MINUTES = 20;

interface Row {
	measure: Measure;
	name: MeasureName;
	trend: Trend;
	before: number | undefined;
	after: number | undefined;
}

/** Prints the figures and the findings; returns whether nothing was lost or unexpected, and nothing grew. */
export function printSoak(figures: SoakFigures, minutes: number): boolean {
	const kinds = tableOf(['What n8n did', 'n8n executions', 'documents', 'n8n stores of each', '']);
	for (const [name, { runs, documents, bytes, verdicts }] of figures.kinds)
		kinds.push([
			titleOf(name),
			runs,
			documents,
			`${(bytes / runs / 1_000).toFixed(1)} kB`,
			[...verdicts].map(([verdict, count]) => `${verdict} ${count}`).join(', '),
		]);
	console.log(kinds.toString());

	const rows = rowsOf(figures);
	const table = tableOf([
		...['Measured', 'unit', 'start', 'end', 'highest', 'per hour', '±', 'at most'],
		...['at rest before', 'and after', 'more by at most'],
	]);
	for (const { measure, trend, before, after } of rows)
		table.push([
			measure.title,
			measure.unit,
			...[trend.start, trend.end, trend.highest, trend.perHour, trend.error].map(text),
			...[measure.growth, before, after, measure.left].map(text),
		]);
	console.log(table.toString());

	const { deliveries, paused, events, requests, faults, seconds, findings } = figures;
	const growing = grown(rows, minutes);
	console.log(
		[
			`${seconds.toFixed(0)} s; ${requests} requests to the service, of which ${faults} failed`,
			`events that started an n8n workflow: ${events}`,
			`calls of the trigger: ${deliveries.accepted} accepted, ${deliveries.repeated} failed and repeated, ${deliveries.givenUp} lost`,
			`n8n executions that paused: ${paused}`,
			`lost or unexpected: ${findings.length}`,
			...findings,
			...growing,
		].join('\n'),
	);
	return findings.length + deliveries.givenUp + growing.length === 0;
}

const titleOf = (name: KindName): string => KINDS[name].title;

function rowsOf({ samples, rest }: SoakFigures): Row[] {
	return (Object.entries(MEASURES) as Array<[MeasureName, Measure]>).map(([name, measure]) => {
		const { divisor = 1 } = measure;
		const own = samples[name].map(({ at, value }) => ({ at, value: value / divisor }));
		const [from, to] = [own[0]?.at ?? 0, own.at(-1)?.at ?? 0];
		const warm = own.filter(({ at }) => at >= from + WARM_UP * (to - from));
		const at = (when: 'before' | 'after') => {
			const value = rest[when][name];
			return value === undefined ? undefined : value / divisor;
		};
		return { measure, name, trend: trendOf(warm), before: at('before'), after: at('after') };
	});
}

/** What grew more than it may, in words. */
function grown(rows: Row[], minutes: number): string[] {
	return rows.flatMap(({ measure, trend, before = NaN, after = NaN }) => {
		const { title, unit, growth = Infinity, left = Infinity } = measure;
		const grows = minutes >= JUDGED_FROM_MINUTES && trend.perHour > growth;
		return [
			...(grows ? [`${title} grew by ${text(trend.perHour)} ${unit} an hour`] : []),
			...(after - before > left
				? [`${title} grew by ${text(after - before)} ${unit} at rest`]
				: []),
		];
	});
}

function text(value: number | undefined): string {
	return value === undefined || !Number.isFinite(value)
		? ''
		: value.toFixed(Math.abs(value) < 100 ? 1 : 0);
}
