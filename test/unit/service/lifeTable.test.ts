import fc from 'fast-check';
import { History, LifeTable } from '../../../service/lifeTable';

/** The share of executions that the table expects to run still at `age`, of those that ran at `from`. */
function stillRunning(table: LifeTable, age: number, from = 0): number {
	const hazard = [...table.spans(from, age)].reduce(
		(sum, span) => sum + span.hazard * (span.to - span.from),
		0,
	);
	return Math.exp(-hazard);
}

describe('a life table', () => {
	it('expects endings above all from 1 to 3 minutes as long as none was seen', () => {
		const table = new LifeTable();
		const shareThatEnds = (from: number, to: number) => 1 - stillRunning(table, to, from);
		expect(shareThatEnds(60_000, 180_000)).toBeGreaterThan(0.9);
		expect(shareThatEnds(20_000, 57_000)).toBeLessThan(0.4);
		expect(shareThatEnds(200_000, 600_000)).toBeLessThan(0.5);
	});

	it('learns from endings how long executions take', () => {
		const table = new LifeTable();
		for (let execution = 0; execution < 30; execution++) {
			table.sawRunning(0, 15_000);
			table.sawEnded(15_000, 17_000);
		}
		expect(stillRunning(table, 11_000)).toBeGreaterThan(0.9);
		expect(stillRunning(table, 18_000)).toBeLessThan(0.3);
	});

	it('learns as much from executions that still run', () => {
		const table = new LifeTable();
		for (let execution = 0; execution < 30; execution++) table.sawRunning(0, 600_000);
		expect(stillRunning(table, 600_000)).toBeGreaterThan(0.8);
		expect(stillRunning(table, 900_000, 600_000)).toBeLessThan(0.9);
	});

	it('shares an ending of which the time is not known out over the time where it may have been', () => {
		const [seen, table] = [new LifeTable(), new LifeTable()];
		for (const each of [seen, table]) {
			for (let execution = 0; execution < 20; execution++) {
				each.sawRunning(0, 40_000);
				each.sawEnded(40_000, 41_000);
			}
		}
		for (let execution = 0; execution < 20; execution++) table.sawEnded(0, 60_000);
		expect(stillRunning(table, 30_000)).toBeGreaterThan(0.85);
		expect(stillRunning(table, 58_000)).toBeLessThan(0.1);
		const survivors = (each: LifeTable) => stillRunning(each, 30_000);
		expect(Math.abs(survivors(table) - survivors(seen))).toBeLessThan(0.1);
	});

	it('counts each ending once', () => {
		const table = new LifeTable();
		for (let execution = 0; execution < 1000; execution++) {
			if (execution % 2 === 0) table.sawEnded(30_000, 60_000);
			else table.sawRunning(30_000, 60_000);
		}
		expect(stillRunning(table, 60_000, 30_000)).toBeCloseTo(0.5, 1);
	});

	it('learns nothing from no time', () => {
		const table = new LifeTable();
		table.sawEnded(7_000, 7_000);
		table.sawRunning(7_000, 7_000);
		expect(stillRunning(table, 20_000)).toBe(stillRunning(new LifeTable(), 20_000));
	});

	it('copes with an ending in a moment that was all but ruled out', () => {
		const table = new LifeTable();
		for (let execution = 0; execution < 100; execution++) table.sawRunning(0, 99_000_000);
		table.sawEnded(90_000_000, 90_000_000 * (1 + Number.EPSILON));
		expect(stillRunning(table, 99_000_000, 80_000_000)).toBeGreaterThan(0.9);
		expect(stillRunning(table, 99_000_000, 80_000_000)).toBeLessThan(1);
	});

	it('divides time that begins where a group ends as any other', () => {
		for (let bound = 1_000; bound < 100_000_000; bound *= 1.5) {
			for (const from of [bound, bound * (1 - Number.EPSILON), bound * (1 + Number.EPSILON)]) {
				const spans = [...new LifeTable().spans(from, bound * 2)];
				expect(spans[0]?.from).toBe(from);
				for (const span of spans) expect(span.to).toBeGreaterThan(span.from);
			}
		}
	});

	it('divides any time into spans without gaps, each with a hazard above zero, whatever was seen', () => {
		const age = fc.integer({ min: 0, max: 100_000_000 });
		const sights = fc.array(fc.record({ one: age, other: age, hasEnded: fc.boolean() }), {
			maxLength: 30,
		});
		fc.assert(
			fc.property(sights, age, age, (seen, one, other) => {
				const table = new LifeTable();
				for (const sight of seen) {
					const times = [
						Math.min(sight.one, sight.other),
						Math.max(sight.one, sight.other),
					] as const;
					if (sight.hasEnded) table.sawEnded(...times);
					else table.sawRunning(...times);
				}
				const [from, to] = [Math.min(one, other), Math.max(one, other)];
				let at = from;
				for (const span of table.spans(from, to)) {
					expect(span.from).toBe(at);
					expect(span.to).toBeGreaterThan(span.from);
					expect(span.hazard).toBeGreaterThan(0);
					expect(Number.isFinite(span.hazard)).toBe(true);
					at = span.to;
				}
				expect(at).toBe(to);
			}),
		);
	});
});

describe('the history of a batch', () => {
	it('keeps the executions of each workflow apart', () => {
		const history = new History();
		history.of('a').sawRunning(0, 100_000);
		expect(stillRunning(history.of('a'), 50_000)).toBeGreaterThan(
			stillRunning(history.of('b'), 50_000),
		);
		expect(stillRunning(history.of('b'), 50_000)).toBe(stillRunning(new LifeTable(), 50_000));
	});
});
