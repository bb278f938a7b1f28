/** n8n executions pause, and their pauses are over at the same moment: main finds them, and the workers check. */
import { setTimeout as sleep } from 'node:timers/promises';
import { startCounter } from '../../e2e/counter';
import { chain, documentWorkflow, node } from '../../e2e/flows';
import { publish } from '../../e2e/published';
import { until, type QueueWorld } from '../../e2e/support';
import { CASE, withService, inTurns } from '../service';
import { MINUTE, SECOND, seconds, type PartOptions, type Section } from '../print';

const WORKFLOW = 'paused';
const CALLS_AT_ONCE = 8;
/** From then on a pause lasts a quarter of an hour. */
const AHEAD = 8 * 60 * MINUTE;
/** The node checks for six seconds before n8n pauses. */
const WHILE_RUNNING = 10 * SECOND;
/** How often n8n looks for pauses that are over. */
const TRACKED_EVERY = MINUTE;
/** All have paused when no check came for so long. */
const AT_REST = 10 * SECOND;
const PAUSED_WITHIN = 30 * MINUTE;
const CHECKED_WITHIN = 20 * MINUTE;
/** The default of Maximum Interval, and some more. */
const LONGEST_PAUSE = 20 * MINUTE;

export async function pauses(given: QueueWorld, options: PartOptions): Promise<Section> {
	const { seed, report } = options;
	const workflow = { workflowId: WORKFLOW, duration: { fixedSeconds: 100_000 }, steps: [CASE] };
	const counter = await startCounter();
	try {
		return await withService(given, { seed, workflows: [workflow] }, async (world) => {
			const { client, clock, simulator } = world;
			const flow = await publish(world, pausing(world, counter.url), 'onReceived');
			const names = Array.from({ length: options.pauses }, (_, index) => `p${seed}-${index}`);
			const begin = Date.now();
			await inTurns(names, CALLS_AT_ONCE, async (name) => void (await flow.call({ name })));
			const { executions, requests } = simulator.state;
			const areStarted = () => executions.all().length >= names.length;
			await until(areStarted, PAUSED_WITHIN, SECOND);
			const started = seconds(Date.now() - begin);
			await sleep(WHILE_RUNNING);
			// n8n checks all that have paused once more, and pauses them for longer.
			const movedAt = Date.now();
			await clock.move(AHEAD);
			const areAtRest = async () => {
				const last = requests.all().at(-1)?.startedAt ?? 0;
				if (Date.now() < Math.max(last, movedAt + TRACKED_EVERY) + AT_REST) return false;
				return (await client.countExecutions(flow.id, 'waiting')) >= names.length;
			};
			await until(areAtRest, PAUSED_WITHIN, SECOND);
			report(`${names.length} n8n executions have paused`);
			const all = executions.all();
			for (const { executionId } of all)
				await executions.finish(executionId, { status: 'completed' });
			const ends = Date.now();
			await clock.move(LONGEST_PAUSE);
			await clock.look();
			const areAllOver = async () => counter.counts.size >= names.length;
			await until(areAllOver, CHECKED_WITHIN, SECOND).catch(() =>
				report('Some have not continued'),
			);
			const continuedWithin = seconds(Date.now() - ends);
			await sleep(5 * SECOND);
			const times = names.map((name) => counter.counts.get(name) ?? 0);
			const [never, once] = [0, 1].map((wanted) => times.filter((each) => each === wanted).length);
			const more = times.filter((each) => each > 1).length;
			return {
				title: 'Pauses that are over at the same moment',
				rows: [
					['n8n executions that have paused', `${names.length}, started within ${started}`],
					['all n8n executions had continued', `within ${continuedWithin}`],
					['  that continued once', once ?? 0],
					['  that continued more than once', more],
					['  that did not continue', never ?? 0],
					['creates', all.length],
				],
				findings: [
					...(more > 0 ? [`${more} n8n executions continued more than once`] : []),
					...(never ? [`${never} n8n executions did not continue`] : []),
					...(all.length === names.length ? [] : [`The service has ${all.length} executions`]),
				],
			};
		});
	} finally {
		await counter.stop();
	}
}

/** Waits for a case. The node behind says that it has continued. */
function pausing(world: QueueWorld, url: string) {
	const name = '={{ $json.body.name }}';
	const wait = documentWorkflow(world, 'createAndWait', WORKFLOW, {
		documents: 'none',
		inputs: { textInputs: [{ name: 'Case Number', value: name }] },
		waiting: { firstCheckSeconds: 1, pauseAfterSeconds: 6 },
	});
	const next = node('Next', 'n8n-nodes-base.httpRequest', 4.2, {
		url: `=${url}/{{ $json.data.case[0].case_number }}`,
		options: {},
	});
	return chain('Pausing', wait, next);
}
