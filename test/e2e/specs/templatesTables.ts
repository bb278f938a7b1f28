import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { output, type Execution } from '../../../harness/n8n-execution';
import { node } from '../flows';
import { DOCUMENTS, expectedOf, type World } from '../support';
import {
	expectNoGaps,
	expectSampleShape,
	expectSuccess,
	itemsOfAllRuns,
	live,
	submitExample,
	template,
	withQuickService,
} from '../templateRuns';

const MINUTE = 60_000;

/** The templates that make rows of several documents, with the simulated service. */
export function templatesTablesSpec(world: () => World): void {
	it(
		'submission makes a row of each applicant, vehicle, location and claim, and says what was not read',
		async () => {
			await withQuickService(world(), async (own) => {
				await writeFile(join(own.folder, 'fleet.csv'), VEHICLES);
				await writeFile(join(own.folder, 'photos.pdf'), '%PDF-1.4');
				const execution = await runSubmission(own, [
					join(own.folder, 'fleet.csv'),
					join(own.folder, 'photos.pdf'),
					...['application', 'loss-run', 'statement-of-values'].map((name) =>
						join(DOCUMENTS, `${name}.pdf`),
					),
				]);
				const { steps } = expectedOf('statement-of-values');
				expect(added(execution, 'Locations')).toMatchObject(steps.locations ?? []);
				expect(added(execution, 'Claims')).toMatchObject(expectedOf('loss-run').steps.claims ?? []);
				expect(added(execution, 'Applicant')).toMatchObject([
					expectedOf('application').steps.applicant?.[0],
				]);
				const submission = { Submission: 'Submission: Example Manufacturing Inc., 03/01/2027' };
				expect(added(execution, 'Vehicles')).toMatchObject([
					{ ...submission, 'Needs Review': 'No', vin: '1SAMPLE0000000001', cost_new: 41_200 },
					{ ...submission, 'Needs Review': 'Yes', vin: null, cost_new: 68_500 },
				]);
				expect(mails(execution)).toEqual([
					expect.stringMatching(/File: photos.pdf\n\nThese files were not read/),
				]);
				const [mail] = output(execution, 'Tell the Team');
				expect(Object.values(mail?.binary ?? {})).toHaveLength(5);
				for (const name of ['Application', 'Statement of Values', 'Loss Runs'])
					expectSampleShape(execution, 'submission', `Read the ${name}`);
			});
		},
		MINUTE,
	);

	it(
		'submission tells the team which documents are missing or could not be read',
		async () => {
			await withQuickService(world(), async (own) => {
				const failWith = { error: 'The document has no pages.' };
				own.simulator.state.workflows.change('schedule-of-values', { failWith });
				const files = ['loss-run', 'statement-of-values'];
				const execution = await runSubmission(
					own,
					files.map((name) => join(DOCUMENTS, `${name}.pdf`)),
				);
				expect(added(execution, 'Claims')).toHaveLength(15);
				expect(mails(execution).sort()).toEqual([
					expect.stringMatching(/Nothing was sent: .* does not match \*application\*/),
					expect.stringMatching(/Nothing was sent: .* does not match \*vehicle\*/),
					expect.stringContaining('The execution failed: The document has no pages'),
				]);
			});
		},
		MINUTE,
	);

	it(
		'loss-runs adds up the claims of all loss runs by year, each once with its latest valuation',
		async () => {
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
				expect(mail?.json['options.fileAttachments']).toBe('claims,report,report_1');
				expect(Object.values(mail?.binary ?? {}).map(({ fileName }) => fileName)).toContain(
					'claims.xlsx',
				);
				expectSampleShape(execution, 'loss-runs', 'Read the Loss Runs');
			});
		},
		MINUTE,
	);

	it(
		'loss-runs sends the totals without a loss run that failed, and also when there is no claim',
		async () => {
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
				expect(mail?.json['options.fileAttachments']).toBe('claims,report');
				const told = itemsOfAllRuns(execution, 'Tell What Failed').map(({ text }) => String(text));
				expect(told.sort()).toEqual([
					expect.stringContaining('Reason: Nothing was sent: empty.txt (it is empty)'),
					expect.stringContaining('Reason: The workflow rejected the request (status 400)'),
				]);
			});
		},
		MINUTE,
	);
}

const VEHICLES = [
	'Veh,Year,Make,Model,VIN,Garaging,Cost New',
	'1,2022,Sample,Cargo Van,1SAMPLE0000000001,Exampleton,"41,200.00"',
	'2,2019,Sample,Box Truck,,Exampleton,"68,500.00"',
	'',
].join('\n');

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

/** The mail of the sample data with files as its attachments. */
async function runSubmission(own: World, files: string[]): Promise<Execution> {
	const gather = node('Gather', 'n8n-nodes-base.aggregate', 1, {
		...{ aggregate: 'aggregateAllItemData', destinationFieldName: 'files' },
		options: { includeBinaries: true },
	});
	const workflow = live(own, 'submission', `{${files.join(',')}}`, 'attachment_0', gather);
	const execution = await own.client.runToEnd(workflow);
	expectSuccess(execution, []);
	expectNoGaps(execution, template('submission'));
	return execution;
}

/** The rows of a tab; each is in a run of its own, because the documents are read one after the other. */
const added = (execution: Execution, tab: string) => itemsOfAllRuns(execution, `Add the ${tab}`);

const mails = (execution: Execution) =>
	itemsOfAllRuns(execution, 'Tell the Team').map(({ text }) => String(text));
