import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';

import type { EventsOfCall } from '../../../../nodes/DocumentWorkflow/trigger/duplicates';
import {
	EACH_IS_NEW,
	eventKey,
	openEvents,
} from '../../../../nodes/DocumentWorkflow/trigger/duplicates';
import type { ServiceEvent } from '../../../../service/reading';
import { node } from '../../support/context';

const HOUR = 60 * 60_000;

let trigger = 0;
beforeEach(() => {
	trigger++;
	jest.useFakeTimers({ now: Date.UTC(2026, 0, 1) });
});
afterEach(() => jest.useRealTimers());

interface Call {
	events: EventsOfCall;
	stored: IDataObject;
	response: { statusCode: number };
}

/** A call of the trigger, with the data that n8n loaded for it. `process` is another process of n8n. */
function call(
	stored: IDataObject = {},
	{ workflow = `workflow ${trigger}`, process = openEvents } = {},
): Call {
	const response = { statusCode: 200 };
	const context: Partial<IWebhookFunctions> = {
		getWorkflowStaticData: (type) => (type === 'node' ? stored : {}),
		getWorkflow: () => ({ id: workflow, name: '', active: true }),
		getNode: () => node,
		getResponseObject: () => response as never,
	};
	return { events: process(context as IWebhookFunctions), stored, response };
}
const known = (stored: IDataObject) =>
	(stored.accepted as string).split(' ').map((entry) => entry.split('.')[0]);
const begin = ({ events }: Call, keys: string[]) =>
	events.start(keys, { webhookResponse: { started: true }, workflowData: [[{ json: {} }]] });
/** A call that starts the workflow. */
const start = (given: Call, keys: string[]) => void begin(given, keys).webhookResponse;

/** What a further call may do with an event: `waits` for as long as another call has it in hand. */
async function take(key: string, { events }: Call = call()): Promise<string> {
	const taken = events.take(key);
	let result = 'waits';
	void taken.then((outcome) => (result = outcome));
	await jest.advanceTimersByTimeAsync(0);
	if (result === 'taken') events.end();
	return result;
}

describe('An event', () => {
	it('is in the hand of one call, and a duplicate once n8n has read the answer of that call', async () => {
		const first = call();
		expect(await first.events.take('a')).toBe('taken');
		const second = call().events.take('a');
		const returned = begin(first, ['a']);
		expect(await take('a')).toBe('waits');
		expect(returned.webhookResponse).toEqual({ started: true });
		expect(await second).toBe('duplicate');
		expect(await take('a')).toBe('duplicate');
	});

	it('is for later, and then new, when the call that had it in hand starts nothing with it', async () => {
		const first = call();
		await first.events.take('a');
		const second = call().events.take('a');
		first.events.end();
		expect(await second).toBe('later');
		expect(await take('a')).toBe('taken');
	});

	it('is for later, and then new, when n8n answers with an error instead of starting the workflow', async () => {
		const first = call();
		await first.events.take('a');
		begin(first, ['a']);
		expect(await take('a')).toBe('waits');
		first.response.statusCode = 500;
		expect(await take('a')).toBe('taken');
	});

	it('stays in hand as long as n8n has not read the answer, whatever the caller gets', async () => {
		const first = call();
		await first.events.take('a');
		begin(first, ['a']);
		first.response.statusCode = 200;
		expect(await take('a')).toBe('waits');
	});

	it('is for later when the call has waited for the other for twenty seconds', async () => {
		const first = call();
		await first.events.take('a');
		let taken = '';
		void call()
			.events.take('a')
			.then((outcome) => (taken = outcome));
		await jest.advanceTimersByTimeAsync(19_999);
		expect(taken).toBe('');
		await jest.advanceTimersByTimeAsync(1);
		expect(taken).toBe('later');
	});

	it('is new when n8n, whose queue may be long, has neither started the workflow nor answered within an hour', async () => {
		const first = call();
		await first.events.take('a');
		begin(first, ['a']);
		await jest.advanceTimersByTimeAsync(HOUR - 1);
		expect(await take('a')).toBe('waits');
		await jest.advanceTimersByTimeAsync(1);
		expect(await take('a')).toBe('taken');
	});

	it('is not let go by an earlier call when a later one has taken it since', async () => {
		const first = call();
		await first.events.take('a');
		const returned = begin(first, ['b']);
		await jest.advanceTimersByTimeAsync(HOUR);
		await call().events.take('a');
		void returned.webhookResponse;
		expect(await take('a')).toBe('waits');
	});

	it('is stored each time n8n reads the answer, and not before', () => {
		const stored: IDataObject = {};
		const assigned: unknown[] = [];
		const observed = new Proxy(stored, {
			set: (target, name, value) => assigned.push(value) > 0 && Reflect.set(target, name, value),
		});
		const returned = begin(call(observed), ['a']);
		expect(assigned).toEqual([]);
		void [returned.webhookResponse, returned.webhookResponse];
		expect(assigned).toHaveLength(2);
		expect(known(stored)).toEqual(['a']);
	});

	it('is a duplicate in any process that loads the stored data', async () => {
		const first = call();
		start(first, ['a']);
		expect(await take('a', call(first.stored, { process: anotherProcess() }))).toBe('duplicate');
	});

	it('is new after the time window, whether it was stored or remembered', async () => {
		const first = call();
		start(first, ['a']);
		const process = anotherProcess();
		const both = async () => [await take('a', call(first.stored, { process })), await take('a')];
		jest.advanceTimersByTime(24 * HOUR - 1);
		expect(await both()).toEqual(['duplicate', 'duplicate']);
		jest.advanceTimersByTime(1);
		expect(await both()).toEqual(['taken', 'taken']);
	});

	it('is new for another trigger', async () => {
		start(call(), ['a']);
		await call().events.take('b');
		const another = call({}, { workflow: 'another' });
		expect([await take('a', another), await take('b', another)]).toEqual(['taken', 'taken']);
	});
});

