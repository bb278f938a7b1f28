import { useBinaryMode, useObjectStore, type BinaryMode } from './support/binary-storage';
import { startFlow } from './support/engine';
import { file, textOf, type InputItem } from './support/helper-nodes';
import { operation, policyItem, useService, WORKFLOW_ID } from './support/service';
import { untilInRequest } from './support/time';

const service = useService();
const objectStore = useObjectStore();
afterAll(() => useBinaryMode('memory'));

const LARGE_BYTES = 20_000_000;
const item = (workflow: string, files: InputItem['files'] = policyItem().files): InputItem => ({
	json: { workflow },
	files: files ?? {},
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
			const running = startFlow({
				...service,
				parameters: operation('create', {
					maximumInParallel: 1,
					workflowId: { __rl: true, mode: 'id', value: '={{ $json.workflow }}' },
				}),
				items: [
					...[item(WORKFLOW_ID), item(WORKFLOW_ID)],
					item('never-ending', { data: file('large.txt', textOf(LARGE_BYTES)) }),
					item(WORKFLOW_ID),
				],
			});
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
