import { EventEmitter } from 'node:events';
import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';

import type { Accepted } from '../../../../nodes/DocumentWorkflow/trigger/duplicates';
import {
	eventKey,
	NOTHING_ACCEPTED,
	openAccepted,
} from '../../../../nodes/DocumentWorkflow/trigger/duplicates';
import type { ServiceEvent } from '../../../../service/events';
import { growthOf, LINEAR } from '../../support/growth';

const HOUR = 60 * 60_000;

class Response extends EventEmitter {
	statusCode = 200;

	answer(status: number): void {
		this.statusCode = status;
		this.emit('finish');
	}
}

let trigger = 0;
beforeEach(() => {
	trigger++;
	jest.useFakeTimers({ now: Date.UTC(2026, 0, 1) });
});
afterEach(() => jest.useRealTimers());

/** A call of the trigger, with the data that n8n loaded for it. `process` is another process of n8n. */
function opened(
	stored: IDataObject = {},
	{ hours = 24, workflow = `workflow ${trigger}`, process = openAccepted } = {},
): { accepted: Accepted; stored: IDataObject; response: Response } {
	const response = new Response();
	const context: Partial<IWebhookFunctions> = {
		getWorkflowStaticData: (type) => (type === 'node' ? stored : {}),
		getWorkflow: () => ({ id: workflow, name: '', active: true }),
		getNode: () => ({
			id: 'trigger',
			name: 'Trigger',
			type: 't',
			typeVersion: 1,
			position: [0, 0],
			parameters: {},
		}),
		getResponseObject: () => response as never,
	};
	return { accepted: process(context as IWebhookFunctions, hours * HOUR), stored, response };
}
const known = (stored: IDataObject) =>
	(stored.accepted as string).split(' ').map((entry) => entry.split('.')[0]);
const has = (key: string, { accepted } = opened()) => accepted.has(key);
const begin = ({ accepted }: { accepted: Accepted }, keys: string[]) =>
	accepted.start(keys, { webhookResponse: { started: true }, workflowData: [[{ json: {} }]] });
/** A call that starts the workflow. */
const store = (call: { accepted: Accepted }, keys: string[]) =>
	void begin(call, keys).webhookResponse;

