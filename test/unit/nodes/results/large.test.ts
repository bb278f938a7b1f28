import { csvReport } from '../../../../nodes/DocumentWorkflow/results/reportCsv';
import { htmlReport } from '../../../../nodes/DocumentWorkflow/results/reportHtml';
import { markdownReport } from '../../../../nodes/DocumentWorkflow/results/reportMarkdown';
import { reportPage } from '../../../../nodes/DocumentWorkflow/results/reportPage';
import type { Execution } from '../../../../service/contract';
import { growthOf, LINEAR } from '../../support/growth';
import { manyClaims, reportsOf } from './reports';
import { cell, DEFAULT_SHAPING, executionOf, step } from './support';

describe('A report of a large execution', () => {
	const shaping = { ...DEFAULT_SHAPING, minimumConfidence: 0.8 };

	it.each<[string, (execution: Execution) => unknown]>([
		['a table', (execution) => csvReport(execution, shaping)],
		['a page', (execution) => htmlReport(reportPage(execution, shaping, {}))],
		['a text', (execution) => markdownReport(reportPage(execution, shaping, {}))],
	])('takes time in proportion to its rows as %s', async (_, write) => {
		const make = (rows: number) => executionOf(manyClaims(rows));
		expect(await growthOf(make, write, 2_000)).toBeLessThan(LINEAR);
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
