/** The same event at the same moment at both webhook processes: docs/webhooks.md says that both may start the n8n workflow. */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { withTrigger } from '../../e2e/notifying';
import { until, WEBHOOK_KEY, type QueueWorld } from '../../e2e/support';
import { withService, inTurns } from '../service';
import { MINUTE, SECOND, type PartOptions, type Section } from '../print';

const ENDED = { status: 'completed', metadata: {}, steps: [] };
/** So that what one process has written is read by the other. */
const LATER = 10 * SECOND;
const AT_ONCE = 4;
/** One in so many events is sent twice to one process too. */
const SHARE_OF_ONE = 5;
const answer = z.object({ outcome: z.string() });

export async function pairs(given: QueueWorld, options: PartOptions): Promise<Section> {
	return withService(given, { seed: options.seed }, async (world) => {
		const { client, n8n, simulator } = world;
		simulator.state.faults.add({
			route: 'get',
			action: { type: 'status', status: 200, body: ENDED },
		});
		return withTrigger(world, { workflowIds: [] }, async ({ id, url }) => {
			const { pathname } = new URL(url);
			let repeated = 0;
			/** Calls a process as the service does, again after 503; returns whether it has started the n8n workflow. */
			const starts = async (process: { url: string }, event: string): Promise<boolean> => {
				const response = await fetch(process.url + pathname, {
					method: 'POST',
					headers: { 'x-api-key': WEBHOOK_KEY, 'content-type': 'application/json' },
					body: JSON.stringify({ workflow_id: 'w', workflow_execution_id: event, ...ENDED }),
				});
				if (response.status === 200) return answer.parse(await response.json()).outcome === 'start';
				if (response.status !== 503) throw new Error(`The trigger answered ${response.status}`);
				repeated++;
				await sleep(SECOND);
				return starts(process, event);
			};
			/** Sends events to two processes at the same moment; returns how many started never, once, and twice. */
			const sendTwice = async (events: string[], both: Array<{ url: string }>) => {
				const times = [0, 0, 0];
				for (const event of events) {
					both.reverse();
					const started = await Promise.all(both.map(async (each) => starts(each, event)));
					const count = started.filter(Boolean).length;
					times[count] = (times[count] ?? 0) + 1;
				}
				const [never = 0, once = 0, twice = 0] = times;
				return { never, once, twice };
			};
			const { webhook, otherWebhook } = n8n;
			const events = Array.from({ length: options.pairs }, (_, index) => `pair-${index}`);
			const apart = await sendTwice(events, [webhook, otherWebhook]);
			options.report(`${events.length} pairs were sent to two processes`);
			const ofOne = events.slice(0, events.length / SHARE_OF_ONE).map((each) => `${each}-of-one`);
			const together = await sendTwice(ofOne, [webhook, webhook]);
			await sleep(LATER);
			let again = 0;
			await inTurns([...events.entries()], AT_ONCE, async ([index, event]) => {
				if (await starts(index % 2 === 0 ? webhook : otherWebhook, event)) again++;
			});
			const total = apart.once + 2 * apart.twice + together.once + 2 * together.twice + again;
			await until(async () => (await client.countExecutions(id, 'success')) >= total, 5 * MINUTE);
			const executions = await client.countExecutions(id, 'success');
			return {
				title: 'The same event at the same moment at both webhook processes',
				rows: [
					['pairs', events.length],
					['  that started the n8n workflow once', apart.once],
					['  that started it twice', apart.twice],
					['  that did not start it', apart.never],
					['pairs at one webhook process', ofOne.length],
					['  that started the n8n workflow twice', together.twice],
					['calls that were answered 503 and repeated', repeated],
					['events that started it again when they came once more, later', again],
					['n8n executions', executions],
				],
				findings: [
					...(apart.never + together.never > 0 ? ['An event did not start the n8n workflow'] : []),
					...(together.twice > 0 ? ['One process started the n8n workflow twice'] : []),
					...(executions === total ? [] : [`n8n has ${executions} executions and not ${total}`]),
				],
			};
		});
	});
}