describe('An event', () => {
	it('is new, then starting, then accepted once n8n has read the answer', async () => {
		const call = opened();
		expect(has('a')).toBe(false);
		const returned = begin(call, ['a']);
		expect(opened().accepted.isStarting('a')).toBe(true);
		expect(has('a')).toBe(false);
		const waiting = opened().accepted.untilStarted(['a', 'b']);
		expect(returned.webhookResponse).toEqual({ started: true });
		await waiting;
		expect(opened().accepted.isStarting('a')).toBe(false);
		expect(has('a')).toBe(true);
	});

	it('is stored each time n8n reads the answer, and not before', () => {
		const stored: IDataObject = {};
		const assigned: unknown[] = [];
		const observed = new Proxy(stored, {
			set: (target, name, value) => assigned.push(value) > 0 && Reflect.set(target, name, value),
		});
		const returned = begin(opened(observed), ['a']);
		expect(assigned).toEqual([]);
		void [returned.webhookResponse, returned.webhookResponse];
		expect(assigned).toHaveLength(2);
		expect(known(stored)).toEqual(['a']);
	});

	it('is new, and those who wait for it know, when n8n answers with an error instead', async () => {
		const call = opened();
		begin(call, ['a']);
		const waiting = opened().accepted.untilStarted(['a']);
		call.response.answer(500);
		await waiting;
		expect([has('a'), opened().accepted.isStarting('a')]).toEqual([false, false]);
	});

	it('is new when n8n has neither started the workflow nor answered within a minute', () => {
		begin(opened(), ['a']);
		jest.advanceTimersByTime(59_999);
		expect(opened().accepted.isStarting('a')).toBe(true);
		jest.advanceTimersByTime(1);
		expect([has('a'), opened().accepted.isStarting('a')]).toEqual([false, false]);
	});

	it('is starting as long as n8n has not read the answer, whatever the caller gets', async () => {
		const call = opened();
		const returned = begin(call, ['a']);
		let isStarted = false;
		const waiting = opened().accepted.untilStarted(['a']);
		void waiting.then(() => (isStarted = true));
		call.response.answer(200);
		await jest.advanceTimersByTimeAsync(1_000);
		expect([isStarted, opened().accepted.isStarting('a')]).toEqual([false, true]);
		void returned.webhookResponse;
		await waiting;
		expect(opened().accepted.isStarting('a')).toBe(false);
	});

	it('is starting until the latest call that starts with it has ended', () => {
		const first = begin(opened(), ['a']);
		jest.advanceTimersByTime(60_000);
		opened();
		begin(opened(), ['a']);
		void first.webhookResponse;
		expect(opened().accepted.isStarting('a')).toBe(true);
	});

	it('is accepted at the time at which n8n first reads the answer', () => {
		const call = opened();
		const returned = begin(call, ['a']);
		void returned.webhookResponse;
		const first = call.stored.accepted;
		jest.advanceTimersByTime(HOUR);
		void returned.webhookResponse;
		expect(call.stored.accepted).toBe(first);
	});

	it('of a call that starts nothing is accepted at once, and stored with the next that starts the workflow', () => {
		const { accepted, stored } = opened();
		accepted.accept(['a']);
		expect(stored).toEqual({});
		expect(has('a')).toBe(true);
		const next = opened();
		store(next, ['b']);
		expect(known(next.stored)).toEqual(['a', 'b']);
	});

	it('is accepted in any process that loads the stored data', () => {
		const { accepted, stored } = opened();
		store({ accepted }, ['a']);
		expect(has('a', opened(stored, { process: anotherProcess() }))).toBe(true);
	});

	it('is new after the time window, whether it was stored or remembered', () => {
		const { accepted, stored } = opened();
		store({ accepted }, ['a']);
		const process = anotherProcess();
		jest.advanceTimersByTime(24 * HOUR - 1);
		expect([has('a', opened(stored, { process })), has('a')]).toEqual([true, true]);
		jest.advanceTimersByTime(1);
		expect([has('a', opened(stored, { process })), has('a')]).toEqual([false, false]);
	});

	it('is new for another trigger', () => {
		store(opened(), ['a']);
		begin(opened(), ['b']);
		const { accepted } = opened({}, { workflow: 'another' });
		expect([accepted.has('a'), accepted.isStarting('b')]).toEqual([false, false]);
	});
});

/** The same module in another process. */
function anotherProcess(): typeof openAccepted {
	let open = openAccepted;
	jest.isolateModules(() => {
		open = jest.requireActual<{ openAccepted: typeof openAccepted }>(
			'../../../../nodes/DocumentWorkflow/trigger/duplicates',
		).openAccepted;
	});
	return open;
}

