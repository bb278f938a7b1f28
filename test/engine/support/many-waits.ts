/** Many waits in one run, in real time. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { INodeParameters } from 'n8n-workflow';
import { runFlow, startFlow } from './engine';
import { operation, useService, WORKFLOW_ID } from './service';
import { useRealTime } from './time';

const service = useService();
useRealTime();
const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const checks = () => service.requests('get');
const pathsChecked = () =>
	new Set(checks().flatMap(({ status, path }) => (status === 200 ? [path] : [])));
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

/** `slowestSeconds` must be longer than a machine needs for one or two checks of all executions. */
export function describeManyWaits(waits: number, slowestSeconds: number): void {
	describe(`${waits} waits in one run`, () => {
		it('hold no connections, little memory and little CPU time, and end within a second of Stop', async () => {
			// What n8n, the package and the measuring of its coverage take once is not held by a wait, so two runs are compared.
			const begin = () =>
				startFlow({
					...service,
					parameters: waitForAll({ firstCheckSeconds: 1, longestIntervalMinutes: 1 }),
					items: started(waits, 'never-ending'),
				});
			const areChecked = async (count: number) => {
				while (pathsChecked().size < count) await sleep(100);
			};
			const first = begin();
			await areChecked(waits);
			const before = await held();
			const running = begin();
			await areChecked(2 * waits);
			const cpuBefore = process.cpuUsage();
			await sleep(1_000);
			const { user, system } = process.cpuUsage(cpuBefore);
			const { sockets, bytes } = difference(await held(), before);
			const stoppedAt = Date.now();
			running.stop();
			await running.outcome;
			const stopMilliseconds = Date.now() - stoppedAt;
			first.stop();
			await first.outcome;
			console.log(
				`${waits} waits hold ${sockets} sockets, ${Math.round(bytes / waits)} bytes each; ${Math.round((user + system) / 1000)} ms of computing a second; stopped in ${stopMilliseconds} ms`,
			);
			expect(sockets).toBeLessThan(50);
			expect(bytes).toBeLessThan(50_000 * waits + 4_000_000);
			// A busy loop would take all of the second.
			expect((user + system) / 1_000).toBeLessThan(700);
			expect(stopMilliseconds).toBeLessThan(1_000);
		});

		it('take as long as the slowest, keep the input order, and check at most eight at a time', async () => {
			service.state.workflows.change(WORKFLOW_ID, { duration: { fixedSeconds: 2 } });
			service.state.workflows.change('never-ending', {
				duration: { fixedSeconds: slowestSeconds },
			});
			// Long enough for checks to overlap.
			service.state.faults.add({ route: 'get', action: { type: 'delay', milliseconds: 30 } });
			const began = Date.now();
			const items = [...started(1, 'never-ending'), ...started(waits - 1, WORKFLOW_ID)];
			const { outputs } = await runFlow({
				...service,
				parameters: waitForAll({ firstCheckSeconds: 1, longestIntervalMinutes: 1 / 60 }),
				items,
			});
			const seconds = (Date.now() - began) / 1000;
			expect(outputs[0]?.map(({ json }) => [json.executionId, json.status])).toEqual(
				items.map(({ json: { id } }) => [id, 'completed']),
			);
			console.log(
				`${waits} waits ended after ${seconds.toFixed(1)} s; the slowest execution took ${slowestSeconds} s; ${checks().length} checks`,
			);
			expect(seconds).toBeGreaterThanOrEqual(slowestSeconds);
			expect(seconds).toBeLessThan(slowestSeconds + 5);
			expect(mostAtTheSameTime()).toBeLessThanOrEqual(8);
		});
	});
}

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
		await sleep(100);
		collect();
		const sockets = process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap');
		readings.push({ sockets: sockets.length, bytes: process.memoryUsage().heapUsed });
	}
	return {
		sockets: Math.min(...readings.map(({ sockets }) => sockets)),
		bytes: Math.min(...readings.map(({ bytes }) => bytes)),
	};
}

function difference(after: Held, before: Held): Held {
	return {
		sockets: after.sockets - before.sockets,
		bytes: after.bytes - before.bytes,
	};
}

function mostAtTheSameTime(): number {
	const ends = checks().flatMap(({ startedAt, finishedAt }) => [
		{ at: startedAt, change: 1 },
		{ at: finishedAt ?? startedAt, change: -1 },
	]);
	// A check that ends in the millisecond in which another begins does not overlap with it.
	ends.sort((a, b) => a.at - b.at || a.change - b.change);
	let now = 0;
	return ends.reduce((most, { change }) => Math.max(most, (now += change)), 0);
}
