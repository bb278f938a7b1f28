import { randomUUID } from 'node:crypto';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startMailServer } from '../../../harness/mail-server';
import { withSetting } from '../../../harness/example-workflows';
import { output, type Execution } from '../../../harness/n8n-execution';
import type { WorkflowJson } from '../../../harness/n8n-rest';
import type { Scope } from '../lines';
import { node } from '../flows';
import { importMailbox } from '../mailbox';
import { attachment, compose, forwarded, sample } from '../mails';
import { DOCUMENTS, until, type World } from '../support';
import {
	asTemplate,
	expectNoGaps,
	expectSuccess,
	itemsOfAllRuns,
	live,
	runToEnd,
	template,
	withProbes,
	withQuickService,
	withService,
} from '../templateRuns';

const notice = (damage: string, injuries = 'None'): string =>
	[
		...['Policy Number: EMC-CP-1048823-26', 'Named Insured: Example Manufacturing Inc.'],
		...['Date of Loss: 04/18/2026', 'Cause of Loss: Vehicle impact'],
		...[`Estimated Damage: ${damage}`, `Injuries: ${injuries}`, ''],
	].join('\n');

/** The templates for tasks of every day. Slack, Gmail and SMTP are replaced by fields with what they would send; all else is real. */
export function templatesTasksSpec(world: () => World, { differencesOnly }: Scope): void {
	it('claims-by-mail leads mails of a real mailbox by their amount, injuries and doubts to who handles them', async () => {
		const server = await startMailServer();
		await withQuickService(world(), async (own) => {
			const id = await importMailbox(own, server, undefined, 'claims-by-mail');
			await own.client.activate(id);
			const claim = (name: string, ...texts: [string, string?]) =>
				compose(name, [attachment(`${name}.txt`, 'text/plain', notice(...texts))]);
			for (const mail of [
				await claim('small', '$1,850.00'),
				await claim('medium', '$18,750.00'),
				await claim('large', '$240,000.00'),
				await claim('injuries', '$500.00', 'Yes'),
				await compose('notice', [forwarded('notice.eml', sample('first-notice-of-loss.eml'))]),
			])
				server.deliver(mail);
			let runs: Execution[] = [];
			const told = (name: string) => runs.flatMap((run) => itemsOfAllRuns(run, name));
			await until(async () => {
				const ids = await own.client.executionIds(id);
				runs = await Promise.all(ids.map(async (each) => own.client.waitForExecution(each)));
				return told('Choose the Handler').length === 5;
			});
			for (const run of runs) expectNoGaps(run, template('claims-by-mail'));
			const mails = (name: string) => told(name).map(({ mail }) => String(mail).split(' ')[0]);
			expect(told('Open the Claim')).toMatchObject([{ amount: 1850, cause: 'Vehicle impact' }]);
			expect(told('Post That It Is Open')).toHaveLength(1);
			expect(mails('Tell the Adjuster')).toEqual(['medium']);
			expect(mails('Tell the Senior').sort()).toEqual(['injuries', 'large']);
			expect(told('Tell the Claims Desk')).toMatchObject([
				{
					text: expect.stringMatching(/^Reason: Check: .*date of loss[^]*estimated_damage: 48750/),
					'options.attachments': 'attachment_0',
				},
			]);
			await own.client.deactivate(id);
		}).finally(async () => server.stop());
	});

	it('renewals tells who renews each policy in 90, 60 or 30 days what is on file, and what is missing or too old', async () => {
		await withQuickService(world(), async (own) => {
			const folder = join(own.folder, 'renewals');
			const files = join(folder, 'EMC-CP-1048823-26');
			await mkdir(files, { recursive: true });
			for (const name of ['declarations-page.pdf', 'loss-run.pdf'])
				await copyFile(join(DOCUMENTS, name), join(files, name));
			const pinned = ['Each Morning', 'List the Policies'];
			const flow = withProbes(withService(own, template('renewals')), [
				...pinned,
				'Read the Files',
			]);
			const samples = Object.entries(flow.pinData).filter(([name]) => pinned.includes(name));
			const today = withSetting(
				{ ...flow, pinData: Object.fromEntries(samples) },
				'folder',
				folder,
			);
			const execution = await runToEnd(own, asTemplate(today));
			expectSuccess(execution, []);
			expectNoGaps(execution, template('renewals'));
			const all = 'declarations-page, loss-run, application';
			expect(output(execution, 'Tell the Account Manager').map(({ json }) => json)).toMatchObject([
				{
					subject: 'Renewal in 90 days: Example Manufacturing Inc., EMC-CP-1048823-26',
					missing: ['application'],
					problems: expect.arrayContaining([
						'declarations-page.pdf: Check: policy details: underwriter (no value)',
						'loss-run.pdf: it is valued as of 2026-02-10: too old',
					]),
					text: expect.stringContaining('expiration_date: "2027-03-01"'),
				},
				{ days: 30, text: expect.stringContaining(`Missing: ${all}\nTo check: nothing`) },
				{ days: null, problems: ['The list has no date of expiration: "soon"'] },
			]);
		});
	});

	if (differencesOnly) return; // n8n 1 makes no Data table

	it('submission asks the broker for what is missing, and joins the second mail to the case by the External ID', async () => {
		await withQuickService(world(), async (own) => {
			await writeFile(join(own.folder, 'fleet.csv'), VEHICLES);
			const table = `Cases ${randomUUID()}`; // n8n keeps it
			const mail = async (...files: string[]): Promise<Execution> => {
				const gather = node('Gather', 'n8n-nodes-base.aggregate', 1, {
					...{ aggregate: 'aggregateAllItemData', destinationFieldName: 'files' },
					options: { includeBinaries: true },
				});
				const flow = live(own, 'submission', `{${files.join(',')}}`, 'attachment_0', gather);
				const ownTable = JSON.stringify(flow).replaceAll('Submission cases', table);
				const execution = await own.client.runToEnd(JSON.parse(ownTable) as WorkflowJson);
				expectNoGaps(execution, template('submission'));
				return execution;
			};
			const of = (name: string) => join(DOCUMENTS, name);
			const first = await mail(of('application.pdf'), of('loss-run.pdf'), of('invoice.pdf'));
			expect(output(first, 'Draft a Mail to the Broker').map(({ json }) => json)).toMatchObject([
				{
					message: expect.stringContaining('- vehicle schedule\n- statement of values\n\nPlease'),
					'options.threadId': '19example0007',
				},
			]);
			const second = await mail(join(own.folder, 'fleet.csv'), of('statement-of-values.pdf'));
			expect(second.runs).not.toHaveProperty(['Draft a Mail to the Broker']);
			expect(output(second, 'Save the Case').map(({ json }) => json)).toMatchObject([
				{
					application: 'application.pdf',
					vehicleSchedule: 'fleet.csv',
					lossRuns: 'loss-run.pdf',
				},
			]);
			const [told] = output(second, 'Tell the Team');
			expect(told?.json.subject).toMatch(/^Complete: Submission: Example/);
			expect(told?.json.message).toMatch(/Missing: nothing[^]*- vehicles: vehicle: 1, year: 2022/);
			const joined = own.simulator.state.executions.all().map(({ metadata }) => metadata);
			expect(joined).toEqual(Array(4).fill({ external_id: '19example0007' }));
		});
	});
}

const VEHICLES = [
	'Veh,Year,Make,Model,VIN,Garaging,Cost New',
	'1,2022,Sample,Cargo Van,1SAMPLE0000000001,Exampleton,"41,200.00"',
	'',
].join('\n');
