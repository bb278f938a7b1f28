import { EventEmitter } from 'node:events';
import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';

import type { Accepted } from '../../../../nodes/DocumentWorkflow/trigger/duplicates';
import { eventKey, openAccepted } from '../../../../nodes/DocumentWorkflow/trigger/duplicates';
import type { ServiceEvent } from '../../../../service/events';

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

/** A call of the trigger, with the data that n8n loaded for it. */
function opened(
	stored: IDataObject = {},
	windowHours = 24,
	workflow = `workflow ${trigger}`,
): { accepted: Accepted; stored: IDataObject; response: Response } {
	const response = new Response();
	const context: Partial<IWebhookFunctions> = {
		getWorkflowStaticData: () => stored,
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
	return {
		accepted: openAccepted(context as IWebhookFunctions, windowHours * HOUR),
		stored,
		response,
	};
}
const known = (stored: IDataObject) =>
	(stored.accepted as string).split(' ').map((entry) => entry.split('.')[0]);

describe('An event', () => {
	it('is new, then being processed, then accepted once n8n has answered', () => {
		const { accepted, response } = opened();
		expect(accepted.state('a')).toBe('new');
		accepted.take('a');
		expect(opened().accepted.state('a')).toBe('processing');
		accepted.accept(['a']);
		expect(opened().accepted.state('a')).toBe('processing');
		response.answer(200);
		expect(opened().accepted.state('a')).toBe('accepted');
	});

	it('is new again when it was released', () => {
		const { accepted } = opened();
		accepted.take('a');
		accepted.release('a');
		expect(opened().accepted.state('a')).toBe('new');
	});

	it('is being processed for as long as that takes', () => {
		opened().accepted.take('a');
		jest.advanceTimersByTime(10 * HOUR);
		expect(opened().accepted.state('a')).toBe('processing');
	});

	it('is accepted in any process that loads the stored data', () => {
		const { accepted, stored } = opened();
		accepted.accept(['a']);
		expect(opened(stored).accepted.state('a')).toBe('accepted');
		expect(opened(stored, 24, 'as another process').accepted.state('a')).toBe('accepted');
	});

	it('is new 10 seconds after n8n could neither store nor answer it', () => {
		opened().accepted.accept(['a']);
		jest.advanceTimersByTime(9_999);
		expect(opened().accepted.state('a')).toBe('processing');
		jest.advanceTimersByTime(1);
		expect(opened().accepted.state('a')).toBe('new');
	});

	it('is new when n8n answered with an error', () => {
		const { accepted, response } = opened();
		accepted.accept(['a']);
		response.answer(500);
		jest.advanceTimersByTime(10_000);
		expect(opened().accepted.state('a')).toBe('new');
	});

	it('is new after the time window, whether it was stored or remembered', () => {
		const { accepted, stored, response } = opened();
		accepted.accept(['a']);
		response.answer(200);
		jest.advanceTimersByTime(24 * HOUR - 1);
		expect([opened(stored).accepted.state('a'), opened().accepted.state('a')]).toEqual([
			'accepted',
			'accepted',
		]);
		jest.advanceTimersByTime(1);
		expect([opened(stored).accepted.state('a'), opened().accepted.state('a')]).toEqual([
			'new',
			'new',
		]);
	});

	it('is new for another trigger', () => {
		const { accepted, response } = opened();
		accepted.accept(['a']);
		response.answer(200);
		accepted.take('b');
		expect(['a', 'b'].map(opened({}, 24, 'another').accepted.state)).toEqual(['new', 'new']);
	});
});

describe('The stored data', () => {
	it('includes events of calls whose stored data was overwritten', () => {
		const [first, second] = [opened(), opened()];
		first.accepted.accept(['a']);
		first.response.answer(200);
		second.accepted.accept(['b']);
		expect(known(second.stored)).toEqual(['a', 'b']);
	});

	it('includes only events that were answered with 2xx', () => {
		const [first, second] = [opened(), opened()];
		first.accepted.accept(['a']);
		first.response.answer(503);
		second.accepted.accept(['b']);
		expect(known(second.stored)).toEqual(['b']);
	});

	it('holds the newest 2,000 events within the time window', () => {
		const old = [...Array(2_500).keys()].map(
			(index) => `old-${index}.${(Date.now() - (index < 1_000 ? 25 : 1) * HOUR).toString(36)}`,
		);
		const { accepted, stored } = opened({ accepted: old.join(' ') });
		accepted.accept(['new-1', 'new-2']);
		expect(known(stored)).toHaveLength(1_502);
		accepted.accept([...Array(1_000).keys()].map((index) => `more-${index}`));
		expect(known(stored)).toHaveLength(2_000);
		expect(known(stored).slice(-1)).toEqual(['more-999']);
		expect(known(stored)).toContain('old-2499');
	});

	it('holds, like the memory of the process, the newest 2,000 events of a trigger by their latest call', () => {
		const { accepted, response } = opened();
		const keys = [...Array(2_000).keys()].map((index) => `key-${index}`);
		for (const each of [keys, ['key-0', 'another']]) {
			accepted.accept(each);
			response.answer(200);
		}
		jest.advanceTimersByTime(10_000);
		expect(['key-0', 'key-1', 'key-2', 'another'].map(opened().accepted.state)).toEqual([
			'accepted',
			'new',
			'accepted',
			'accepted',
		]);
	});

	it('may be missing or malformed', () => {
		for (const stored of [
			{ other: 1 },
			{ accepted: { a: Date.now() } },
			{ accepted: '' },
			{ accepted: 'a a. .a .' },
		]) {
			const { accepted } = opened(stored);
			expect(accepted.state('a')).toBe('new');
			accepted.accept(['b']);
			expect(known(stored)).toEqual(['b']);
		}
	});
});

describe('The key of an event', () => {
	const event: ServiceEvent = {
		workflowId: 'intake',
		executionId: 'e-1',
		phase: 'completed',
		body: {},
	};

	it('depends on workflow, execution and status only', () => {
		expect(eventKey({ ...event, body: { other: 1 } })).toBe(eventKey(event));
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
