import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { output } from '../../../harness/n8n-execution';
import { DOCUMENTS, expectedOf, type World } from '../support';
import {
	expectSampleShape,
	itemsOfAllRuns,
	submitExample,
	withQuickService,
} from '../templateRuns';

/** The template that makes one table of several documents, with the simulated service. */
export function templatesTablesSpec(world: () => World): void {
	it('loss-runs adds up the claims of all loss runs by year, each once with its latest valuation', async () => {
		await withQuickService(world(), async (own) => {
			const execution = await submitExample(own, 'loss-runs', [
				'Example Manufacturing Inc.',
				{
					'loss-run.pdf': new Uint8Array(readFileSync(join(DOCUMENTS, 'loss-run.pdf'))),
					'earlier.txt': lossRun('01/31/2022', [
						'CL-2021-001284  05/17/2021  Hail damage to roof membrane  Open    1,000.00  40,000.00  41,000.00',
						'CL-2020-000777  03/02/2020  Wind damage to sign           Closed  2,500.00       0.00   2,500.00',
					]),
				},
			]);
			const { claims = [] } = expectedOf('loss-run').steps;
			const [mail, ...more] = output(execution, 'Send the Totals');
			expect(more).toEqual([]);
			const years = mail?.json.years as Array<Record<string, unknown>>;
			expect(years.map(({ Year }) => Year)).toEqual(['2020', ...yearsOf(claims)]);
			expect(years[0]).toMatchObject({ unique_count_Claim_Number: 1, sum_Incurred: 2_500 });
			for (const { Year, ...totals } of years.slice(1)) {
				const ofYear = claims.filter(({ date_of_loss: date }) =>
					String(date).startsWith(String(Year)),
				);
				expect(totals).toEqual({
					unique_count_Claim_Number: ofYear.length,
					sum_Paid: sumOf(ofYear, 'paid'),
					sum_Reserved: sumOf(ofYear, 'reserved'),
					sum_Incurred: sumOf(ofYear, 'incurred'),
				});
			}
			expect(mail?.json.html).toContain('<tr><td>2020</td><td align="right">1</td>');
			expect(mail?.json.html).toContain('2 loss runs were read for Example Manufacturing Inc.');
			expect(mail?.json['options.attachments']).toBe('claims,report,report_1');
			expect(Object.values(mail?.binary ?? {}).map(({ fileName }) => fileName)).toContain(
				'claims.xlsx',
			);
			expectSampleShape(execution, 'loss-runs', 'Read the Loss Runs');
		});
	});

	it('loss-runs sends the totals without a loss run that failed, and also when there is no claim', async () => {
		await withQuickService(world(), async (own) => {
			const action = { type: 'status', status: 400 } as const;
			own.simulator.state.faults.add({ route: 'create', times: 1, action });
			const execution = await submitExample(own, 'loss-runs', [
				'Example Manufacturing Inc.',
				{
					'first.txt': lossRun('01/31/2025', []),
					'second.txt': lossRun('01/31/2026', []),
					'empty.txt': '',
				},
			]);
			const [mail, ...more] = output(execution, 'Send the Totals');
			expect(more).toEqual([]);
			expect(mail?.json.years).toMatchObject([
				{ Year: 'No claims', unique_count_Claim_Number: 0, sum_Incurred: 0 },
			]);
			expect(mail?.json['options.attachments']).toBe('claims,report');
			const told = itemsOfAllRuns(execution, 'Tell What Failed').map(({ text }) => String(text));
			expect(told.sort()).toEqual([
				expect.stringContaining('Reason: Nothing was sent: empty.txt (it is empty)'),
				expect.stringContaining('Reason: The workflow rejected the request (status 400)'),
			]);
		});
	});
}

function lossRun(valuedAsOf: string, claims: string[]): string {
	return [
		...['Insured: Example Manufacturing Inc.', 'Account Number: ACCT-1048823'],
		...['Line of Business: Commercial Property', `Valuation Date: ${valuedAsOf}`, ''],
		'Claim Number    Date of Loss  Description  Status  Paid  Reserved  Incurred',
		...claims,
		'',
	].join('\n');
}

const yearsOf = (claims: Array<Record<string, unknown>>): string[] =>
	[...new Set(claims.map(({ date_of_loss: date }) => String(date).slice(0, 4)))].sort();

const sumOf = (claims: Array<Record<string, unknown>>, field: string): unknown =>
	expect.closeTo(
		claims.reduce((sum, claim) => sum + Number(claim[field]), 0),
		2,
	);
