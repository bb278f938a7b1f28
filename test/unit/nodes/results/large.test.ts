import { judge } from '../../../../nodes/DocumentWorkflow/results/judgement';
import { htmlReport } from '../../../../nodes/DocumentWorkflow/results/reportHtml';
import { markdownReport } from '../../../../nodes/DocumentWorkflow/results/reportMarkdown';
import { reportPage } from '../../../../nodes/DocumentWorkflow/results/reportPage';
import { manyClaims, reportsOf } from './reports';
import { cell, DEFAULT_SHAPING, executionOf, step, csvOf } from './support';

describe('A report of a large execution', () => {
	it('takes under 200 ms for 1,000 rows in each form', () => {
		const execution = executionOf(manyClaims(1_000));
		const shaping = { ...DEFAULT_SHAPING, minimumConfidence: 0.8 };
		const least = (write: () => unknown) =>
			Math.min(
				...Array.from({ length: 5 }, () => {
					const before = process.cpuUsage();
					write();
					const { user, system } = process.cpuUsage(before);
					return (user + system) / 1_000;
				}),
			);
		expect(least(() => csvOf(execution, shaping))).toBeLessThan(200);
		const page = () => reportPage(judge(execution, shaping), shaping, {});
		expect(least(() => htmlReport(page()))).toBeLessThan(200);
		expect(least(() => markdownReport(page()))).toBeLessThan(200);
	});

	it('is at most a few megabytes, whatever the execution holds', () => {
		const long = 'x'.repeat(2_000);
		const rows = Array.from({ length: 3_000 }, (_, index) => ({
			[`${long}${index}`]: cell(long, 0.1),
			b: [long],
		}));
		const { html, markdown } = reportsOf({
			steps: [step('s', rows), ...rows.slice(0, 50).map(() => step(long, []))],
		});
		expect(html.length).toBeLessThan(6_000_000);
		expect(markdown.length).toBeLessThan(2_000_000);
	});
});
