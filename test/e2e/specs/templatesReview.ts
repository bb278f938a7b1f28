import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { output, type Execution } from '../../../harness/n8n-execution';
import { node } from '../flows';
import { DOCUMENTS, type World } from '../support';
import {
	expectNoGaps,
	expectSampleShape,
	expectSuccess,
	live,
	runLive,
	template,
	withQuickService,
} from '../templateRuns';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** The templates in which a rule decides about the extracted values, with the simulated service. */
export function templatesReviewSpec(world: () => World): void {
	it('certificate-check answers the vendor with each reason, and moves a certificate that meets all requirements to Fine', async () => {
		await withQuickService(world(), async (own) => {
			const folder = join(own.folder, 'certificates');
			await mkdir(folder, { recursive: true });
			const lasting = dateIn(300);
			const limits = { general: 1_000_000, auto: 1_000_000, umbrella: 5_000_000 };
			const fine = certificate({ ...limits, ends: lasting, compensationEnds: lasting });
			await writeFile(join(folder, 'fine.txt'), fine);
			const soon = dateIn(10);
			const low = { general: 1_000_000, auto: 500_000, ends: soon };
			const odd = certificate({ ...low, compensationEnds: dateIn(-5) });
			await writeFile(join(folder, 'odd.txt'), odd);
			const files = join(folder, '*.txt');
			const execution = await runLive(own, 'certificate-check', files, 'attachment_0');
			const [{ message } = {}, ...more] = output(execution, 'Answer the Vendor').map(
				({ json }) => json,
			);
			expect(more).toEqual([]);
			for (const reason of [
				`Commercial General Liability: expires on ${soon}`,
				`Automobile Liability: expires on ${soon}`,
				'Automobile Liability: the limit is 500,000, required are 1,000,000',
				'Umbrella Liability: not on the certificate',
				`Workers Compensation: expired on ${dateIn(-5)}`,
			])
				expect(message).toContain(`- ${reason}\n`);
			expect(String(message).match(/^- /gm)).toHaveLength(5);
			expect(output(execution, 'Move to Waiting for Vendor')).toHaveLength(1);
			expect(output(execution, 'Move to Fine')).toHaveLength(1);
			expectSampleShape(execution, 'certificate-check', 'Read the Certificate');

			const note = join(DOCUMENTS, 'claim-note.txt');
			const without = await runLive(own, 'certificate-check', note, 'attachment_0');
			expect(output(without, 'Move to Needs Review')).toHaveLength(1);
			expect(output(without, 'Tell the Team').map(({ json }) => json)).toMatchObject([
				{
					bodyContent: expect.stringMatching(
						/\nFile: claim-note.txt\n\nCheck: .*\n\nWhat to do: open/,
					),
				},
			]);
		});
	});

	it('claim-invoice passes each invoice on by what is left of the reserve, and none a second time', async () => {
		await withQuickService(world(), async (own) => {
			const folder = join(own.folder, 'invoices');
			await mkdir(folder, { recursive: true });
			const invoices = [
				['small', 'CL-2026-004417', '$850.00'],
				['large', 'CL-2026-004417', '$41,552.33'],
				['over', 'CL-2026-004502', '$18,900.00'],
				['unknown', 'CL-2026-009999', '$1,200.00'],
			];
			for (const [name = '', claim, total] of invoices)
				await writeFile(
					join(folder, `${name}.txt`),
					`Invoice Number: ${name}\nClaim Number: ${claim}\nTotal Due: ${total}\n`,
				);
			const id = await own.client.createWorkflow(withClaims(own, join(folder, '*.txt')));
			const run = async (): Promise<Execution> => {
				const execution = await own.client.waitForExecution(await own.client.run(id, 'Start'));
				expectSuccess(execution, []);
				expectNoGaps(execution, template('claim-invoice'));
				return execution;
			};
			const first = await run();
			const sent = (name: string) => output(first, name).map(({ json }) => json);
			expect(sent('Send to Payments')).toMatchObject([
				{
					toRecipients: 'payments@example.com',
					bodyContent: expect.stringMatching(/small\nAmount: 850\.00\nLeft.*: 48,150\.00\n/),
				},
			]);
			expect(sent('Ask the Adjuster')).toMatchObject([
				{ toRecipients: 'adjuster.one@example.com', subject: expect.stringMatching('large') },
			]);
			expect(sent('Tell That It Is Over the Reserve')).toMatchObject([
				{
					toRecipients: 'adjuster.two@example.com',
					bodyContent: expect.stringMatching(/18,900\.00\nLeft of the reserve: 15,000\.00\n/),
				},
			]);
			expect(sent('Tell the Claims Team')).toMatchObject([
				{ problem: 'There is no claim with the number CL-2026-009999' },
			]);
			expectSampleShape(first, 'claim-invoice', 'Read the Invoice');

			const again = output(await run(), 'Tell the Claims Team').map(({ json }) => json.problem);
			expect(again).toHaveLength(4);
			expect(again.filter((problem) => !String(problem).includes('it was sent before'))).toEqual(
				[],
			);
			await own.client.deleteWorkflow(id);
		});
	});
}

/** The example with real files, and with its sample data in place of a data table. */
function withClaims(own: World, files: string): ReturnType<typeof live> {
	const name = 'List the Claims';
	const flow = live(own, 'claim-invoice', files, 'attachment_0');
	const claims = template('claim-invoice').pinData[name];
	const code = node(name, 'n8n-nodes-base.code', 2, {
		jsCode: `return ${JSON.stringify(claims)};`,
	});
	return {
		...flow,
		nodes: flow.nodes.map((each) =>
			each.name === name ? { ...code, position: each.position } : each,
		),
	};
}

/** The ISO date in so many days, in the time zone of n8n. */
function dateIn(days: number): string {
	return new Date(Date.now() + days * DAY).toISOString().slice(0, 10);
}

interface Policies {
	general: number;
	auto: number;
	umbrella?: number;
	ends: string;
	compensationEnds: string;
}

/** The text of a certificate with a table of policies. */
function certificate({ general, auto, umbrella, ends, compensationEnds }: Policies): string {
	const row = (...cells: string[]) => cells.map((each) => each.padEnd(32)).join('');
	const policy = (type: string, end: string, limit: number) =>
		row(type, 'EX-1', '2026-01-01', end, 'Each occurrence', `$${limit.toLocaleString('en-US')}`);
	return [
		row('Type of Insurance', 'Policy', 'Effective', 'Expiration', 'Limit Applies To', 'Limit'),
		policy('Commercial General Liability', ends, general),
		policy('Automobile Liability', ends, auto),
		...(umbrella === undefined ? [] : [policy('Umbrella Liability', ends, umbrella)]),
		policy('Workers Compensation', compensationEnds, 500_000),
		'',
	].join('\n');
}
