import { judge } from '../../../../nodes/DocumentWorkflow/results/judgement';
import { reportPage } from '../../../../nodes/DocumentWorkflow/results/report/page';
import { shape } from '../../../../nodes/DocumentWorkflow/results/shape';
import { givingWay, mapRows } from '../../../../nodes/DocumentWorkflow/results/turns';
import { manyClaims } from './report/reports';
import { executionOf, madeOf, shapingOf } from './support';

const ROWS = 200;

describe('Work on many rows', () => {
	/** In milliseconds. All long work of a process shares its turns, so the tests share its age. */
	let age = 0;

	it.each([
		['several works one after the other', 2, 100, 10, 30],
		['results that arrive together', 24, 2, 15, 12],
	])('lets other work go on after 50 milliseconds: %s', async (_, works, rows, each, least) => {
		const work = () => mapRows(Array<number>(rows).fill(each), (row) => (age += row));
		let turns = 0;
		const others = setInterval(() => turns++, 0);
		await Promise.all(Array.from({ length: works }, async () => givingWay(work(), () => age)));
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
