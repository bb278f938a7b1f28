import type { Json } from '../../../../service/contract';
import { forEachItem } from '../../../../nodes/DocumentWorkflow/actions/operation';
import { judge } from '../../../../nodes/DocumentWorkflow/results/judge/judge';
import { reportPage } from '../../../../nodes/DocumentWorkflow/results/words/report/page';
import { shape } from '../../../../nodes/DocumentWorkflow/results/items/result';
import { mapRows } from '../../../../nodes/DocumentWorkflow/connection/time';
import { manyClaims } from '../results/report/reports';
import { executionOf, settingsOf } from '../results/support';

const ROWS = 200;

/** All long work of a process shares its turns, so the tests share its age in milliseconds. */
let age = 0;
beforeEach(() => void jest.spyOn(performance, 'now').mockImplementation(() => age));
const rowsOf = async (each: number, count: number) =>
	mapRows(Array<number>(count).fill(each), (took) => (age += took));
const itemsOf = async (each: number, count: number) => {
	const getInputData = () => Array<object>(count).fill({});
	const context = { getInputData, getExecutionCancelSignal: () => undefined } as never;
	return forEachItem({ context }, async () => Promise.resolve((age += each)));
};

describe('Long work', () => {
	it.each([
		['of several works one after the other', rowsOf, 2, 100, 10, 30],
		['of results that arrive together', rowsOf, 24, 2, 15, 12],
		['of items that are prepared', itemsOf, 1, 50, 15, 12],
	])('lets others go on after 50 milliseconds: %s', async (_, work, works, count, each, least) => {
		let turns = 0;
		const others = setInterval(() => turns++, 0);
		await Promise.all(Array.from({ length: works }, async () => work(each, count)));
		clearInterval(others);
		expect(turns).toBeGreaterThanOrEqual(least);
	});

	const steps = (data: Json) => ({ steps: Array<Json>(ROWS).fill({ step_name: 's', data }) });
	it.each([
		['rows', 'simplified', manyClaims(ROWS)],
		['rows', 'rows', manyClaims(ROWS)],
		['rows', 'selected', manyClaims(ROWS)],
		['steps with content', 'simplified', steps('text')],
		['empty steps', 'simplified', steps([])],
	] as const)(
		'lets others go on between %s, while they are judged and become items and a report: %s',
		async (_, output, body) => {
			const execution = executionOf(body);
			const settings = settingsOf({ output, minimumConfidence: 0.8 });
			let turns = 0;
			const count = async <T>(work: () => Promise<T>): Promise<T> => {
				turns = 0;
				const others = setInterval(() => turns++, 0);
				const made = await work();
				clearInterval(others);
				expect(turns).toBeGreaterThan(20);
				return made;
			};
			jest.spyOn(performance, 'now').mockImplementation(() => (age += 10));
			const judged = await count(async () => judge(execution, settings));
			await count(async () => shape(judged, settings));
			await count(async () => reportPage(judged, settings, {}));
		},
	);
});
