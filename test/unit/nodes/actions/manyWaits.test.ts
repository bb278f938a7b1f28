import type { Result, Session } from '../../../../nodes/DocumentWorkflow/actions/operation';
import { inParallel } from '../../../../nodes/DocumentWorkflow/actions/operation';
import { readWaitSettings } from '../../../../nodes/DocumentWorkflow/actions/fields/waiting';
import { Journal } from '../../../../nodes/DocumentWorkflow/actions/sending/journal';
import { waitFor } from '../../../../nodes/DocumentWorkflow/actions/waiting';
import type { Wait } from '../../../../service/wait';
import { HOUR, SECOND, time } from '../../../../nodes/DocumentWorkflow/connection/time';
import { MAX_PARALLEL_CHECKS } from '../../../../nodes/DocumentWorkflow/connection/connect';
import type { Reply } from '../../../../service/http';
import { RateLimit } from '../../../../service/rateLimit';
import { answer, busy, sender } from '../../support/answeredQueue';
import { contextOf, pauseOf } from '../../support/context';
import { FakeClock } from '../../support/fakeClock';

const success = (body: object): Reply => ({ kind: 'answer', status: 200, headers: {}, body });
const COMPLETED = success({ status: 'completed', steps: [] });
const RUNNING = success({ status: 'running' });
const SILENT = 'silent';

interface Service {
	waits: number;
	/** How long the service takes for an answer, in seconds. */
	seconds?: number;
	/** The answer to the nth request. */
	replyTo?: (nth: number) => Reply | typeof SILENT;
	/** What is stored of each wait. By default its execution has ended. */
	stored?: Partial<Wait>;
	/** Whether there was no pause yet. */
	isFirst?: boolean;
}

/** Runs all waits, by default after a pause, with a clock that moves only in pauses and checks. */
async function run({ waits, seconds = 1, replyTo, stored, isFirst = false }: Service) {
	const clock = new FakeClock();
	jest.spyOn(time, 'now').mockImplementation(clock.now);
	let requests = 0;
	const send = sender(
		new RateLimit(clock.pause, clock.now),
		MAX_PARALLEL_CHECKS,
		async ({ timeoutMilliseconds }) => {
			requests++;
			const reply = replyTo?.(requests) ?? COMPLETED;
			const isLate = reply === SILENT || seconds * SECOND > timeoutMilliseconds;
			await clock.pause(isLate ? timeoutMilliseconds : seconds * SECOND);
			return isLate ? { kind: 'noAnswer', code: 'ECONNABORTED' } : reply;
		},
	);
	const context = contextOf({
		getContext: () => ({}),
		getExecutionId: () => '1',
		getInputData: () => [],
	});
	const executions = Array.from({ length: waits }, (_, index) => ({
		workflowId: 'w',
		executionId: `e-${index}`,
		status: 'completed',
	}));
	const session: Session = {
		context,
		journal: new Journal(context),
		inputs: [],
		pause: pauseOf(
			isFirst
				? undefined
				: executions.map((execution, index) => ({
						key: `${index}`,
						itemIndexes: [index],
						wait: {
							...execution,
							since: -2 * HOUR,
							until: HOUR,
							firstMilliseconds: 5 * SECOND,
							longestMilliseconds: 60 * SECOND,
							checks: 2,
							known: 'found',
							endedAt: -HOUR,
							...stored,
						},
					})),
		),
		startedAt: 0,
		connection: {
			fileAccess: { fields: {} },
			send,
			linkTo: (ids) => ids,
			pause: clock.pause,
		},
	};
	const { wait, result } = readWaitSettings({ context, itemIndex: 0 });
	const work = async (execution: (typeof executions)[number], index: number) =>
		waitFor(session, {
			...{ itemIndexes: [index], execution, wait, result },
		});
	const results = await clock.passUntil(
		isFirst ? Promise.all(executions.map(work)) : inParallel(executions, work),
	);
	return { results, requests, seconds: clock.now() / SECOND };
}

const isRead = (result: Result) => result.ok && result.items.length === 1;
const isOpen = (result: Result) => result.ok && result.items.length === 0;

