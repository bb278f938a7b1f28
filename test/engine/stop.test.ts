import type { INodeParameters } from 'n8n-workflow';
import { useBinaryMode, type BinaryMode } from './support/binary-storage';
import { startFlow } from './support/engine';
import { file, textOf } from './support/files';
import type { InputItem } from './support/helper-nodes';
import { useObjectStore } from './support/object-store';
import { operation, policyItem, useService, WORKFLOW_ID } from './support/service';
import { stopWhen } from './support/stop';
import { untilInRequest } from './support/time';

const service = useService();
const objectStore = useObjectStore();
afterAll(() => useBinaryMode('memory'));

const LARGE_BYTES = 20_000_000;
const item = (workflow: string, files: InputItem['files'] = policyItem().files): InputItem => ({
	json: { workflow },
	files: files ?? {},
});
const start = (items: InputItem[], settings: INodeParameters = {}) =>
	startFlow({
		...service,
		parameters: operation('create', {
			...settings,
			workflowId: { __rl: true, mode: 'id', value: '={{ $json.workflow }}' },
		}),
		items,
	});

describe.each<BinaryMode>(['memory', 'filesystem', 's3'])(
	"n8n's Stop button during uploads (%s mode)",
	(mode) => {
		beforeEach(() => useBinaryMode(mode, objectStore));

		/** Stops the third of four creates, which are sent one after the other. The service reads only what fits into its buffers. */
		const stopDuringUpload = async () => {
			service.state.faults.add({
				route: 'create',
				workflowId: 'never-ending',
				action: { type: 'delay', milliseconds: Infinity },
			});
			const running = start(
				[
					...[item(WORKFLOW_ID), item(WORKFLOW_ID)],
					item('never-ending', { data: file('large.txt', textOf(LARGE_BYTES)) }),
					item(WORKFLOW_ID),
				],
				{ maximumInParallel: 1 },
			);
			await untilInRequest(() => service.requests('create').length === 3);
			running.stop();
			return running.outcome;
		};

		it('ends them at once and sends nothing more', async () => {
			const { error, run } = await stopDuringUpload();
			expect(error?.message).toMatch(/^The n8n execution was stopped/);
			expect(run.finished).not.toBe(true);
			service.state.faults.clear();
			const upload = () =>
				service.requests('create').find(({ path }) => path.includes('never-ending'));
			await untilInRequest(() => upload()?.finishedAt !== null);
			expect(upload()).toMatchObject({ status: null, contentLength: expect.any(Number) });
			expect(upload()?.bodyBytes).toBeLessThan(LARGE_BYTES);
			await untilInRequest(() => objectStore.readings.size === 0);
			expect(service.state.executions.all()).toHaveLength(2);
		});

		it('writes the started executions to the log and to the custom data, because n8n stores no error of a stopped execution', async () => {
			const { logs, run } = await stopDuringUpload();
			const ids = service.state.executions.all().map(({ executionId }) => executionId);
			const warning = logs.find((line) => line.startsWith('warn: The n8n execution was stopped.'));
			for (const id of ids) expect(warning).toContain(`${id} (workflow ${WORKFLOW_ID})`);
			expect(warning).toContain('Possibly started: item 2 (large.txt), workflow never-ending');
			const { metadata = {} } = run.data.resultData;
			expect(metadata.possibly_started_1).toBe('item 2 (large.txt)');
			expect(Object.keys(metadata)).toEqual(['possibly_started_1', 'started_executions_1']);
			expect(new Set(metadata.started_executions_1?.split(' '))).toEqual(new Set(ids));
		});
	},
);

describe("n8n's Stop button after many executions were started", () => {
	it('writes as many IDs to the custom data as n8n accepts, and all of them to the log', async () => {
		service.state.faults.add({
			route: 'create',
			workflowId: 'never-ending',
			action: { type: 'delay', milliseconds: Infinity },
		});
		const running = start([
			...Array.from({ length: 120 }, () => item(WORKFLOW_ID)),
			item('never-ending'),
		]);
		const { logs, run } = await stopWhen(
			running,
			() =>
				service.requests('create').length === 121 && service.state.executions.all().length === 120,
		);
		const ids = service.state.executions.all().map(({ executionId }) => executionId);
		const { possibly_started_1: open, ...started } = run.data.resultData.metadata ?? {};
		expect(open).toBe('item 120 (policy.txt)');
		const values = Object.values(started);
		for (const value of values) expect(value.length).toBeLessThanOrEqual(512);
		// 13 IDs of 36 characters, with spaces between, fit into a value.
		expect(values.join(' ').split(' ')).toHaveLength(7 * 13);
		expect(ids).toEqual(expect.arrayContaining(values.join(' ').split(' ')));
		const warning = logs.find((line) => line.startsWith('warn: The n8n execution was stopped.'));
		for (const id of ids) expect(warning).toContain(id);
	});

	it('writes nothing when nothing was started', async () => {
		service.state.faults.add({
			route: 'create',
			action: { type: 'status', status: 429, retryAfter: 60 },
		});
		const running = start([item(WORKFLOW_ID)]);
		const { logs, run } = await stopWhen(
			running,
			() => service.requests('create')[0]?.status === 429,
		);
		expect(logs.filter((line) => line.startsWith('warn: The n8n execution was stopped'))).toEqual(
			[],
		);
		expect(run.data.resultData.metadata).toBeUndefined();
		expect(service.requests('create')).toHaveLength(1);
	});
});
