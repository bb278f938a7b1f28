import { DocumentWorkflowApi } from '../../../credentials/DocumentWorkflowApi.credentials';
import { readWorkflowNames } from '../../../credentials/workflowNames';

const read = (workflowNames: unknown) =>
	readWorkflowNames({ workflowNames } as Parameters<typeof readWorkflowNames>[0]);

describe('the workflow names of the credential', () => {
	it('are read line by line, each with its ID or URL', () => {
		expect(
			read(
				[
					'Policy Intake = policy-intake',
					'',
					' Claims=claims-2 \r',
					'Loss Runs = https://app.example.com/workflows/loss-runs?tab=1',
					'Schäden "2026" <b> = 4711',
				].join('\n'),
			),
		).toEqual({
			ok: true,
			workflows: [
				{ name: 'Policy Intake', id: 'policy-intake' },
				{ name: 'Claims', id: 'claims-2' },
				{ name: 'Loss Runs', id: 'loss-runs' },
				{ name: 'Schäden "2026" <b>', id: '4711' },
			],
		});
	});

	it.each([undefined, '', ' \n\t\n'])('are none where nothing was entered: %j', (given) => {
		expect(read(given)).toEqual({ ok: true, workflows: [] });
	});

	it.each([
		['has no equals sign', 'policy-intake', 'policy-intake'],
		['has no name', '= policy-intake', '= policy-intake'],
		['has no ID', 'Policy Intake =', 'Policy Intake ='],
		['has an ID with a space', 'Intake = policy intake', 'Intake = policy intake'],
		['has an ID that leads to another path', 'Intake = ../other', 'Intake = ../other'],
		['has a URL without an ID', 'Intake = https://a.example', 'Intake = https://a.example'],
		['has an ID that is too long', `A = ${'x'.repeat(501)}`, `A = ${'x'.repeat(95)}…`],
	])('are refused when a line %s', (_what, line, shown) => {
		expect(read(`Claims = claims\n\n${line}\n`)).toEqual({
			ok: false,
			message: `Line 3 of 'Workflow Names' cannot be read: '${shown}'`,
			advice:
				"Enter one workflow per line in the Document Workflow API credential, e.g. 'Policy Intake = policy-intake'",
		});
	});

	it('are cut where they are long', () => {
		expect(read(`${'n'.repeat(200)} = a`)).toEqual({
			ok: true,
			workflows: [{ name: `${'n'.repeat(99)}…`, id: 'a' }],
		});
	});

	it('are none in what is no text', () => {
		expect(read(7)).toEqual({ ok: true, workflows: [] });
	});

	it('stand in a field of several lines that is always shown, because n8n 1 drops hidden fields', () => {
		const field = new DocumentWorkflowApi().properties.find(({ name }) => name === 'workflowNames');
		expect(field).toMatchObject({ type: 'string', typeOptions: { rows: 4 } });
		expect(field?.displayOptions).toBeUndefined();
	});
});