/** The same module in another process. */
function anotherProcess(): typeof openEvents {
	let open = openEvents;
	jest.isolateModules(() => {
		open = jest.requireActual<{ openEvents: typeof openEvents }>(
			'../../../../nodes/DocumentWorkflow/trigger/duplicates',
		).openEvents;
	});
	return open;
}

describe('The stored data', () => {
	it('includes all events that two processes accept in turns, and what a process has once loaded', () => {
		const other = anotherProcess();
		const stored: IDataObject = {};
		for (const [index, process] of [openEvents, other, openEvents, other].entries())
			start(call(stored, { process }), [`event-${index}`]);
		expect(known(stored)).toEqual(['event-0', 'event-1', 'event-2', 'event-3']);
		const overwritten: IDataObject = {};
		start(call(overwritten, { process: other }), []);
		expect(known(overwritten)).toHaveLength(4);
	});

	it('does not include events of a call that n8n answered with an error', () => {
		const [first, second] = [call(), call()];
		begin(first, ['a']);
		first.response.statusCode = 500;
		start(second, ['b']);
		expect(known(second.stored)).toEqual(['b']);
	});

	it('holds the latest time of each event, and no event that is older than the time window', () => {
		const first = call();
		start(first, ['a']);
		const entry = first.stored.accepted;
		const older = call({ accepted: `a.${(Date.now() - HOUR).toString(36)}` });
		start(older, []);
		expect(older.stored.accepted).toBe(entry);
		jest.advanceTimersByTime(25 * HOUR);
		const later = call();
		start(later, ['b']);
		expect(known(later.stored)).toEqual(['b']);
	});

	it('holds the newest 2,000 events within the time window', () => {
		const old = [...Array(2_500).keys()].map(
			(index) => `old-${index}.${(Date.now() - (index < 1_000 ? 25 : 1) * HOUR).toString(36)}`,
		);
		const first = call({ accepted: old.join(' ') });
		start(first, ['new-1', 'new-2']);
		expect(known(first.stored)).toHaveLength(1_502);
		start(
			first,
			[...Array(1_000).keys()].map((index) => `more-${index}`),
		);
		expect(known(first.stored)).toHaveLength(2_000);
		expect(known(first.stored).slice(-1)).toEqual(['more-999']);
		expect(known(first.stored)).toContain('old-2499');
	});

	it('holds the newest events of all processes, however they come together', () => {
		const at = (hours: number) => (Date.now() - hours * HOUR).toString(36);
		const keys = [...Array(1_999).keys()].map((index) => `key-${index}`);
		start(call(), keys);
		const other = call({ accepted: `old.${at(2)} older.${at(3)}` });
		start(other, []);
		expect(known(other.stored)).toEqual(['old', ...keys]);
	});

	it('may be missing or malformed', async () => {
		for (const stored of [
			{ other: 1 },
			{ accepted: { a: Date.now() } },
			{ accepted: '' },
			{ accepted: 'a a. .a .' },
		]) {
			const first = call(stored);
			expect(await take('a', first)).toBe('taken');
			start(first, ['b']);
			expect(known(stored as IDataObject)).toEqual(['b']);
		}
	});
});

it('In a test run, where each event is new, none is known, in hand or kept', async () => {
	const started = { webhookResponse: {}, workflowData: [[]] };
	expect(EACH_IS_NEW.end()).toBeUndefined();
	expect(EACH_IS_NEW.start(['a'], started)).toBe(started);
	expect([await EACH_IS_NEW.take('a'), await EACH_IS_NEW.take('a')]).toEqual(['taken', 'taken']);
});

describe('The key of an event', () => {
	const event: ServiceEvent = {
		workflowId: 'intake',
		executionId: 'e-1',
		meaning: 'completed',
		phase: 'completed',
	};

	it('depends on workflow, execution and status only', () => {
		expect(eventKey({ ...event, ...{ status: 'done' } })).toBe(eventKey(event));
		const others = [
			{ workflowId: 'claims' },
			{ executionId: 'e-2' },
			{ meaning: 'failed' as const },
			{ meaning: 'partial' as const },
			{ meaning: 'unknown' as const },
			{ meaning: undefined },
		];
		expect(
			new Set([event, ...others.map((other) => ({ ...event, ...other }))].map(eventKey)).size,
		).toBe(7);
	});

	it('is different for IDs that are the same when joined', () => {
		expect(eventKey({ ...event, workflowId: 'a', executionId: 'b"c' })).not.toBe(
			eventKey({ ...event, workflowId: 'a"b', executionId: 'c' }),
		);
	});

	it('is short and opaque', () => expect(eventKey(event)).toMatch(/^[\w-]{16}$/));
});
