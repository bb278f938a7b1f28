import { setTimeout as sleep } from 'node:timers/promises';
import { output, type Execution } from '../../../harness/n8n-execution';
import { chain, documentWorkflow, EARLY, numbers, split, TEXT_ONLY } from '../flows';
import { casesOf, longWait, named, next, NEXT, SECOND, WAIT } from '../longFlows';
import { withTrigger } from '../notifying';
import type { Scope } from '../lines';
import { until, withOwnService, type World } from '../support';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const ENDLESS = 'never-ending-cases';

/**
 * Notifications at about the time of a check, so that both could continue the n8n execution. A node behind takes twelve seconds: it still
 * runs when the other comes.
 */
export function checkTimesSpec(world: () => World, { long, atStart }: Scope): void {
	/** When an execution ends, in milliseconds after the time of the check. */
	const moments = long ? [-10_000, -5_000, -1_000, -300, 0, 300, 700] : [-5_000];
	let ofShortPauses: Promise<Outcome[]>;
	atStart(() => {
		ofShortPauses = withOwnService(world(), async (own) => notifyAt(own, moments, WAIT));
		ofShortPauses.catch(() => undefined); // the tests fail with it
	});

	it.each(moments.map((moment, index) => [moment, index]))(
		'runs the nodes behind once when a notification comes %i ms after the time of the check',
		async (_moment, index) => expectOnce((await ofShortPauses)[index]),
		7 * MINUTE,
	);

	if (!long) return;

	/** From 75 s before the check on it is left to the check, because n8n sets its timer up to 70 s before. */
	describe('before n8n sets its timer', () => {
		const earlier = [-78, -76, -75.2, -74.8, -72, -70.2, -69.8, -65].map((each) => each * 1_000);
		let outcomes: Outcome[];
		beforeAll(async () => {
			const waiting = { firstCheckSeconds: 1, pauseAfterMinutes: 30 };
			outcomes = await withOwnService(world(), async (own) => notifyAt(own, earlier, waiting));
		}, 9 * MINUTE);
		it.each(earlier.map((moment, index) => [moment, index]))(
			'runs the nodes behind once when a notification comes %i ms after the time of the check',
			(_moment, index) => expectOnce(outcomes[index]),
		);
	});
}

interface Outcome {
	execution: Execution;
	/** How many executions the node behind has started. */
	behind: number;
}

function expectOnce(outcome: Outcome | undefined): void {
	expect(outcome?.execution.error?.message).toBeUndefined();
	expect(outcome && output(outcome.execution, NEXT).map(({ json }) => json)).toEqual(casesOf(0));
	expect(outcome?.execution.runs[NEXT]).toHaveLength(1);
	expect(outcome?.behind).toBe(1);
}

/** With `pauseAfterMinutes` of more than 1 the clock is moved on twice: to a pause of nine minutes, and to its last 90 s. */
async function notifyAt(
	world: World,
	moments: number[],
	waiting: { pauseAfterMinutes: number },
): Promise<Outcome[]> {
	const { client, clock, simulator } = world;
	const { deliveries, executions, requests } = simulator.state;
	const ofExternalId = (externalId: string) =>
		executions.all().filter(({ metadata }) => metadata?.external_id === externalId);
	const flowOf = (moment: number) => {
		const wait = longWait(
			world,
			{},
			{ waiting, inputs: { externalId: `AWAITED ${moment}` } },
			ENDLESS,
		);
		const behind = documentWorkflow(world, 'createAndWait', 'twelve-seconds', {
			...TEXT_ONLY,
			...EARLY,
			inputs: { externalId: `BEHIND ${moment}` },
		});
		return chain('Moment', numbers(1), split(), wait, next(), named('Behind', behind));
	};
	const waitTill = async (id: string) => Date.parse((await client.execution(id)).waitTill ?? '');

	return withTrigger(world, { workflowIds: [ENDLESS] }, async () => {
		const ids = await Promise.all(
			moments.map(async (moment) => client.run(await client.createWorkflow(flowOf(moment)))),
		);
		const isLong = waiting.pauseAfterMinutes > 1;
		if (isLong) {
			const checked = () => new Set(requests.all().map(({ executionId }) => executionId));
			const areChecked = () => executions.all().every((each) => checked().has(each.executionId));
			await until(() => executions.all().length === ids.length && areChecked(), 2 * MINUTE);
			await clock.move(HOUR);
		}
		for (const id of ids)
			await until(
				async () => (await client.execution(id)).status === 'waiting',
				2 * MINUTE,
				SECOND,
			);
		if (isLong) {
			const first = Math.min(...(await Promise.all(ids.map(waitTill))));
			await clock.move(first - clock.now() - 90_000);
		}
		const ended = await Promise.all(
			ids.map(async (id, index) => {
				const moment = moments[index] ?? 0;
				const [{ executionId = '' } = {}] = ofExternalId(`AWAITED ${moment}`);
				await sleep((await waitTill(id)) + moment - clock.now());
				await executions.finish(executionId, { status: 'completed' });
				return client.waitForExecution(id, 5 * MINUTE);
			}),
		);
		const accepted = () => deliveries.all().filter(({ outcome }) => outcome === 'accepted').length;
		await until(() => accepted() === ids.length, 2 * MINUTE);
		return ended.map((execution, index) => ({
			execution,
			behind: ofExternalId(`BEHIND ${moments[index]}`).length,
		}));
	});
}
