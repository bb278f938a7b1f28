/**
 * Stops a real n8n as for an update while a call comes each second, or half a minute after the last call, and counts the runs
 * that n8n lists as crashed.
 */
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
		const { client, n8n, simulator } = world;
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
		// n8n lists what fell due meanwhile as crashed, until it has been held back and pauses again.
		await sleep(180 * SECOND);
		await until(async () => (await count('running')) === 0, 300 * SECOND, SECOND);
		const [all, crashed] = [await count('waiting', 'crashed'), await count('crashed')];
		const missing = simulator.state.executions.all().length - all;
		return {
			title: callsEndFirst ? 'A stop half a minute after the last call' : 'A stop under calls',
			rows: [['runs', `${all}, ${crashed} crashed`]],
			findings: [
				...(all === 0 ? ['No call was answered'] : []),
				...(missing > 0 ? [`${missing} runs are neither paused nor crashed`] : []),
				...(callsEndFirst && crashed > 0 ? [`${crashed} crashed`] : []),
			],
		};
	});
}
