import type { EngineRequest, IExecuteData } from 'n8n-workflow';

import { runOnce, type RunOutput } from '../../../../nodes/DocumentWorkflow/pausing/continuation';
import { RunPause, type StoredPause } from '../../../../nodes/DocumentWorkflow/pausing/pause';
import { contextOf, node } from '../../support/context';

const ENDED = [{ json: { ended: true } }];
const AGAIN: EngineRequest = { actions: [], metadata: {} };

let executions = 0;
beforeEach(() => executions++);

interface Place {
	/** As n8n has it in each try of a run. */
	entry?: IExecuteData;
	id?: number;
	nodeId?: string;
	runIndex?: number;
}

/** A run that continues a pause up to a time. */
function runAfter(
	checkAt: number,
	{ entry = {} as IExecuteData, id = executions, nodeId = 'n', runIndex = 0 }: Place = {},
) {
	const identity = { execution: `${id}`, runIndex: `${runIndex}`, process: 0 };
	const stored: StoredPause = { ...identity, jobs: [], source: null, checkAt };
	const memory = { documentWorkflowPause: stored };
	const context = contextOf({
		getNode: () => ({ ...node, id: nodeId }),
		runIndex,
		getContext: () => memory,
		getExecutionId: () => `${id}`,
		getWorkflowSettings: () => ({ executionOrder: 'v1' }),
		getParentNodes: () => [],
		getExecuteData: () => entry,
	});
	const pause = new RunPause(context);
	const work = jest.fn(async (): Promise<RunOutput> => Promise.resolve(ENDED));
	/** Does its work, by default to the end. */
	const run = async (pausesUntil?: number, output: Promise<RunOutput> = Promise.resolve(ENDED)) => {
		work.mockImplementation(async () => {
			if (pausesUntil === undefined) return output;
			pause.checkAt = pausesUntil;
			return Promise.resolve(AGAIN);
		});
		return runOnce(context, pause, stored, work);
	};
	const requested = () => memory.documentWorkflowPause.checkAt;
	return { run, work, requested, entry };
}

it('A second run of a pause outputs nothing when the first has ended, failed, or does so later', async () => {
	expect(await runAfter(1).run()).toBe(ENDED);
	const failing = runAfter(2).run(undefined, Promise.reject(new Error('failed')));
	await expect(failing).rejects.toThrow('failed');
	let end: (output: RunOutput) => void = () => undefined;
	const slow = runAfter(3).run(undefined, new Promise((resolve) => (end = resolve)));
	const seconds = [1, 2, 3].map((checkAt) => runAfter(checkAt));
	const outputs = seconds.map(async ({ run }) => run());
	end(ENDED);
	expect(await slow).toBe(ENDED);
	expect(await Promise.all(outputs)).toEqual([[], [], []]);
	for (const { work } of seconds) expect(work).not.toHaveBeenCalled();
});

it('A second run of a pause waits as the first does, also when that has paused several times since', async () => {
	await runAfter(1).run(2);
	const second = runAfter(1);
	expect(await second.run()).toMatchObject({ actions: [{ id: 'pause' }] });
	expect([second.work.mock.calls.length, second.requested()]).toEqual([0, 2]);
	await runAfter(2).run(3);
	const late = runAfter(1);
	await late.run();
	expect([late.work.mock.calls.length, late.requested()]).toEqual([0, 3]);
	await runAfter(3).run();
	expect(await runAfter(1).run()).toEqual([]);
});

it('Another try of the same run does its work again', async () => {
	const { run, entry } = runAfter(1);
	await run().catch(() => undefined);
	const again = runAfter(1, { entry });
	expect(await again.run()).toBe(ENDED);
	expect(again.work).toHaveBeenCalled();
});

it.each<[string, Place]>([
	['Another n8n execution', { id: -1 }],
	['Another node of the same n8n execution', { nodeId: 'another' }],
	['Another pass of a loop', { runIndex: 1 }],
])('%s does its own work', async (_what, other) => {
	await runAfter(1).run();
	const { run, work } = runAfter(1, other);
	expect(await run()).toBe(ENDED);
	expect(work).toHaveBeenCalledTimes(1);
});

it('The last ten thousand pauses are remembered', async () => {
	const first = executions * 1e6;
	for (let id = first; id <= first + 10_000; id++) await runAfter(1, { id }).run();
	expect(await runAfter(1, { id: first + 1 }).run()).toEqual([]);
	expect(await runAfter(1, { id: first }).run()).toBe(ENDED);
});
