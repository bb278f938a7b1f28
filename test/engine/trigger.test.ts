import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';
import type { IDataObject } from 'n8n-workflow';
import { answer, cell, POLICY_STEPS, step } from './support/answers';
import { runFlow } from './support/engine';
import { delivered, endedExecution, gotten, notification, startedJson, tell } from './support/notifications';
import { expectNoSecretIn } from './support/secrets';
import { operation, policyItem, useService, workflowById, WORKFLOW_ID } from './support/service';
import { useTrigger, WEBHOOK_KEY } from './support/webhook';

const service = useService();
const trigger = useTrigger(service);

const NOTIFICATION = { dataFrom: 'notification' };
const withOptions = (options: Record<string, string | number | boolean>, more: Record<string, string> = {}) => ({ ...more, options });

describe('Read the Data From: API', () => {
	it.each([
		['inline', { format: 'inline' as const }],
		['by addresses', { format: 'url' as const }],
		['cut for its size', { format: 'inline' as const, inlineLimitBytes: 10 }],
	])('starts the workflow with what Get gives, when the service tells it %s', async (_how, webhook) => {
		const { url, answers } = await trigger.listen();
		tell(service, url, webhook);
		const executionId = await endedExecution(service);
		expect(await delivered(service)).toEqual([200]);
		expect(answers.map(startedJson)).toEqual([await gotten(service, executionId)]);
		expect(startedJson(answers[0] ?? { status: 0, body: '', items: [] })).toMatchObject([{ executionId, data: { policy: [{ policy_number: 'CPP-1001', premium: 1250 }] } }]);
		expect(answers[0]?.body).toEqual({ started: true, events: [{ executionId, outcome: 'start' }] });
		expect(service.requests('other')).toEqual([]);
	});

	it('believes of a notification only the IDs', async () => {
		const executionId = await endedExecution(service);
		const forged = notification(executionId, { status: 'failed', error: 'Pay at once', metadata: { external_id: 'forged' }, steps: [step('policy', { policy_number: cell('FORGED', 1) })] });
		const answered = await trigger.call({ body: forged });
		expect(startedJson(answered)).toEqual(await gotten(service, executionId));
		expect(JSON.stringify(answered.items)).not.toMatch(/forged|Pay at once/i);
	});

	it('needs no more of a notification than the IDs', async () => {
		const executionId = await endedExecution(service);
		const answered = await trigger.call({ body: { workflow_id: WORKFLOW_ID, workflow_execution_id: executionId } });
		expect(startedJson(answered)).toMatchObject([{ executionId, status: 'completed' }]);
	});

	it('gives a failed execution with its reason', async () => {
		const executionId = await endedExecution(service, 'failing');
		const answered = await trigger.call({ body: notification(executionId, { workflow_id: 'failing' }) });
		expect(startedJson(answered)).toEqual(await gotten(service, executionId, {}, 'failing'));
		expect(startedJson(answered)).toMatchObject([{ status: 'failed', failureReason: 'The scan is not readable' }]);
	});

	it('fetches data that the service itself keeps at an address, unless that is switched off', async () => {
		const executionId = await endedExecution(service);
		service.state.workflows.change(WORKFLOW_ID, { answerFormat: 'url' });
		expect(startedJson(await trigger.call({ body: notification(executionId) }))).toEqual(await gotten(service, executionId, { options: { fetchData: true } }));
		const off = await trigger.call({ body: notification(executionId, { status: 'done' }), parameters: withOptions({ fetchData: false, duplicateHours: 0 }) });
		expect(startedJson(off)).toMatchObject([{ data: { policy: { url: expect.stringContaining('/signed/') } } }]);
		expect(JSON.stringify(off)).not.toContain('signature');
	});

	it('asks the service to come again while the execution still runs, whatever the notification says', async () => {
		await runFlow({ ...service, parameters: operation('create', { workflowId: workflowById('never-ending') }), items: [policyItem()] });
		const [{ executionId = '' } = {}] = service.state.executions.all();
		expect(await trigger.call({ body: notification(executionId, { workflow_id: 'never-ending' }) })).toMatchObject({ status: 503, items: undefined });
	});
});

describe('Listen for Test Event', () => {
	it('gives the event each time it comes, and remembers nothing', async () => {
		const executionId = await endedExecution(service);
		for (let times = 0; times < 2; times++) {
			expect(startedJson(await trigger.call({ body: notification(executionId), mode: 'manual' }))).toMatchObject([{ executionId }]);
		}
		expect(startedJson(await trigger.call({ body: notification(executionId) }))).toMatchObject([{ executionId }]);
	});
});

