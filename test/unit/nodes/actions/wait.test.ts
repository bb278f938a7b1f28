import type { WorkflowExecuteMode } from 'n8n-workflow';
import type { Result, Session } from '../../../../nodes/DocumentWorkflow/actions/operation';
import type { WaitSettings } from '../../../../nodes/DocumentWorkflow/actions/fields/waiting';
import { readWaitSettings } from '../../../../nodes/DocumentWorkflow/actions/fields/waiting';
import type { Wait } from '../../../../service/wait';
import { Journal } from '../../../../nodes/DocumentWorkflow/actions/sending/journal';
import { waitFor } from '../../../../nodes/DocumentWorkflow/actions/waiting';
import { contextOf, pauseOf } from '../../support/context';

const entered = { workflowId: 'w', executionId: 'e-1' };
const started = { ...entered, status: 'running' };

/** The mock that `pauseOf` put there. */
const keepRunningOf = ({ pause }: Session) => jest.spyOn(pause, 'keepRunning');

/** A run in which each check gets the same answer. */
function sessionWith(
	body: object,
	parameters: Record<string, unknown> = {},
	mode: WorkflowExecuteMode = 'trigger',
): Session {
	const send = () => Promise.resolve({ kind: 'answer', status: 200, headers: {}, body } as const);
	const context = contextOf({ parameters, getMode: () => mode });
	return {
		context,
		journal: new Journal(context),
		startedAt: Date.now(),
		inputs: [],
		pause: pauseOf(),
		connection: {
			fileAccess: { fields: {} },
			send,
			linkTo: (ids) => ids,
			pause: async (milliseconds) => {
				if (milliseconds > 0) await jest.advanceTimersByTimeAsync(milliseconds);
			},
		},
	};
}

type Wanted = Parameters<typeof waitFor>[1];

/** Waits, by default for an execution that was created just now. */
async function wait(
	session: Session,
	options: Partial<WaitSettings['wait']> = {},
	given: Partial<Wanted> = {},
) {
	const { wait: read, result } = readWaitSettings({ context: session.context, itemIndex: 0 });
	return waitFor(session, {
		itemIndexes: [0],
		execution: started,
		wait: { ...read, ...options },
		result,
		about: { documents: [] },
		...given,
	});
}

describe('a wait that ends', () => {
	beforeEach(() => jest.useFakeTimers());
	afterEach(() => jest.useRealTimers());

	const after = (seconds: number): Partial<WaitSettings['wait']> => ({
		plan: {
			firstMilliseconds: 5000,
			longestMilliseconds: 30_000,
			timeoutMilliseconds: seconds * 1000,
		},
		whileRunningMilliseconds: seconds * 1000,
	});

	it.each([
		[45, '0.0125 hours'],
		[3600, '1 hour'],
		[5400, '1.5 hours'],
		[86_400, '24 hours'],
	])('reports after %d s that %s have passed', async (seconds, words) => {
		expect(await wait(sessionWith({ status: 'queued' }), after(seconds))).toMatchObject({
			ok: false,
			error: {
				message: `No result after ${words}: the execution is still running (status "queued")`,
			},
			about: { workflowId: 'w', executionId: 'e-1', status: 'queued', documents: [] },
		});
	});

	it('takes fewer checks when the run has several items', async () => {
		const alone = await wait({ ...sessionWith({}), inputs: [{ json: {} }] }, after(200));
		const several = await wait(
			{ ...sessionWith({}), inputs: [{ json: {} }, { json: {} }] },
			after(200),
		);
		expect(alone).toMatchObject({ ok: false, about: { checks: expect.any(Number) } });
		expect(several).toMatchObject({ ok: false, about: { checks: expect.any(Number) } });
		const checksOf = (result: Result) => Number(result.about.checks);
		expect(checksOf(several)).toBeLessThan(checksOf(alone));
	});

	it('reports an unknown status when no check of an earlier execution succeeded', async () => {
		const result = await wait(sessionWith({}), after(45), { execution: entered, about: {} });
		expect(result).toMatchObject({
			ok: false,
			error: {
				message: expect.stringMatching(/no check of the execution succeeded$/),
			},
			about: { status: 'unknown' },
		});
	});

	it.each([
		['an unknown status without a successful check', entered, 'unknown'],
		['the status running when it was created just now', started, 'running'],
	])('reports after a final error %s', async (_what, execution, status) => {
		const refused = sessionWith({ status: 'completed', execution_id: 'e-2' });
		const result = await wait(refused, {}, { execution, about: {} });
		expect(result).toMatchObject({
			ok: false,
			error: { message: expect.stringContaining('another execution: "e-2"') },
			about: { workflowId: 'w', executionId: 'e-1', status, checks: 1 },
		});
	});

	it('continues with what is known when the panel says so', async () => {
		expect(
			await wait(sessionWith({ status: 'queued' }), { ...after(45), ifTimedOut: 'continue' }),
		).toMatchObject({
			ok: true,
			items: [
				{
					json: {
						executionId: 'e-1',
						status: 'queued',
						timedOut: true,
						needsReview: true,
						documents: [],
						message: expect.stringContaining('0.0125 hours'),
						advice: expect.stringContaining("'Maximum Wait (Hours)'"),
					},
				},
			],
		});
	});
});

