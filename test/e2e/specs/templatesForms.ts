import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { output, type Execution } from '../../../harness/n8n-execution';
import { nextPage, openLastPage, sendForm, submitForm, textAt } from '../forms';
import { SETTLED } from '../reviews';
import { DOCUMENTS, type World } from '../support';
import {
	expectNoGaps,
	expectSampleShape,
	expectSuccess,
	publishForm,
	runToPage,
	template,
	withProbes,
	withQuickService,
	withService,
} from '../templateRuns';

/** All values of a loss. */
const LOSS = [
	...['Policy Number: EMC-CP-1048823-26', 'Named Insured: Example Manufacturing Inc.'],
	...['Claim Number: CL-2026-004417', 'Date of Loss: 04/18/2026', 'Time of Loss: 6:40 AM'],
	...['Location of Loss: 240 Sample Street', 'Type of Loss: Vehicle impact'],
	...['Description of Loss: A truck struck the north wall.', 'Estimated Damage: $48,750.00'],
	...['Injuries: None', 'Contact: A. Eksempel', 'Contact Phone: (614) 555-0173', ''],
].join('\n');

/** The templates that begin with a form, with n8n's form and the simulated service. */
export function templatesFormsSpec(world: () => World): void {
	it('report-a-claim shows what was understood, or says that a person checks after it told the team', async () => {
		await withQuickService(world(), async (own) => {
			const [certain, seen] = await reportClaim(own, { 'claim.txt': LOSS });
			const { reference } = output(seen, 'Settings')[0]?.json ?? {};
			expect(reference).toMatch(/^CLM-\d{8}-\d+$/);
			expect(certain).toContain(`Your claim reference is ${String(reference)}`);
			for (const line of [
				'Policy: EMC-CP-1048823-26',
				'Date of loss: 2026-04-18',
				'Location: 240 Sample Street',
				'Cause: Vehicle impact',
			])
				expect(certain).toContain(line);
			expect(certain).not.toMatch(/undefined|\[object/);
			const [started] = [...own.simulator.state.executions.all()];
			expect(started).toMatchObject({ metadata: { external_id: reference } });
			expectSampleShape(seen, 'report-a-claim', 'Read the Documents');

			const [doubtful, told] = await reportClaim(own, {
				'claim-note.txt': new Uint8Array(readFileSync(join(DOCUMENTS, 'claim-note.txt'))),
				'invoice.pdf': new Uint8Array(readFileSync(join(DOCUMENTS, 'invoice.pdf'))),
			});
			expect(doubtful).toContain('A person will look at your documents');
			expect(output(told, 'Tell the Claims Team').map(({ json }) => json)).toMatchObject([
				{
					toEmail: 'claims@example.com',
					text: expect.stringMatching(
						/E-mail: reporter@example\.com\n[^]*To check: loss details, row 1: .+ \(no value\)/,
					),
					'options.fileAttachments': 'documents_0,documents_1',
				},
			]);
		});
	});

	it('review opens its second form with the sample data, puts the answers in place, and then says that they are saved', async () => {
		const { client } = world();
		const workflow = template('review');
		const { executionId, page = '' } = await runToPage(world(), workflow);
		const answers = { underwriter: 'T. Paradigma', [SETTLED]: 'Yes' };
		await sendForm(page, await nextPage(page), answers);
		await nextPage(page);
		expect((await client.execution(executionId)).runs).toHaveProperty(['Use the Data']);
		const last = await openLastPage(page);
		expect(last).toContain('Thank you. The values are saved');
		expect(last).toContain('Corrected values: 1. You can close this page.');
		const execution = await client.waitForExecution(executionId);
		expect(await textAt(page)).toContain('Corrected values: 1. You can close this page.');
		expectSuccess(execution, []);
		expectNoGaps(execution, workflow);
		expect(output(execution, 'Use the Data').map(({ json }) => json)).toMatchObject([
			{
				...{ policyNumber: 'EMC-CP-1048823-26', totalPremium: 61689.5, corrections: 1 },
				data: { policy_details: [{ underwriter: 'T. Paradigma' }] },
			},
			{ policyNumber: 'EMC-CP-1050117-26', corrections: 0 },
		]);
		expect(execution.runs).not.toHaveProperty(['Note What Is Left']);
	});

	it('review asks nothing about what has no data, notes it, and says so on its last page', async () => {
		const { client } = world();
		const { pinData, ...workflow } = template('review');
		const [{ json } = { json: {} }] = pinData['Read the Documents'] ?? [];
		const failed = { ...json, status: 'failed', failureReason: null, toReview: 'Failed' };
		const items = [{ json: failed }, { json: { ...json, data: {}, toReview: 'Not finished' } }];
		const { executionId, page = '' } = await runToPage(world(), {
			...workflow,
			pinData: { ...pinData, 'Read the Documents': items },
		});
		expect(await openLastPage(page)).toContain(
			'Corrected values: 0. A person will check what the form could not settle. You can',
		);
		const execution = await client.waitForExecution(executionId);
		expectSuccess(execution, []);
		expect(output(execution, 'Note What Is Left').map(({ json: { left } }) => left)).toEqual([
			'Failed',
			'Not finished',
		]);
	});
}

/** Reports a claim in the form of the template; returns the last page and the n8n execution. */
async function reportClaim(
	world: World,
	documents: Record<string, string | Uint8Array<ArrayBuffer>>,
): Promise<[string, Execution]> {
	const { client, n8n } = world;
	const workflow = withProbes(withService(world, template('report-a-claim')));
	const { id, path } = await publishForm(world, workflow);
	const body = new FormData();
	const answers = [
		'A. Eksempel',
		'reporter@example.com',
		'EMC-CP-1048823-26',
		'A truck struck the north wall.',
	];
	for (const [index, answer] of answers.entries()) body.append(`field-${index}`, answer);
	for (const [name, content] of Object.entries(documents))
		body.append('field-4', new Blob([content]), name);
	const page = await openLastPage(await submitForm(`${n8n.url}/form/${path}`, body));
	const [executionId = ''] = await client.executionIds(id, 1);
	const execution = await client.waitForExecution(executionId);
	expectSuccess(execution, []);
	expectNoGaps(execution, template('report-a-claim'));
	await client.deactivate(id);
	return [page, execution];
}