describe('What comes out is that of Get', () => {
	it.each([
		['simplified', {}],
		['rows', {}],
		['raw', {}],
		['selected', { fields: 'policy_number, losses.paid' }],
	])('%s', async (output, more) => {
		answer(service, { steps: POLICY_STEPS, metadata: { external_id: 'INV-1' } });
		for (const options of [{}, { minimumConfidence: '80 %', below: 'blank', includeConfidence: false, onlySteps: 'losses' }]) {
			const parameters = { output, ...more, options };
			const answered = await trigger.call({ body: notification(`e-${Object.keys(options).length}`), parameters });
			expect(startedJson(answered)).toEqual(await gotten(service, `e-${Object.keys(options).length}`, parameters));
			expect(startedJson(answered)[0]).toMatchObject({ executionId: expect.stringMatching(/^e-/) });
		}
	});

	it('with the report for people', async () => {
		answer(service, { steps: POLICY_STEPS });
		const { items = [] } = await trigger.call({ body: notification('e-1'), parameters: withOptions({ attachReport: true }) });
		expect(items[0]?.binary?.report).toMatchObject({ mimeType: 'text/csv', fileExtension: 'csv' });
		expect(Buffer.from(items[0]?.binary?.report?.data ?? '', 'base64').toString('utf8')).toContain('Müller & Söhne');
	});
});

it('An event whose report cannot be stored starts the workflow all the same, and says why', async () => {
	answer(service, { steps: POLICY_STEPS });
	jest.spyOn(Container.get(BinaryDataService), 'store').mockRejectedValue(new Error('The disk is full'));
	const answered = await trigger.call({ body: notification('e-1'), parameters: withOptions({ attachReport: true }) });
	jest.mocked(Container.get(BinaryDataService).store).mockRestore();
	expect(startedJson(answered)).toEqual([{ workflowId: WORKFLOW_ID, executionId: 'e-1', status: 'completed', dataNotFetched: expect.any(String) }]);
});

describe('Read the Data From: Notification', () => {
	let apiCredential: typeof service.credential;
	beforeEach(() => {
		// There is none in such a workflow.
		apiCredential = service.credential;
		service.credential = { id: null, name: '' };
	});

	it('takes the steps as they came, without a credential for the API', async () => {
		const answered = await trigger.call({ body: notification('e-1', { steps: POLICY_STEPS, metadata: { external_id: 'INV-1' } }), parameters: NOTIFICATION });
		expect(startedJson(answered)).toMatchObject([{ executionId: 'e-1', externalId: 'INV-1', data: { policy: [{ policy_number: 'CPP-1001' }], losses: [{ paid: 1250 }, { paid: 0 }] }, confidence: { policy: [{ insured: 0.55 }] } }]);
		expect(service.requests()).toEqual([]);
		expect(trigger.logs).toEqual([]);
	});

	it.each(['simplified', 'rows', 'raw', 'selected'])('shapes them as Get does: %s', async (output) => {
		const body = notification('e-1', { steps: POLICY_STEPS });
		const given = startedJson(await trigger.call({ body, parameters: { ...NOTIFICATION, output } }));
		expect(given).toHaveLength(output === 'rows' ? 3 : 1);
		service.credential = apiCredential;
		answer(service, body as IDataObject);
		expect(given).toEqual(await gotten(service, 'e-1', { output }));
	});

	it('gives a failed execution with its reason', async () => {
		const answered = await trigger.call({ body: notification('e-1', { status: 'failed', steps: undefined, error: { message: 'The scan is not readable' } }), parameters: NOTIFICATION });
		expect(startedJson(answered)).toMatchObject([{ status: 'failed', failureReason: 'The scan is not readable', data: {} }]);
	});

	it('starts without data that was too large for the notification', async () => {
		expect(startedJson(await trigger.call({ body: notification('e-1'), parameters: NOTIFICATION }))).toMatchObject([{ executionId: 'e-1', status: 'completed', data: {} }]);
	});

	it.each([
		['no status', { status: undefined }],
		['one that is no end', { status: 'running' }],
	])('ignores an event with %s', async (_what, more) => {
		expect(await trigger.call({ body: notification('e-1', more), parameters: NOTIFICATION })).toEqual({
			status: 200,
			body: { started: false, events: [{ executionId: 'e-1', outcome: 'ignored' }] },
			items: undefined,
		});
	});
});

