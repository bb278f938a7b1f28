/** How many tokens the processes of n8n get in an hour while all of them send: docs promise at most one for each process. */
import type { QueueWorld } from '../../e2e/support';
import { chain, documentWorkflow, EARLY, TEXT_ONLY } from '../../e2e/flows';
import { withTrigger } from '../../e2e/notifying';
import { publish } from '../../e2e/published';
import { withService } from '../service';
import { MINUTE, type PartOptions, type Section } from '../print';

const HOURS = 4;
const AT_ONCE = 60;
const WORKFLOW = 'with-token';

export async function tokens(given: QueueWorld, { seed, report }: PartOptions): Promise<Section> {
	const workflows = [{ workflowId: WORKFLOW, duration: { fixedSeconds: 0.5 } }];
	return withService(given, { seed, workflows }, async (world) => {
		const { clock, n8n, simulator } = world;
		const sending = { ...TEXT_ONLY, ...EARLY };
		const flow = await publish(
			world,
			chain('Sending', documentWorkflow(world, 'createAndWait', WORKFLOW, sending)),
		);
		// Workers send and check, and webhook processes check the executions of events.
		const senders = [n8n.webhook, n8n.otherWebhook, ...n8n.workers];
		const asked = () =>
			simulator.state.requests.all().filter(({ route }) => route === 'token').length;
		const counts: number[] = [];
		/** Token requests while all processes send. */
		const count = async () => {
			const before = asked();
			await withTrigger(world, { workflowIds: [WORKFLOW] }, async () => {
				await Promise.all(Array.from({ length: AT_ONCE }, async () => flow.call()));
			});
			const requests = asked() - before;
			report(`${requests} token requests by ${senders.length} processes`);
			return requests;
		};
		for (let hour = 0; hour < HOURS; hour++) {
			counts.push(await count());
			await clock.move(60 * MINUTE);
		}
		await count();
		simulator.state.tokens.revokeAll();
		const afterRevoking = await count();
		return {
			title: `Token requests in an hour with ${AT_ONCE} n8n executions at once, and an event of each`,
			rows: [
				['processes that send', senders.length],
				...counts.map((each, hour): [string, number] => [
					`token requests in hour ${hour + 1}`,
					each,
				]),
				['token requests after the service has revoked all tokens', afterRevoking],
			],
			findings: [...counts, afterRevoking]
				.filter((each) => each > senders.length)
				.map((each) => `${each} token requests in an hour`),
		};
	});
}