describe('The stored data', () => {
	it('includes events of calls whose stored data was overwritten', () => {
		const [first, second] = [opened(), opened()];
		store(first, ['a']);
		store(second, ['b']);
		expect(known(second.stored)).toEqual(['a', 'b']);
	});

	it('includes all events that two processes accept in turns, and what a process has once loaded', () => {
		const other = anotherProcess();
		const stored: IDataObject = {};
		for (const [index, process] of [openAccepted, other, openAccepted, other].entries())
			store(opened(stored, { process }), [`event-${index}`]);
		expect(known(stored)).toEqual(['event-0', 'event-1', 'event-2', 'event-3']);
		const overwritten: IDataObject = {};
		store(opened(overwritten, { process: other }), []);
		expect(known(overwritten)).toHaveLength(4);
	});

	it('does not include events of a call that n8n answered with an error', () => {
		const [first, second] = [opened(), opened()];
		begin(first, ['a']);
		first.response.answer(500);
		store(second, ['b']);
		expect(known(second.stored)).toEqual(['b']);
	});

	it('holds the latest time of each event, and no event that is older than the time window', () => {
		const { accepted, stored } = opened();
		store({ accepted }, ['a']);
		const entry = stored.accepted;
		const older = opened({ accepted: `a.${(Date.now() - HOUR).toString(36)}` });
		store(older, []);
		expect(older.stored.accepted).toBe(entry);
		jest.advanceTimersByTime(25 * HOUR);
		const later = opened();
		store(later, ['b']);
		expect(known(later.stored)).toEqual(['b']);
	});

	it('holds the newest 2,000 events within the time window', () => {
		const old = [...Array(2_500).keys()].map(
			(index) => `old-${index}.${(Date.now() - (index < 1_000 ? 25 : 1) * HOUR).toString(36)}`,
		);
		const { accepted, stored } = opened({ accepted: old.join(' ') });
		store({ accepted }, ['new-1', 'new-2']);
		expect(known(stored)).toHaveLength(1_502);
		store(
			{ accepted },
			[...Array(1_000).keys()].map((index) => `more-${index}`),
		);
		expect(known(stored)).toHaveLength(2_000);
		expect(known(stored).slice(-1)).toEqual(['more-999']);
		expect(known(stored)).toContain('old-2499');
	});

	it('holds the newest events of all processes, however they come together', () => {
		const at = (hours: number) => (Date.now() - hours * HOUR).toString(36);
		const keys = [...Array(1_999).keys()].map((index) => `key-${index}`);
		store(opened(), keys);
		const { accepted, stored } = opened({ accepted: `old.${at(2)} older.${at(3)}` });
		store({ accepted }, []);
		expect(known(stored)).toEqual(['old', ...keys]);
	});

	it('may be missing or malformed', () => {
		for (const stored of [
			{ other: 1 },
			{ accepted: { a: Date.now() } },
			{ accepted: '' },
			{ accepted: 'a a. .a .' },
		]) {
			const { accepted } = opened(stored);
			expect(accepted.has('a')).toBe(false);
			store({ accepted }, ['b']);
			expect(known(stored)).toEqual(['b']);
		}
	});

	it('is read and written in time in proportion to its length', async () => {
		const make = (size: number): IDataObject => {
			const keys = Array.from(
				{ length: size },
				(_, index) => `key-${index}.${Date.now().toString(36)}`,
			);
			return { accepted: keys.join(' ') };
		};
		expect(await growthOf(make, (stored) => store(opened(stored), ['event']))).toBeLessThan(LINEAR);
	});
});

it('Where every event is new, none is known, starting or kept', async () => {
	const started = { webhookResponse: {}, workflowData: [[]] };
	expect(NOTHING_ACCEPTED.accept(['a'])).toBeUndefined();
	expect(NOTHING_ACCEPTED.start(['a'], started)).toBe(started);
	expect(NOTHING_ACCEPTED.has('a')).toBe(false);
	expect(NOTHING_ACCEPTED.isStarting('a')).toBe(false);
	await expect(NOTHING_ACCEPTED.untilStarted(['a'])).resolves.toBeUndefined();
});

describe('The key of an event', () => {
	const event: ServiceEvent = {
		workflowId: 'intake',
		executionId: 'e-1',
		phase: 'completed',
		body: {},
		isTooLarge: false,
	};

	it('depends on workflow, execution and status only', () => {
		expect(eventKey({ ...event, ...{ body: { other: 1 } } })).toBe(eventKey(event));
		const others = [
			{ workflowId: 'claims' },
			{ executionId: 'e-2' },
			{ phase: 'failed' as const },
			{ phase: undefined },
		];
		expect(
			new Set([event, ...others.map((other) => ({ ...event, ...other }))].map(eventKey)).size,
		).toBe(5);
	});

	it('is different for IDs that are the same when joined', () => {
		expect(eventKey({ ...event, workflowId: 'a', executionId: 'b"c' })).not.toBe(
			eventKey({ ...event, workflowId: 'a"b', executionId: 'c' }),
		);
	});

	it('is short and opaque', () => expect(eventKey(event)).toMatch(/^[\w-]{16}$/));
});
