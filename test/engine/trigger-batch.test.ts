import { answer, POLICY_STEPS } from './support/answers';
import { AGAIN, endedExecution, GET, notification, startedJson } from './support/notifications';
import { useService } from './support/service';
import { time } from './support/time';
import { useTrigger } from './support/webhook';

const service = useService();
const trigger = useTrigger(service);

describe('A call with several events', () => {
	const call = (ids: string[]) => trigger.call({ body: ids.map((id) => notification(id)) });

	it('starts the workflow once, with an item for each event in order', async () => {
		const ids = Array.from({ length: 30 }, (_, index) => `e-${index}`);
		service.state.faults.add(GET({ type: 'delay', milliseconds: 30 }, { requests: { every: 3 } }));
		service.state.faults.add(
			GET({ type: 'status', status: 200, body: { status: 'completed', steps: [] } }),
		);
		const answered = await call(ids);
		expect(startedJson(answered).map(({ executionId }) => executionId)).toEqual(ids);
		expect(answered.body).toMatchObject({
			started: true,
			events: ids.map((executionId) => ({ executionId, outcome: 'start' })),
		});
	});

	it('checks at most eight executions at a time', async () => {
		service.state.settings.change({ parallelRequests: 8 });
		service.state.faults.add(GET({ type: 'delay', milliseconds: 20 }));
		service.state.faults.add(
			GET({ type: 'status', status: 200, body: { status: 'completed', steps: [] } }),
		);
		expect((await call(Array.from({ length: 40 }, (_, index) => `e-${index}`))).items).toHaveLength(
			40,
		);
		expect(service.requests('get').filter(({ status }) => status !== 200)).toEqual([]);
	});

	it('gets 503 as a whole when one execution cannot be read, and its retry starts all', async () => {
		service.state.faults.add(
			GET({ type: 'status', status: 500 }, { requests: { from: 2, to: 2 } }),
		);
		answer(service, { steps: POLICY_STEPS });
		expect(await call(['e-1', 'e-2', 'e-3'])).toEqual(AGAIN);
		expect(
			startedJson(await call(['e-1', 'e-2', 'e-3'])).map(({ executionId }) => executionId),
		).toEqual(['e-1', 'e-2', 'e-3']);
	});

	it('continues with fewer parallel checks when the service is too busy', async () => {
		const ids = Array.from({ length: 24 }, (_, index) => `e-${index}`);
		service.state.faults.add(
			GET({ type: 'status', status: 429, retryAfter: 1 }, { requests: { to: 8, every: 2 } }),
		);
		answer(service, { steps: [] });
		expect(startedJson(await call(ids)).map(({ executionId }) => executionId)).toEqual(ids);
		expect(service.requests('get').filter(({ status }) => status === 429).length).toBeGreaterThan(
			1,
		);
	});

	it('gets 503 early when the service asks for a longer pause than a caller would wait', async () => {
		service.state.faults.add(GET({ type: 'status', status: 429, retryAfter: 120 }));
		const begin = time.now();
		expect(await call(['e-1', 'e-2'])).toEqual(AGAIN);
		expect(time.now() - begin).toBeLessThanOrEqual(20_000);
	});

	it('starts the known executions when the service does not know one', async () => {
		const executionId = await endedExecution(service);
		const answered = await call(['no-such-id', executionId]);
		expect(startedJson(answered)).toMatchObject([{ executionId }]);
		expect(answered.body).toEqual({
			started: true,
			events: [
				{ executionId: 'no-such-id', outcome: 'never' },
				{ executionId, outcome: 'start' },
			],
		});
	});

	it('gets 404 when the service knows none', async () => {
		expect((await call(['no-such-id', 'nor-this'])).status).toBe(404);
	});

	it('starts the others when one is a duplicate', async () => {
		answer(service, { steps: [] });
		await call(['e-1']);
		await new Promise(setImmediate);
		expect(startedJson(await call(['e-1', 'e-2'])).map(({ executionId }) => executionId)).toEqual([
			'e-2',
		]);
	});

	it('starts one item for the same event twice', async () => {
		answer(service, { steps: [] });
		expect((await call(['e-1', 'e-1'])).items).toHaveLength(1);
	});

	it('is accepted when the list is empty, and starts nothing', async () => {
		expect(await call([])).toEqual({
			status: 200,
			body: { started: false, events: [] },
			items: undefined,
		});
	});
});
