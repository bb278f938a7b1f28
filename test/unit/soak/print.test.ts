import { MEASURES, type Measure, type MeasureName, type Samples } from '../../soak/samples';
import { printSoak } from '../../soak/print';
import type { SoakFigures } from '../../soak/soak';

const MINUTE = 60_000;
const MINUTES = 30;
const names = Object.keys(MEASURES) as MeasureName[];

/** A sample a minute of each measure, the same each time, where nothing else is given. */
function figures({
	growing = {},
	...others
}: Partial<SoakFigures> & { growing?: Partial<Record<MeasureName, number>> } = {}): SoakFigures {
	const samples = Object.fromEntries(
		names.map((name) => [
			name,
			Array.from({ length: MINUTES }, (_, index) => ({
				at: index * MINUTE,
				value: 1_000 + (index * (growing[name] ?? 0)) / 60,
			})),
		]),
	) as Samples;
	const rest = { handles: 10, files: 20, sockets: 5, heap: 1e8 };
	return {
		kinds: new Map([
			['waiting', { runs: 2, documents: 8, verdicts: new Map([['result', 8]]), bytes: 20_000 }],
		]),
		samples,
		rest: { before: rest, after: rest },
		events: 3,
		deliveries: { accepted: 9, repeated: 1, givenUp: 0 },
		paused: 4,
		faults: 5,
		requests: 100,
		findings: [],
		seconds: 1_800,
		...others,
	};
}

describe('The end of a soak', () => {
	let printed = '';

	beforeEach(() => {
		printed = '';
		jest.spyOn(console, 'log').mockImplementation((text: string) => (printed += `${text}\n`));
	});
	afterEach(() => jest.restoreAllMocks());

	it('is fine when nothing was lost and nothing grew, and says what was done', () => {
		expect(printSoak(figures(), MINUTES)).toBe(true);
		expect(printed).toMatch(/Create and Wait .* 2 .* 8 .* 10\.0 kB .* result 8/);
		expect(printed).toContain('lost or unexpected: 0');
	});

	it('is not fine when a document was lost, an event had no answer, or something is still open at rest', () => {
		expect(printSoak(figures({ findings: ['r1-0 is lost'] }), MINUTES)).toBe(false);
		expect(printed).toContain('r1-0 is lost');
		const deliveries = { accepted: 9, repeated: 1, givenUp: 1 };
		expect(printSoak(figures({ deliveries }), MINUTES)).toBe(false);
		const rest = { before: { sockets: 5 }, after: { sockets: 50 } };
		expect(printSoak(figures({ rest }), MINUTES)).toBe(false);
		expect(printed).toContain('of these, sockets grew by 45.0');
	});

	it.each(['heap', 'resident', 'handles', 'files', 'sockets'] as const)(
		'is not fine when this grows too much in an hour: %s',
		(name) => {
			const { title, growth = NaN, divisor = 1 }: Measure = MEASURES[name];
			const growing = (factor: number) =>
				figures({ growing: { [name]: factor * growth * divisor } });
			expect(printSoak(growing(0.9), MINUTES)).toBe(true);
			expect(printSoak(growing(1.1), MINUTES)).toBe(false);
			expect(printed).toContain(`${title} grew by`);
		},
	);

	it('does not judge the growth in a run of a few minutes, which has too few samples', () => {
		expect(printSoak(figures({ growing: { sockets: 1_000 } }), 3)).toBe(true);
	});
});
