import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { answer, POLICY_STEPS } from './support/answers';
import {
	delivered,
	endedExecution,
	outputOfGet,
	notification,
	startedJson,
	notify,
} from './support/notifications';
import { expectNoSecretIn } from './support/secrets';
import { useService } from './support/service';
import { useTrigger, WEBHOOK_KEY } from './support/webhook';

const service = useService();
const trigger = useTrigger(service);

const NOTIFICATION = { dataFrom: 'notification' };

describe('Read Data From: Notification', () => {
	let apiCredential: typeof service.credential;
	beforeEach(() => {
		// Such a workflow has no API credential.
		apiCredential = service.credential;
		service.credential = { id: null, name: '' };
	});

	it('uses the steps of the notification without an API credential', async () => {
		const answered = await trigger.call({
			body: notification('e-1', { steps: POLICY_STEPS, metadata: { external_id: 'INV-1' } }),
			parameters: NOTIFICATION,
		});
		const data = { policy: [{ policy_number: 'CPP-1001' }], losses: [{ paid: 1250 }, { paid: 0 }] };
		expect(startedJson(answered)).toMatchObject([
			{
				executionId: 'e-1',
				externalId: 'INV-1',
				data,
				confidence: { policy: [{ insured: 0.55 }] },
			},
		]);
		expect(service.requests()).toEqual([]);
		expect(trigger.logs).toEqual([]);
	});

	it.each(['simplified', 'rows', 'raw', 'selected'])(
		'shapes the data as Get does: %s',
		async (output) => {
			const body = notification('e-1', { steps: POLICY_STEPS });
			const given = startedJson(
				await trigger.call({ body, parameters: { ...NOTIFICATION, output } }),
			);
			expect(given).toHaveLength(output === 'rows' ? 3 : 1);
			service.credential = apiCredential;
			answer(service, body as IDataObject);
			expect(given).toEqual(await outputOfGet(service, 'e-1', { output }));
		},
	);

	it('returns a failed execution with its reason', async () => {
		const answered = await trigger.call({
			body: notification('e-1', {
				status: 'failed',
				steps: undefined,
				error: { message: 'The scan is not readable' },
			}),
			parameters: NOTIFICATION,
		});
		expect(startedJson(answered)).toMatchObject([
			{ status: 'failed', failureReason: 'The scan is not readable', data: {} },
		]);
	});

	it('starts without data when it was too large for the notification', async () => {
		expect(
			startedJson(await trigger.call({ body: notification('e-1'), parameters: NOTIFICATION })),
		).toMatchObject([{ executionId: 'e-1', status: 'completed', data: {} }]);
	});

	it.each([
		['no status', { status: undefined }],
		['a status that is not final', { status: 'running' }],
	])('ignores an event with %s', async (_what, more) => {
		expect(
			await trigger.call({ body: notification('e-1', more), parameters: NOTIFICATION }),
		).toEqual({
			status: 200,
			body: { started: false, events: [{ executionId: 'e-1', outcome: 'ignored' }] },
			items: undefined,
		});
	});
});

describe('A notification with too much data', () => {
	const rows = (count: number) =>
		notification('e-1', {
			steps: [{ step_name: 'losses', data: { data: Array.from({ length: count }, () => ({})) } }],
		});

	it('starts the workflow without the data and with the reason', async () => {
		const parameters = { ...NOTIFICATION, minimumConfidence: 0.01 };
		const answered = await trigger.call({ body: rows(1_000_000), parameters });
		expect(startedJson(answered)).toMatchObject([
			{
				executionId: 'e-1',
				status: 'completed',
				data: {},
				dataNotRead:
					'The notification has more than 2,000,000 characters. Read the data with Get Execution',
			},
		]);
	});

	it('is read as any other from the API', async () => {
		answer(service, { steps: POLICY_STEPS });
		expect(startedJson(await trigger.call({ body: rows(100_000) }))).toMatchObject([
			{ data: { policy: [{ policy_number: 'CPP-1001' }] } },
		]);
	});
});

describe('Data at URLs, without the API,', () => {
	const delivery = async (outputOptions: INodeParameters, more: INodeParameters = {}) => {
		const { url, answers } = await trigger.listen({ outputOptions, ...NOTIFICATION, ...more });
		notify(service, url, { format: 'url' });
		await endedExecution(service);
		expect(await delivered(service)).toEqual([200]);
		const [answered = { status: 0, body: '', items: undefined }] = answers;
		return answered;
	};

	it.each(['simplified', 'rows', 'raw', 'selected'])(
		'on this machine over http is never fetched: the workflow starts with the reason: %s',
		async (output) => {
			const answered = await delivery({}, { output });
			const items = startedJson(answered);
			expect(items).toMatchObject([{ needsReview: true }]);
			expect(items[0]?.[output === 'rows' ? 'toReview' : 'dataNotRead']).toBe(
				'The data of step "policy" could not be downloaded: its URL does not begin with https://. Use Get Execution with the executionId for a new URL',
			);
			expect(service.requests('other')).toEqual([]);
			expectNoSecretIn([trigger.logs, answered.body], [WEBHOOK_KEY]);
			if (output !== 'raw') expect(JSON.stringify(answered)).not.toContain('signature');
		},
	);
});
