import { manyClaims, reportOn } from './report/reports';
import { cell, step } from './support';

describe('A report of a large execution', () => {
	it('is at most a few megabytes, whatever the execution holds', async () => {
		const long = 'x'.repeat(2_000);
		const rows = Array.from({ length: 3_000 }, (_, index) => ({
			[`${long}${index}`]: cell(long, 0.1),
			b: [long],
		}));
		const steps = [step('s', rows), ...rows.slice(0, 50).map(() => step(long, []))];
		expect((await reportOn({ steps })).length).toBeLessThan(1_100_000);
	});

	it('says of each table how many lines it lacks', async () => {
		const page = await reportOn(manyClaims(5_000));
		expect(page).toMatch(
			/Not shown here: \d+ of 5000 lines\.[^]*Not shown here: \d+ of 5000 lines\./,
		);
		expect(page).toContain('CLM-999<');
		expect(page).not.toContain('CLM-4999<');
		expect(page.length).toBeLessThan(1_100_000);
		expect(await reportOn(manyClaims(1_000))).not.toContain('Not shown here');
	});

	it('lists the documents also where the rows do not fit', async () => {
		const page = await reportOn(manyClaims(5_000), {}, { documents: [{ fileName: 'claims.pdf' }] });
		expect(page).toContain('>claims.pdf</td>');
	});
});
