import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../harness/pack';
import { durationMilliseconds, randomNumbers } from '../../simulator/processing/durations';
import { call, DOCUMENT, form, started, type Caller, type Reply } from './support';

let caller: Caller;
beforeEach(async () => void (caller = await started()));
afterEach(() => caller.simulator.stop());

function administration(method: string, path: string, body?: unknown): Promise<Reply> {
	const url = `${caller.simulator.administrationUrl}${path}`;
	if (body === undefined) return call(url, { method });
	const headers = { 'content-type': 'application/json' };
	return call(url, { method, headers, body: JSON.stringify(body) });
}

describe('the administration interface', () => {
	test('shows executions, and ends a running one as completed or failed, but only once', async () => {
		const [first, second, third] = [
			await caller.createdId('slow', form(DOCUMENT)),
			await caller.createdId('slow', form(DOCUMENT)),
			await caller.createdId('slow', form(DOCUMENT)),
		];
		const end = (id: string, body: object) =>
			administration('POST', `/executions/${id}/finish`, body);
		expect((await administration('GET', '/executions')).body).toMatchObject([
			{ executionId: first, status: 'running' },
			{ executionId: second },
			{ executionId: third },
		]);
		const completed = { status: 'completed' };
		expect((await end(first, completed)).body).toMatchObject({ ...completed, steps: [{}] });
		const error = { code: 'unreadable' };
		const failed = { status: 'failed', error };
		expect((await end(second, failed)).body).toMatchObject({
			status: 'failed',
			failure: { error },
		});
		expect((await caller.get('slow', second)).body).toMatchObject(failed);
		await end(third, { status: 'failed' });
		expect((await caller.get('slow', third)).body.error).toBe('The execution failed.');
		expect((await end(second, completed)).status).toBe(404);
		expect((await end('none', completed)).status).toBe(404);
		expect((await end(second, { status: 'done' })).status).toBe(422);
	});

	test('changes the given fields of a workflow and keeps the others', async () => {
		const change = { duration: { fixedSeconds: 0 }, failWith: { error: 'x' } };
		expect((await administration('PATCH', '/workflows/slow', change)).status).toBe(200);
		expect(caller.simulator.state.workflows.find('slow')).toMatchObject({
			...change,
			steps: [{ stepName: 'Policy' }],
		});
		const ended = await caller.ended('slow', await caller.createdId('slow', form(DOCUMENT)));
		expect(ended).toMatchObject({ status: 'failed', error: 'x' });
	});

	test('rejects an invalid change, naming the field, and an unknown workflow', async () => {
		const change = { duration: { fixedSeconds: -1 }, workflowId: 'x' };
		const { status, body } = await administration('PATCH', '/workflows/slow', change);
		expect(status).toBe(422);
		expect(body.detail).toMatch(/duration/);
		expect(body.detail).toMatch(/workflowId/);
		expect((await administration('PATCH', '/workflows/none', {})).status).toBe(404);
	});

	test('adds, shows and removes faults', async () => {
		const fault = { route: 'get', action: { type: 'status', status: 500 } };
		const added = { ...fault, faultId: 1, seen: 0, applied: 0 };
		expect((await administration('POST', '/faults', fault)).body).toEqual(added);
		expect((await caller.get('slow', '1')).status).toBe(500);
		expect((await administration('GET', '/faults')).body).toMatchObject([{ faultId: 1, seen: 1 }]);
		expect((await administration('DELETE', '/faults')).body).toEqual({ removed: 1 });
		expect((await caller.get('slow', '1')).status).toBe(404);
		const wrong = await administration('POST', '/faults', { ...fault, route: 'all' });
		expect(wrong).toMatchObject({ status: 422, body: { detail: expect.stringMatching(/route/) } });
	});

	test('does what the fault in simulator/README.md says', async () => {
		const page = readFileSync(join(ROOT, 'simulator', 'README.md'), 'utf8');
		const [, fault = ''] = /```json\n(.+)\n```/.exec(page) ?? [];
		expect((await administration('POST', '/faults', JSON.parse(fault))).status).toBe(200);
		const statuses: number[] = [];
		for (let number = 1; number <= 20; number++)
			statuses.push((await caller.get('slow', '1')).status);
		const others = Array.from({ length: 9 }, () => 404);
		expect(statuses).toEqual([503, ...others, 503, ...others]);
	});

	test('shows deliveries, and answers 404 for other paths', async () => {
		expect((await administration('GET', '/deliveries')).body).toEqual([]);
		expect((await administration('GET', '/none')).status).toBe(404);
	});
});

test('A reset restores the configuration, removes all entries and rejects earlier tokens', async () => {
	const executionId = await caller.createdId('slow', form(DOCUMENT));
	const { state } = caller.simulator;
	state.faults.add({ route: 'token', action: { type: 'status', status: 500 } });
	state.settings.change({ tokenLifetimeSeconds: 1 });
	state.workflows.change('slow', { failWith: {} });
	state.reset();
	const { requests, executions, faults, deliveries } = state;
	for (const entries of [requests, executions, faults, deliveries])
		expect(entries.all()).toEqual([]);
	expect(state.tokens.issued).toBe(0);
	expect(state.settings.current().tokenLifetimeSeconds).toBe(3600);
	expect(state.workflows.find('slow')?.failWith).toBeNull();
	expect((await caller.get('slow', executionId)).body.detail).toBe('Token has been revoked');
});

describe('the duration of executions', () => {
	const tail = { share: 0.1, fromSeconds: 10_000, toSeconds: 20_000 };
	const sample = (seed: number): number[] => {
		const random = randomNumbers(seed);
		const duration = { medianSeconds: 100, sigma: 0.5, tail };
		const all = Array.from({ length: 4_000 }, () => durationMilliseconds(duration, random) / 1_000);
		return all.sort((a, b) => a - b);
	};

	test('spreads around its median, with the given share of long ones', () => {
		const all = sample(1);
		const short = all.filter((seconds) => seconds < tail.fromSeconds);
		expect(Math.abs(short.length / all.length - 0.9)).toBeLessThan(0.02);
		expect(Math.abs((short[(short.length / 2) | 0] ?? 0) - 100)).toBeLessThan(5);
		// 68 % of a log-normal distribution lie within a factor of e^0.5 of the median.
		const within = short.filter((seconds) => seconds > 60.653 && seconds < 164.872);
		expect(Math.abs(within.length / short.length - 0.683)).toBeLessThan(0.03);
		expect(all.at(-1)).toBeLessThanOrEqual(tail.toSeconds);
	});

	test('is the same for the same seed, and differs between seeds', () => {
		expect(sample(1)).toEqual(sample(1));
		expect(sample(2)).not.toEqual(sample(1));
	});
});
