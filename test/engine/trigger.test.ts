import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';
import { answer, cell, POLICY_STEPS, step } from './support/answers';
import {
	delivered,
	endedExecution,
	outputOfGet,
	notification,
	startedJson,
	notify,
} from './support/notifications';
import { useService, WORKFLOW_ID } from './support/service';
import { useTrigger } from './support/webhook';

const service = useService();
const trigger = useTrigger(service);

describe('an execution that completed', () => {
	it.each([
		['with inline data', { format: 'inline' as const }],
		['with data URLs', { format: 'url' as const }],
		['with data removed for its size', { format: 'inline' as const, inlineLimitBytes: 10 }],
	])('starts the workflow with the output of Get for a notification %s', async (_how, webhook) => {
		const { url, answers } = await trigger.listen();
		notify(service, url, webhook);
		const executionId = await endedExecution(service);
		expect(await delivered(service)).toEqual([200]);
		expect(answers.map(startedJson)).toEqual([await outputOfGet(service, executionId)]);
		expect(answers.flatMap(startedJson)).toMatchObject([
			{ executionId, data: { policy: [{ policy_number: 'CPP-1001', premium: 1250 }] } },
		]);
		expect(answers[0]?.body).toEqual({ executionId, outcome: 'start' });
		expect(service.requests('other')).toEqual([]);
	});

	it('trusts only the IDs of a notification', async () => {
		const executionId = await endedExecution(service);
		const steps = [step('policy', { policy_number: cell('FORGED', 1) })];
		const forged = {
			status: 'failed',
			error: 'Pay at once',
			metadata: { external_id: 'forged' },
			steps,
		};
		const answered = await trigger.call({ body: notification(executionId, forged) });
		expect(startedJson(answered)).toEqual(await outputOfGet(service, executionId));
		expect(JSON.stringify(answered.items)).not.toMatch(/forged|Pay at once/i);
	});
});

describe('The trigger returns the same as Get', () => {
	it.each([
		['simplified', {}],
		['rows', {}],
		['raw', {}],
		['selected', { fields: 'policy_number, losses.paid' }],
	])('for the output %s', async (output, more) => {
		answer(service, { steps: POLICY_STEPS, metadata: { external_id: 'INV-1' } });
		for (const outputOptions of [{}, { attachReport: true }]) {
			const parameters = { output, minimumConfidence: 0.9, ...more, outputOptions };
			const answered = await trigger.call({
				body: notification(`e-${Object.keys(outputOptions).length}`),
				parameters,
			});
			expect(startedJson(answered)).toEqual(
				await outputOfGet(service, `e-${Object.keys(outputOptions).length}`, parameters),
			);
			const [item] = startedJson(answered);
			expect(item?.executionId).toMatch(/^e-/);
		}
	});
});

it('An event whose report cannot be stored starts the workflow with the reason', async () => {
	answer(service, { steps: POLICY_STEPS });
	const store = jest
		.spyOn(Container.get(BinaryDataService), 'store')
		.mockRejectedValue(new Error('The disk is full'));
	const answered = await trigger.call({
		body: notification('e-1'),
		parameters: { outputOptions: { attachReport: true } },
	});
	store.mockRestore();
	expect(startedJson(answered)).toEqual([
		{
			workflowId: WORKFLOW_ID,
			executionId: 'e-1',
			status: 'completed',
			needsReview: true,
			toReview: 'The disk is full',
			dataNotRead: expect.any(String),
		},
	]);
});
