/** Stops a real n8n as for an update while a call comes each second, or half a minute after the last call, and counts what it lists as crashed. */
import { setTimeout as sleep } from 'node:timers/promises';
import { chain, documentWorkflow } from '../e2e/flows';
import { publish } from '../e2e/published';
import { until, type World } from '../e2e/support';
import type { Section } from './print';
import { CASE, withService } from './service';

const SECOND = 1_000;
const CALLING = 40 * SECOND;
/** Longer than a run takes to pause. */
const WITHOUT_CALLS = 30 * SECOND;
const WORKFLOW = { workflowId: 'paused', duration: { fixedSeconds: 100_000 }, steps: [CASE] };
const INPUTS = { documents: 'none', inputs: { textInputs: [{ name: 'Case Number', value: '1' }] } };

export async function runStop(
	given: World,
	seed: number,
	callsEndFirst: boolean,
): Promise<Section> {
	return withService(given, { seed, workflows: [WORKFLOW] }, async (world) => {
		const { client, n8n } = world;
		const wait = documentWorkflow(world, 'createAndWait', WORKFLOW.workflowId, INPUTS);
		const flow = await publish(world, chain('Waits', wait), 'onReceived');
		const count = async (...statuses: string[]) => {
			const counts = statuses.map(async (status) => client.countExecutions(flow.id, status));
			return (await Promise.all(counts)).reduce((sum, each) => sum + each, 0);
		};
		let isCalling = true;
		const calling = (async () => {
			while (isCalling) {
				await Promise.race([flow.call().catch(() => undefined), sleep(3 * SECOND)]);
				await sleep(SECOND);
			}
		})();
		await sleep(CALLING);
		if (callsEndFirst) {
			isCalling = false;
			await sleep(WITHOUT_CALLS);
		}
		await n8n.main.end('SIGTERM');
		isCalling = false;
		await calling;
		await n8n.main.start();
		// What fell due meanwhile is checked up to five minutes after the start, and is listed as crashed for a moment.
		await sleep(60 * SECOND);
		await until(async () => (await count('running')) === 0, 300 * SECOND, SECOND);
		const [all, crashed] = [await count('waiting', 'crashed'), await count('crashed')];
		return {
			title: callsEndFirst ? 'A stop half a minute after the last call' : 'A stop under calls',
			rows: [['runs', `${all}, ${crashed} crashed`]],
			findings: callsEndFirst && crashed > 0 ? [`${crashed} crashed`] : [],
		};
	});
}
