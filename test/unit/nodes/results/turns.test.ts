import { forEachItem } from '../../../../nodes/DocumentWorkflow/actions/operation';
import { judge } from '../../../../nodes/DocumentWorkflow/results/judgement';
import { reportPage } from '../../../../nodes/DocumentWorkflow/results/report/page';
import { shape } from '../../../../nodes/DocumentWorkflow/results/shape';
import { givingWay, mapRows } from '../../../../nodes/DocumentWorkflow/results/turns';
import { manyClaims } from './report/reports';
import { executionOf, madeOf, shapingOf } from './support';

const ROWS = 200;

/** All long work of a process shares its turns, so the tests share its age in milliseconds. */
let age = 0;
beforeEach(() => void jest.spyOn(performance, 'now').mockImplementation(() => age));
const rowsOf = async (each: number, count: number) =>
	givingWay(mapRows(Array<number>(count).fill(each), (took) => (age += took)));
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

	const execution = executionOf(manyClaims(ROWS));
	it.each(['simplified', 'rows', 'selected'] as const)('has a part for each row: %s', (output) => {
		const shaping = shapingOf({ output, minimumConfidence: 0.8 });
		const judged = madeOf(judge(execution, shaping));
		const works = [
			judge(execution, shaping),
			shape(judged, shaping),
			reportPage(judged, shaping, {}),
		];
		for (const work of works) expect([...work].length).toBeGreaterThanOrEqual(ROWS);
	});
});