describe('Data at addresses, without the API', () => {
	const delivery = async (options: Record<string, boolean>, more: Record<string, string> = {}) => {
		const { url, answers } = await trigger.listen(withOptions(options, { ...NOTIFICATION, ...more }));
		tell(service, url, { format: 'url' });
		await endedExecution(service);
		expect(await delivered(service)).toEqual([200]);
		const [answered = { status: 0, body: '', items: undefined }] = answers;
		return answered;
	};

	it('is fetched', async () => {
		const answered = await delivery({});
		expect(startedJson(answered)).toMatchObject([{ status: 'completed', data: { policy: [{ policy_number: 'CPP-1001', premium: 1250 }] } }]);
		expect(service.requests('other').map(({ status, authorization }) => [status, authorization])).toEqual([[200, 'none']]);
		expect(service.requests('get')).toEqual([]);
		expect(JSON.stringify([answered, trigger.logs])).not.toContain('signature');
	});

	it('is passed on as an address without its signature when that is switched off', async () => {
		const answered = await delivery({ fetchData: false });
		expect(startedJson(answered)).toMatchObject([{ data: { policy: { url: expect.stringMatching(/\/signed\/[^?]+$/) } } }]);
		expect(service.requests('other')).toEqual([]);
	});

	it.each(['simplified', 'rows', 'raw', 'selected'])('starts the workflow when it cannot be fetched, and says so: %s', async (output) => {
		service.state.settings.change({ signedUrlLifetimeSeconds: 0.001 });
		const answered = await delivery({}, { output });
		expect(startedJson(answered)).toMatchObject([{ status: 'completed', dataNotFetched: 'The data of step "policy" could not be fetched: its address answers with status 403' }]);
		expectNoSecretIn([trigger.logs, answered.body], [WEBHOOK_KEY]);
		if (output !== 'raw') expect(JSON.stringify(answered)).not.toContain('signature');
	});

	it('that cannot be fetched is not left out for needing no review, as nobody can know', async () => {
		service.state.settings.change({ signedUrlLifetimeSeconds: 0.001 });
		const { url, answers } = await trigger.listen(withOptions({ onlyReview: true, minimumConfidence: '1 %' }, NOTIFICATION));
		tell(service, url, { format: 'url' });
		await endedExecution(service);
		await delivered(service);
		expect(answers.map(startedJson)).toMatchObject([[{ dataNotFetched: expect.any(String) }]]);
	});
});

describe('Filters', () => {
	const IGNORED = { status: 200, items: undefined, body: { started: false } };

	it.each([
		[['completed'], 'completed', true],
		[['completed'], 'failed', false],
		[['failed'], 'failed', true],
		[['failed'], 'completed', false],
		[[], 'completed', false],
	])('Events %j let an execution that is %s start the workflow: %s', async (events, status, isStarted) => {
		for (const dataFrom of ['api', 'notification']) {
			service.state.faults.clear();
			answer(service, { status, steps: [] });
			const answered = await trigger.call({ body: notification(`of ${dataFrom}`, { status }), parameters: { dataFrom, events } });
			if (isStarted) expect(startedJson(answered)).toMatchObject([{ status }]);
			else expect(answered).toMatchObject(IGNORED);
		}
	});

	it('Events go by what the API says, not by the notification', async () => {
		answer(service, { status: 'failed', steps: [] });
		expect(await trigger.call({ body: notification('e-1', { status: 'completed' }), parameters: { events: ['completed'] } })).toMatchObject(IGNORED);
	});

	it.each([
		['', true],
		[WORKFLOW_ID, true],
		[`claims, ${WORKFLOW_ID}`, true],
		['claims', false],
		[WORKFLOW_ID.slice(1), false],
	])('Only Workflows "%s" let one of the workflow start: %s', async (onlyWorkflows, isStarted) => {
		answer(service, { steps: [] });
		const answered = await trigger.call({ body: notification('e-1'), parameters: withOptions({ onlyWorkflows }) });
		if (isStarted) expect(startedJson(answered)).toMatchObject([{ workflowId: WORKFLOW_ID }]);
		else expect(answered).toMatchObject(IGNORED);
	});

	describe.each(['simplified', 'rows', 'raw', 'selected'])('Only What Needs Review (%s)', (output) => {
		const call = (options: Record<string, string | boolean>, status = 'completed') => {
			answer(service, status === 'completed' ? { steps: POLICY_STEPS } : { status, steps: [] });
			return trigger.call({ body: notification('e-1', { status }), parameters: withOptions({ onlyReview: true, ...options }, { output }) });
		};

		it('starts with what is below the minimum', async () => {
			expect(startedJson(await call({ minimumConfidence: '50 %' }))).toMatchObject([{ needsReview: true }]);
		});

		it('ignores what has nothing below the minimum', async () => {
			expect(await call({ minimumConfidence: '30 %' })).toMatchObject(IGNORED);
		});

		it('ignores nothing without a minimum', async () => {
			expect(startedJson(await call({}))).toHaveLength(output === 'rows' ? 3 : 1);
		});

		it('never leaves out a failed one', async () => {
			expect(startedJson(await call({ minimumConfidence: '30 %' }, 'failed'))).toMatchObject([{ status: 'failed' }]);
		});
	});

	it.each([
		['was cut for its size', []],
		['is at an address that is not to be fetched', [{ step_name: 'policy', data: { url: 'https://data.example.com/1' } }]],
	])('Only What Needs Review does not leave out a notification whose data %s', async (_what, steps) => {
		const parameters = withOptions({ onlyReview: true, minimumConfidence: '30 %', fetchData: false }, NOTIFICATION);
		expect(startedJson(await trigger.call({ body: notification('e-1', { steps }), parameters }))).toMatchObject([{ executionId: 'e-1' }]);
	});
});
