import type { Fault } from '../../simulator/state/faults';
import { answer, POLICY_STEPS } from './support/answers';
import { endedExecution, notification, startedJson } from './support/notifications';
import { useService } from './support/service';
import { useTrigger } from './support/webhook';

const service = useService();
const trigger = useTrigger(service);

const AGAIN = {
	status: 503,
	body: { message: 'Not possible at the moment: please send it again' },
	items: undefined,
};
const GET = (action: Fault['action'], more: Partial<Fault> = {}): Fault => ({
	route: 'get',
	action,
	...more,
});

describe('A call with several events', () => {
	const call = (ids: string[]) => trigger.call({ body: ids.map((id) => notification(id)) });

	it('starts the workflow once, with an item for each in their order', async () => {
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

	it('looks at no more than eight executions at the same time', async () => {
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

	it('one of which cannot be read at the moment comes again as a whole, and starts all then', async () => {
		service.state.faults.add(
			GET({ type: 'status', status: 500 }, { requests: { from: 2, to: 2 } }),
		);
		answer(service, { steps: POLICY_STEPS });
		expect(await call(['e-1', 'e-2', 'e-3'])).toEqual(AGAIN);
		expect(
			startedJson(await call(['e-1', 'e-2', 'e-3'])).map(({ executionId }) => executionId),
		).toEqual(['e-1', 'e-2', 'e-3']);
	});

	it('goes on when the service is too busy for so many looks, and all of them slow down together', async () => {
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

	it('is asked for again at once when the service wants to be left alone for longer than whoever calls would wait', async () => {
		service.state.faults.add(GET({ type: 'status', status: 429, retryAfter: 120 }));
		const begin = Date.now();
		expect(await call(['e-1', 'e-2'])).toEqual(AGAIN);
		expect(Date.now() - begin).toBeLessThan(25_000);
	}, 40_000);

	it('one of which the service does not know starts the others', async () => {
		const executionId = await endedExecution(service);
		const answered = await call(['unheard-of', executionId]);
		expect(startedJson(answered)).toMatchObject([{ executionId }]);
		expect(answered.body).toEqual({
			started: true,
			events: [
				{ executionId: 'unheard-of', outcome: 'never' },
				{ executionId, outcome: 'start' },
			],
		});
	});

	it('of which the service knows none is answered 404', async () => {
		expect((await call(['unheard-of', 'nor-this'])).status).toBe(404);
	});

	it('of which one is a duplicate starts the others', async () => {
		answer(service, { steps: [] });
		await call(['e-1']);
		await new Promise(setImmediate);
		expect(startedJson(await call(['e-1', 'e-2'])).map(({ executionId }) => executionId)).toEqual([
			'e-2',
		]);
	});

	it('that is the same event twice gives one item', async () => {
		answer(service, { steps: [] });
		expect((await call(['e-1', 'e-1'])).items).toHaveLength(1);
	});

	it('that is an empty list is accepted and starts nothing', async () => {
		expect(await call([])).toEqual({
			status: 200,
			body: { started: false, events: [] },
			items: undefined,
		});
	});
});