describe('a long wait', () => {
	beforeEach(() => jest.useFakeTimers());
	afterEach(() => jest.useRealTimers());

	const [MINUTE, HOUR] = [60_000, 3_600_000];
	const elapsed = async (work: Promise<Result>) => {
		const begin = Date.now();
		return { result: await work, milliseconds: Date.now() - begin };
	};

	it.each([
		['20 seconds', 'trigger', 20, {}],
		['three minutes in the editor', 'manual', 180, {}],
		['the time of the option', 'trigger', 60, { 'waiting.pauseAfterSeconds': 60 }],
		['the time of the option in the editor too', 'manual', 20, { 'waiting.pauseAfterSeconds': 20 }],
	] as const)(
		'stays open after %s, so that n8n pauses',
		async (_time, mode, seconds, parameters) => {
			const session = sessionWith({ status: 'queued' }, parameters, mode);
			const begin = Date.now();
			const { result, milliseconds } = await elapsed(wait(session));
			expect(milliseconds).toBe(seconds * 1_000);
			expect(result).toEqual({
				ok: true,
				about: {},
				items: [],
				wait: {
					workflowId: 'w',
					executionId: 'e-1',
					status: 'queued',
					since: begin,
					until: begin + 24 * HOUR,
					firstMilliseconds: 5_000,
					longestMilliseconds: 15 * MINUTE,
					checks: expect.any(Number),
					endsWhenHeld: false,
					known: 'found',
				},
			});
			expect(keepRunningOf(session)).not.toHaveBeenCalled();
		},
	);

	it('stays open without a check when its execution was created after that time', async () => {
		const session = { ...sessionWith({ status: 'queued' }), startedAt: Date.now() - 60_000 };
		const { result, milliseconds } = await elapsed(wait(session));
		expect(milliseconds).toBe(0);
		expect(result).toMatchObject({ ok: true, items: [], wait: { checks: 0, status: 'running' } });
	});

	it('stays open without a check when its first check is due after that time', async () => {
		const session = sessionWith({ status: 'queued' }, { 'waiting.firstCheckSeconds': 600 });
		const { result, milliseconds } = await elapsed(wait(session));
		expect(milliseconds).toBe(0);
		expect(result).toMatchObject({ ok: true, items: [], wait: { checks: 0 } });
	});

	it('stores no status of an execution of before that no check has found', async () => {
		const { result } = await elapsed(wait(sessionWith({}), {}, { execution: entered }));
		expect(result).not.toHaveProperty('wait.status');
	});

	it('is not left open for a rest of less than half a minute', async () => {
		const session = sessionWith({ status: 'queued' }, { 'waiting.longestWaitHours': 0.013 });
		const { result, milliseconds } = await elapsed(wait(session));
		expect(result).toMatchObject({ ok: false, about: { status: 'queued' } });
		expect(milliseconds).toBe(46_800);
		expect(keepRunningOf(session)).not.toHaveBeenCalled();
	});

	it('goes on while the node runs where n8n cannot pause, and reports that', async () => {
		const session = {
			...sessionWith({ status: 'queued' }, { 'waiting.longestWaitHours': 2 }),
			pause: pauseOf(undefined, 'it is a tool'),
		};
		const { result, milliseconds } = await elapsed(wait(session));
		expect(milliseconds).toBe(2 * HOUR);
		expect(result).toMatchObject({
			ok: false,
			error: { message: expect.stringContaining('No result after 2 hours') },
		});
		expect(keepRunningOf(session)).toHaveBeenCalled();
	});

	it('does not report that it keeps running while that is not longer than before a pause', async () => {
		const session = {
			...sessionWith({ status: 'completed', steps: [] }),
			pause: pauseOf(undefined, 'it is a tool'),
		};
		expect(await wait(session)).toMatchObject({ ok: true, wait: { checks: 1 } });
		expect(keepRunningOf(session)).not.toHaveBeenCalled();
	});

	describe('after a pause', () => {
		const before = (more: Partial<Wait> = {}): Wait => ({
			...{ workflowId: 'w', executionId: 'e-1', status: 'queued' },
			since: Date.now() - 2 * HOUR,
			until: Date.now() + HOUR,
			firstMilliseconds: 5_000,
			longestMilliseconds: 15 * MINUTE,
			checks: 20,
			known: 'found',
			...more,
		});
		const after = (body: object, stored: Wait): Session => ({
			...sessionWith(body),
			pause: pauseOf([{ key: '0', itemIndexes: [0], wait: stored }]),
		});

		it('checks at once, and returns the result', async () => {
			const session = after({ status: 'completed', steps: [] }, before());
			const { result, milliseconds } = await elapsed(wait(session));
			expect(milliseconds).toBe(0);
			expect(result).toMatchObject({ ok: true, items: [{ json: { status: 'completed' } }] });
		});

		it('counts the time and the checks of all its runs', async () => {
			const stored = before({ until: Date.now() });
			const session = after({ status: 'queued' }, stored);
			expect(await wait(session)).toMatchObject({
				about: { status: 'queued', checks: 21, watchedSeconds: 7_200 },
			});
		});

		it('stays open, with its time limit, while the execution runs', async () => {
			const stored = before();
			const session = after({ status: 'in_review' }, stored);
			const { result, milliseconds } = await elapsed(wait(session));
			expect(milliseconds).toBe(0);
			expect(result).toEqual({
				ok: true,
				about: {},
				items: [],
				wait: {
					...stored,
					status: 'in_review',
					checks: 21,
					endedAt: undefined,
				},
			});
		});
	});
});
