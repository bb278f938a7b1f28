import { judge } from '../../../../nodes/DocumentWorkflow/results/judgement';
import { reportPage } from '../../../../nodes/DocumentWorkflow/results/report/page';
import { shape } from '../../../../nodes/DocumentWorkflow/results/shape';
import { givingWay, mapRows } from '../../../../nodes/DocumentWorkflow/results/turns';
import { manyClaims } from './report/reports';
import { executionOf, madeOf, shapingOf } from './support';

const ROWS = 200;

describe('Work on many rows', () => {
	it('lets other work go on after 50 milliseconds, several works one after the other', async () => {
		let age = 0;
		const rows = Array.from({ length: 100 }, () => (age += 10));
		let turns = 0;
		const others = setInterval(() => turns++, 0);
		const work = () =>
			givingWay(
				mapRows(rows, () => (age += 10)),
				() => age,
			);
		await Promise.all([work(), work()]);
		clearInterval(others);
		expect(turns).toBeGreaterThanOrEqual(30);
		expect(await givingWay(mapRows(rows, (row) => row))).toEqual(rows);
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
