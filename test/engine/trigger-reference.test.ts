import { WebhookContext } from 'n8n-core';
import { sealReference } from '../../nodes/DocumentWorkflow/pausing/reference';
import { answer } from './support/answers';
import { notification, startedJson } from './support/notifications';
import { expectNoSecretIn } from './support/secrets';
import { CLIENT_SECRET, useService, WORKFLOW_ID } from './support/service';
import { useTrigger, WAITING_BASE_URL } from './support/webhook';

const service = useService();
const trigger = useTrigger(service);

const AGAIN = {
	status: 503,
	body: { message: 'Not possible at the moment. Send the event again' },
	items: undefined,
};

describe('A reference to a paused n8n execution', () => {
	const refer = (reference: string) =>
		answer(service, { steps: [], metadata: { external_id: 'INV-1', n8n_reference: reference } });

	it('that cannot be opened starts and resumes nothing; the log says so, without the reference', async () => {
		refer('1.abc.not-to-be-opened-0123456789012345678901234567890');
		expect(await trigger.call({ body: notification('e-1') })).toEqual({
			status: 200,
			body: { started: false, events: [{ executionId: 'e-1', outcome: 'ignored' }] },
			items: undefined,
		});
		expect(
			trigger.logs.filter((line) =>
				line.startsWith('warn: Execution e-1 of workflow intake resumes nothing: '),
			),
		).toHaveLength(1);
		expect(trigger.logs.join()).not.toContain('not-to-be-opened');
	});

	it('that n8n cannot follow at the moment gets 503 and a line in the log', async () => {
		const sealer = { clientId: service.entered.clientId as string, clientSecret: CLIENT_SECRET };
		const reference = sealReference(
			`${WAITING_BASE_URL}/4711/document-workflow`,
			WORKFLOW_ID,
			Date.now() + 60_000,
			sealer,
		);
		refer(reference);
		const spoiled = jest
			.spyOn(WebhookContext.prototype, 'evaluateExpression')
			.mockImplementation(() => {
				throw new Error('No isolate is free');
			});
		expect(await trigger.call({ body: notification('e-1') })).toEqual(AGAIN);
		expect(trigger.logs).toEqual([
			'error: Execution e-1 could not be processed: No isolate is free',
		]);
		spoiled.mockRestore();
		expectNoSecretIn(trigger.logs, [reference, WAITING_BASE_URL]);
	});

	it.each(['off', 'both'])(
		'starts this workflow, and is in no item, when Resume Paused Workflows is %s',
		async (resumePaused) => {
			refer('not-to-be-seen');
			const answered = await trigger.call({
				body: notification('e-1'),
				parameters: { resumePaused },
			});
			expect(startedJson(answered)).toMatchObject([
				{ executionId: 'e-1', metadata: { external_id: 'INV-1' } },
			]);
			expect(JSON.stringify(answered)).not.toContain('not-to-be-seen');
		},
	);

	it('is ignored when the data comes from the notification, which anybody could have written', async () => {
		const body = notification('e-1', { metadata: { n8n_reference: '1.abc.reference' } });
		const answered = await trigger.call({ body, parameters: { dataFrom: 'notification' } });
		expect(startedJson(answered)).toHaveLength(1);
		expect(trigger.logs).toEqual([]);
	});
});
