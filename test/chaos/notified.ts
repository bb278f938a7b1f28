/** The part of a chaos in which n8n executions pause, and notifications that come late, twice, or never resume them. */
import { setTimeout as sleep } from 'node:timers/promises';
import { withTrigger } from '../e2e/notifying';
import { until } from '../e2e/support';
import type { Batch } from './batches';
import type { Told } from './books';
import { increase, inTurns } from './many';
import { connectionFaults } from './plan';
import { startProxy } from '../../harness/proxy';
import type { movable, Surroundings } from './surroundings';
import { toldBy } from './told';
import { flowFor, SERVICE_WORKFLOWS } from './ways';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const STARTED_AT_ONCE = 4;
/** After the last create. */
const QUIET = { long: 10 * SECOND, short: 4 * SECOND };
/** How often the clock is moved on until all n8n executions have ended. */
const ROUNDS = 12;
const RUN_WITHIN = 12 * MINUTE;

/** How the service notifies: late, in any order, twice, and several times where n8n fails. */
const WEBHOOK = {
	long: {
		duplicates: 1,
		delaySeconds: { fromSeconds: 0, toSeconds: 60 },
		retry: { attempts: 6, firstDelayMilliseconds: 2_000, longestDelayMilliseconds: 20_000 },
	},
	short: {
		duplicates: 1,
		delaySeconds: { fromSeconds: 0, toSeconds: 3 },
		retry: { attempts: 6, firstDelayMilliseconds: 500, longestDelayMilliseconds: 500 },
	},
};
/** The first check is made after 12 seconds. */
const PAUSED_WITHIN = 20 * SECOND;
/** From the last answer to a notification, or from a check, to the end of what it resumes. */
const RESUMED_WITHIN = { long: 30 * SECOND, short: 5 * SECOND };
/** The default of Maximum Interval, and some more. */
const LONGEST_PAUSE = 20 * MINUTE;

export interface Notifications {
	accepted: number;
	repeated: number;
	givenUp: number;
}

interface Wanted {
	seed: number;
	long: boolean;
	report: (sentence: string) => void;
	clock: ReturnType<typeof movable>;
}

/**
 * n8n executions that pause. All of their executions end at once in random order; notifications come late, twice, or break. Of those
 * that are lost n8n has the result at its next check, to which its clock is moved.
 */
export async function runNotified(
	{ simulator, worlds: { service: world } }: Surroundings,
	batches: Batch[],
	{ seed, long, clock, report }: Wanted,
	tell: (batch: Batch, told: Map<string, Told>) => void,
): Promise<Notifications> {
	const { client, n8n } = world;
	const size = long ? 'long' : 'short';
	const { executions, requests, deliveries, workflows } = simulator.state;
	const trigger = await startProxy(n8n.webhookUrl, connectionFaults(seed, 'notifications'));
	const { notified, notifiedOnce } = SERVICE_WORKFLOWS;
	const wanted = {
		workflowIds: [notified, notifiedOnce],
		through: (url: string) => url.replace(n8n.webhookUrl, trigger.url),
		webhook: WEBHOOK[size],
	};
	/** The service gives up at the first failure. */
	const sendOnce = () => {
		const webhooks = workflows.find(notifiedOnce)?.webhooks ?? [];
		const retry = { attempts: 1, firstDelayMilliseconds: 0 };
		workflows.change(notifiedOnce, { webhooks: webhooks.map((each) => ({ ...each, retry })) });
	};
	const ids = new Map<string, Batch>();
	const countOf = async (...statuses: string[]) => {
		const all = await Promise.all([...ids.keys()].map(async (id) => client.execution(id)));
		return all.filter(({ status }) => statuses.includes(status)).length;
	};
	const haveAllBegun = () => {
		const begun = new Set(executions.all().map(({ metadata }) => metadata?.external_id));
		return batches.every(({ documents }) => documents.some(({ id }) => begun.has(id)));
	};
	const lastCreate = () =>
		Math.max(...requests.all().map(({ route, startedAt }) => (route === 'create' ? startedAt : 0)));
	const areRunning = async () => (await countOf('new', 'running')) > 0;
	const endAll = async () => {
		const running = executions.all().filter(({ status }) => status === 'running');
		for (const { executionId } of running)
			void executions.finish(executionId, { status: 'completed' });
		await sleep(SECOND);
		await until(() => deliveries.isIdle(), 10 * MINUTE);
	};
	const answers = () => {
		const counts = new Map<string, number>();
		for (const { answer } of deliveries.all()) increase(counts, String(answer));
		return Object.fromEntries(counts);
	};
	const work = async () => {
		sendOnce();
		await inTurns(batches, STARTED_AT_ONCE, async (batch) => {
			const flow = flowFor(world, batch.way, batch.documents);
			ids.set(await client.run(await client.createWorkflow(flow)), batch);
		});
		await eventually(async () => haveAllBegun(), MINUTE);
		await until(() => Date.now() - lastCreate() > QUIET[size], 5 * MINUTE);
		// While they check, n8n's clock is moved on, so that they pause, for a quarter of an hour. On a busy machine some begin later.
		for (const ahead of [8 * HOUR, 4 * HOUR, 4 * HOUR]) {
			if (!(await areRunning())) break;
			await clock.move(ahead);
			await eventually(async () => !(await areRunning()), PAUSED_WITHIN);
		}
		report(`${await countOf('waiting')} of ${ids.size} n8n executions have paused`);
		await endAll();
		const areOver = async () => (await countOf('new', 'running', 'waiting')) === 0;
		await eventually(areOver, RESUMED_WITHIN[size]);
		report(`${await countOf('waiting')} n8n executions were not notified, or not in time`);
		report(`Answers to notifications: ${JSON.stringify(answers())}`);
		for (let round = 0; round < ROUNDS && !(await areOver()); round++) {
			await endAll();
			await clock.move(LONGEST_PAUSE);
			await clock.look();
			await eventually(areOver, RESUMED_WITHIN[size]);
			report(`${await countOf('waiting')} n8n executions wait after a further check`);
		}
		for (const [id, batch] of ids)
			tell(batch, toldBy([await client.waitForExecution(id, RUN_WITHIN)], batch.documents));
	};
	try {
		await withTrigger(world, wanted, work);
	} finally {
		await clock.restore();
		await trigger.stop();
	}
	const ended = (wantedOutcome: string) =>
		deliveries.all().filter(({ outcome }) => outcome === wantedOutcome).length;
	return { accepted: ended('accepted'), repeated: ended('repeat'), givenUp: ended('givenUp') };
}

/** Waits until a condition holds, or for so many milliseconds. */
async function eventually(condition: () => Promise<boolean>, timeout: number): Promise<void> {
	for (const end = Date.now() + timeout; Date.now() < end && !(await condition());)
		await sleep(SECOND);
}
