import type { IWebhookFunctions } from 'n8n-workflow';

import type { Handled } from '../../../../nodes/DocumentWorkflow/trigger/handle';
import { openOverlap } from '../../../../nodes/DocumentWorkflow/trigger/overlap';

const LATER: Handled = { kind: 'later' };
const startOf = (text = 'data'): Handled => ({
	kind: 'start',
	items: [{ json: { text } }],
	stated: { workflowId: 'intake', executionId: 'e-1', phase: 'completed' },
});

let number = 0;
beforeEach(() => {
	number++;
	jest.useFakeTimers({ now: Date.UTC(2026, 0, 1) });
});
afterEach(() => jest.useRealTimers());

/** A call of the trigger. */
function call(parameters: object = {}) {
	const context = {
		getWorkflow: () => ({ id: `workflow ${number}` }),
		getNode: () => ({ id: 'trigger', parameters, credentials: {} }),
	};
	return openOverlap(context as unknown as IWebhookFunctions);
}

/** How often a key is worked on. */
function workOf(...outcomes: Handled[]) {
	return jest.fn(async () => Promise.resolve(outcomes.shift() ?? LATER));
}

/** A call that was answered 503 after it had handled these events. */
async function rejected(events: Record<string, Handled>): Promise<void> {
	const { handle, end } = call();
	for (const [key, handled] of Object.entries(events)) await handle(key, workOf(handled));
	end(true);
}

/** Whether a later call has to work on an event. */
async function isWorkedOn(key: string, parameters: object = {}): Promise<boolean> {
	const work = workOf(LATER);
	const { handle, end } = call(parameters);
	await handle(key, work);
	end(true);
	return work.mock.calls.length > 0;
}

describe('An event that another call works on', () => {
	it('is worked on once, until that call has ended', async () => {
		const [first, second] = [call(), call()];
		const work = workOf(startOf());
		await first.handle('a', work);
		expect(await second.handle('a', work)).toEqual(startOf());
		first.end(false);
		second.end(false);
		expect(work).toHaveBeenCalledTimes(1);
		expect(await isWorkedOn('a')).toBe(true);
	});

	it('is for later when that takes more than twenty seconds', async () => {
		void call().handle('a', async () => new Promise<Handled>(() => undefined));
		const second = call();
		const joined = second.handle('a', workOf());
		await jest.advanceTimersByTimeAsync(19_999);
		expect(second.isImpatient()).toBe(false);
		await jest.advanceTimersByTimeAsync(1);
		expect(await joined).toEqual(LATER);
		expect(second.isImpatient()).toBe(true);
	});
});

describe('What a call that got 503 has read', () => {
	it('is kept for two minutes where it is to start the workflow', async () => {
		await rejected({ a: startOf(), b: LATER, c: { kind: 'done', as: 'ignored' } });
		expect([await isWorkedOn('a'), await isWorkedOn('b'), await isWorkedOn('c')]).toEqual([
			false,
			true,
			true,
		]);
		jest.advanceTimersByTime(120_000);
		expect(await isWorkedOn('a')).toBe(true);
	});

	it('is kept until a call has used it', async () => {
		await rejected({ a: startOf() });
		const { handle, end } = call();
		expect(await handle('a', workOf())).toEqual(startOf());
		end(false);
		expect(await isWorkedOn('a')).toBe(true);
	});

	it('is not kept for other settings of the trigger', async () => {
		await rejected({ a: startOf() });
		expect(await isWorkedOn('a', { output: 'raw' })).toBe(true);
	});

	it('is kept for the latest 1,000 events and 20 million characters', async () => {
		const keys = Array.from({ length: 1_001 }, (_, index) => `key-${index}`);
		await rejected(Object.fromEntries(keys.map((key) => [key, startOf()])));
		expect([await isWorkedOn('key-0'), await isWorkedOn('key-1')]).toEqual([true, false]);
		const long = startOf('x'.repeat(9_999_000));
		await rejected({ one: long, two: long, three: startOf('x'.repeat(5_000)) });
		expect([await isWorkedOn('one'), await isWorkedOn('two'), await isWorkedOn('three')]).toEqual([
			true,
			false,
			false,
		]);
	});
});