describe('After a pause,', () => {
	afterEach(() => jest.restoreAllMocks());

	it.each([
		['many results', 600, 1],
		['results that take long', 40, 50],
	])('%s are each read once, because waiting for a turn does not count', async (_, waits, each) => {
		const { results, requests, seconds } = await run({ waits, seconds: each });
		expect(results.filter(isRead)).toHaveLength(waits);
		expect(requests).toBe(waits);
		const least = (waits * each) / MAX_PARALLEL_CHECKS;
		expect(seconds).toBeGreaterThanOrEqual(least);
		// On a busy machine the clock of this test may tick again before a turn is over.
		expect(seconds).toBeLessThan(2 * least);
	});

	it('a result that was not read at first is read when many others have been', async () => {
		const { results, requests } = await run({
			waits: 600,
			replyTo: (nth) => (nth === 1 ? answer(500) : COMPLETED),
		});
		expect(results.filter(isRead)).toHaveLength(600);
		expect(requests).toBe(601);
	});

	it.each([
		['all waits stay open after a minute in which the service is silent', 0],
		['the other waits stay open after a minute without a result', 296],
	])('%s', async (_, answered) => {
		const { results, seconds } = await run({
			waits: 600,
			replyTo: (nth) => (nth > answered ? SILENT : COMPLETED),
		});
		expect(results.filter(isRead)).toHaveLength(answered);
		expect(results.filter(isOpen)).toHaveLength(600 - answered);
		const lastAnswer = answered / MAX_PARALLEL_CHECKS;
		expect(seconds - lastAnswer).toBeGreaterThanOrEqual(60);
		expect(seconds - lastAnswer).toBeLessThan(66);
		expect(results.at(-1)).toMatchObject({
			wait: { status: 'completed', endedAt: undefined },
		});
	});

	it('all results are read although the service asks for a pause of more than a minute', async () => {
		const { results, requests, seconds } = await run({
			waits: 200,
			replyTo: (nth) => (nth === 100 ? busy(200) : COMPLETED),
		});
		expect(results.filter(isRead)).toHaveLength(200);
		expect(requests).toBe(201);
		expect(seconds).toBeGreaterThan(200);
		expect(seconds).toBeLessThan(300);
	});

	it('each of many executions is checked once more at the time limit', async () => {
		const { results, requests } = await run({
			waits: 600,
			replyTo: (nth) => (nth > 500 ? COMPLETED : RUNNING),
			stored: { status: 'running', endedAt: undefined, until: 0 },
		});
		expect(requests).toBe(600);
		expect(results.filter(isRead)).toHaveLength(100);
		expect(results[0]).toMatchObject({
			ok: false,
			error: { message: 'No result after 2 hours: the execution is still running' },
		});
	});

	it('an execution that has ended is not reported as running when its result cannot be read after the time limit', async () => {
		const { results } = await run({
			waits: 100,
			replyTo: () => SILENT,
			stored: { until: 0 },
		});
		const [first, last] = [results[0], results.at(-1)];
		expect(first).toMatchObject({
			ok: false,
			error: {
				message: 'The connection to the service broke or timed out (ECONNABORTED)',
				description: expect.stringContaining(
					'Use Get Execution to read the result later. Execution e-0 (workflow w)',
				),
			},
			about: { executionId: 'e-0', status: 'completed', watchedSeconds: 7_260 },
		});
		expect(last).toMatchObject({
			ok: false,
			error: {
				message:
					'The request could not be sent in time, because the service was silent or too busy',
			},
			about: { executionId: 'e-99', status: 'completed', checks: 2 },
		});
	});
});

describe('Before a pause,', () => {
	afterEach(() => jest.restoreAllMocks());

	it('many waits are read or stay open, and none fails', async () => {
		const { results, seconds } = await run({ waits: 1_600, isFirst: true });
		const read = results.filter(isRead).length;
		expect(read).toBeGreaterThan(140);
		expect(results.filter(isOpen)).toHaveLength(1_600 - read);
		expect(seconds).toBeLessThan(26);
	});
});
