import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { INodeParameters } from 'n8n-workflow';
import { startFlow, stopWhen } from './support/engine';
import { operation, useService } from './support/service';
import { time, until } from './support/time';

const service = useService();
const WAITS = 300;
const checks = () => service.requests('get');
const BY_ITEM = { __rl: true, mode: 'id', value: '={{ $json.workflow }}' };

/** Starts executions of a workflow, and returns the items that wait for them. */
function started(
	count: number,
	workflowId: string,
): Array<{ json: { id: string; workflow: string } }> {
	const workflow = service.state.workflows.find(workflowId);
	if (workflow === undefined) throw new Error(`There is no workflow "${workflowId}"`);
	const submission = {
		userInputs: {},
		metadata: null,
		bodyFields: {},
		fieldOrder: [],
		fileUrls: [],
		intakes: [],
	};
	return Array.from({ length: count }, () => {
		const { executionId } = service.state.executions.start(workflow, 'production', submission);
		return { json: { id: executionId, workflow: workflowId } };
	});
}

const waitForAll = (waiting: INodeParameters) =>
	operation('wait', { executionId: '={{ $json.id }}', workflowId: BY_ITEM, waiting });

describe(`${WAITS} waits in one run`, () => {
	it('hold no connections, little memory and two timers a second each, and end within half a second of Stop', async () => {
		// What n8n, the package and the measuring of its coverage take once is not held by a wait, so two runs are compared.
		const begin = () =>
			startFlow({
				...service,
				parameters: waitForAll({ firstCheckSeconds: 1, longestIntervalMinutes: 1 }),
				items: started(WAITS, 'never-ending'),
			});
		const areChecked = (count: number) => () =>
			new Set(checks().flatMap(({ status, path }) => (status === 200 ? [path] : []))).size ===
			count;
		const first = begin();
		await until(areChecked(WAITS));
		const before = await held();
		const running = begin();
		await until(areChecked(2 * WAITS));
		const timers = jest.spyOn(time, 'sleep');
		await time.sleep(1_000);
		const timersASecond = timers.mock.calls.length;
		timers.mockRestore();
		const after = await held();
		const { stopMilliseconds } = await stopWhen(running, () => true);
		await stopWhen(first, () => true);
		expect(after.sockets - before.sockets).toBeLessThan(50);
		expect(after.bytes - before.bytes).toBeLessThan(50_000 * WAITS + 4_000_000);
		expect(timersASecond).toBeLessThanOrEqual(3 * 2 * WAITS);
		expect(stopMilliseconds).toBeLessThanOrEqual(500);
	});
});

interface Held {
	sockets: number;
	bytes: number;
}

/** The least of several readings: what is held is held in each, what n8n has not yet let go of is not. */
async function held(): Promise<Held> {
	setFlagsFromString('--expose-gc');
	const collect = runInNewContext('gc') as () => void;
	const readings: Held[] = [];
	for (let reading = 0; reading < 5; reading++) {
		await time.sleep(100);
		collect();
		const sockets = process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap');
		readings.push({ sockets: sockets.length, bytes: process.memoryUsage().heapUsed });
	}
	return {
		sockets: Math.min(...readings.map(({ sockets }) => sockets)),
		bytes: Math.min(...readings.map(({ bytes }) => bytes)),
	};
}
