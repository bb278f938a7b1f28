/** The waiting times of the nodes in real time, one test each. Other tests run in faster time (support/time.ts). */
import { setTimeout as sleep } from 'node:timers/promises';
import { runFlow, startFlow } from './support/engine';
import { file } from './support/files';
import { operation, policyItem, useService, workflowById } from './support/service';
import { useRealTime } from './support/time';

const service = useService();
useRealTime();

const items = [policyItem()];
/** Milliseconds from the answer to each create to the next create. */
const pauses = () => {
	const creates = service.requests('create');
	return creates
		.slice(1)
		.map(({ startedAt }, index) => startedAt - (creates[index]?.finishedAt ?? 0));
};

describe('A create', () => {
	it('is sent again after 1 s and 2 s while the service answers 429', async () => {
		service.state.faults.add({
			route: 'create',
			times: 2,
			action: { type: 'status', status: 429 },
		});
		const { error } = await runFlow({ ...service, parameters: operation('create'), items });
		expect(error).toBeUndefined();
		const [first = 0, second = 0, ...others] = pauses();
		expect(others).toEqual([]);
		expect(first).toBeGreaterThanOrEqual(990);
		expect(first).toBeLessThan(1_900);
		expect(second).toBeGreaterThanOrEqual(1_990);
		expect(second).toBeLessThan(3_900);
	});

	it('delays all creates of a batch for the Retry-After of a 429', async () => {
		const names = Array.from({ length: 12 }, (_, index) => `${index}.txt`);
		// The others of the first four are still in progress when the third gets a 429.
		[500, 500, 150, 500].forEach((milliseconds, index) => {
			service.state.faults.add({
				route: 'create',
				requests: { from: index + 1, to: index + 1 },
				action: { type: 'delay', milliseconds },
			});
		});
		service.state.faults.add({
			route: 'create',
			requests: { from: 3, to: 3 },
			action: { type: 'status', status: 429, retryAfter: 1 },
		});
		const { outputs, error } = await runFlow({
			...service,
			parameters: operation('create', { sendingOptions: { maximumInParallel: 4 } }),
			items: names.map((name) => ({ files: { data: file(name) } })),
		});
		expect(error).toBeUndefined();
		expect(service.requests('create').map(({ status }) => status)).toEqual([
			200,
			200,
			429,
			...Array<number>(10).fill(200),
		]);
		const rejectedAt = service.requests('create')[2]?.finishedAt ?? 0;
		const delayed = service.requests('create').filter(({ startedAt }) => startedAt > rejectedAt);
		expect(delayed).toHaveLength(9);
		for (const { startedAt } of delayed) expect(startedAt - rejectedAt).toBeGreaterThanOrEqual(990);
		expect(service.executionsOf(outputs[0]).map(({ files }) => files[0]?.fileName)).toEqual(names);
		expect(service.state.executions.all()).toHaveLength(12);
	});
});

describe('A wait', () => {
	it('fails when the execution is not found for ten seconds', async () => {
		service.state.faults.add({ route: 'get', action: { type: 'status', status: 404 } });
		const began = Date.now();
		const { error } = await runFlow({
			...service,
			parameters: operation('wait', {
				executionId: 'e-1',
				waiting: { firstCheckSeconds: 0.1, longestIntervalMinutes: 1 / 60 },
			}),
		});
		expect(error?.message).toContain('has no execution "e-1"');
		expect(Date.now() - began).toBeGreaterThanOrEqual(9_900);
		expect(Date.now() - began).toBeLessThan(13_000);
	});

	it("ends within a second of n8n's Stop although the service asked to retry in ten minutes", async () => {
		service.state.faults.add({
			route: 'get',
			action: { type: 'status', status: 429, retryAfter: 600 },
		});
		const running = startFlow({
			...service,
			parameters: operation('createAndWait', {
				workflowId: workflowById('never-ending'),
				waiting: { firstCheckSeconds: 0.1 },
			}),
			items,
		});
		while (service.requests('get').length === 0) await sleep(20);
		const stoppedAt = Date.now();
		running.stop();
		await running.outcome;
		expect(Date.now() - stoppedAt).toBeLessThan(1_000);
		expect(service.requests('get')).toHaveLength(1);
	});
});
