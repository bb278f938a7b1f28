import * as n8nWorkflow from 'n8n-workflow';
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import {
	INPUT,
	losesResultOfPause,
	openPause,
	PAUSE,
	itemsWhenPaused,
} from '../../../../nodes/DocumentWorkflow/pausing/pause';
import { contextOf, node } from '../../support/context';

/** n8n 1 exports START_NODE_TYPE, n8n 2 does not. */
jest.mock('n8n-workflow', () => ({ ...jest.requireActual<object>('n8n-workflow') }));

const INPUTS: INodeExecutionData[] = [{ json: { file: 'a' } }];
const ITEMS: INodeExecutionData[] = [
	{ json: { file: 'a', executionId: 'ex-1', status: 'running' } },
];
const AWAITED = [{ workflowId: 'intake', executionId: 'ex-1' }];

/** A run of the node in an n8n execution, with the memory that n8n keeps. */
function run(memory: IDataObject, { execution = '17', runIndex = 0 } = {}) {
	const data = { node, data: { main: [INPUTS] } as Record<string, unknown>, source: null };
	const waits: Date[] = [];
	const context = contextOf({
		getContext: () => memory,
		getExecutionId: () => execution,
		evaluateExpression: (() => runIndex) as unknown as IExecuteFunctions['evaluateExpression'],
		getExecuteData: (() => data) as unknown as IExecuteFunctions['getExecuteData'],
		putExecutionToWait: async (until) => Promise.resolve(void waits.push(until)),
	});
	return { context, pause: openPause(context), data, waits };
}

describe('The pause of a run', () => {
	it('stores the items for the time limit, and the input for a resume', async () => {
		const memory: IDataObject = {};
		const { pause, data, waits } = run(memory);
		expect(pause.earlier).toBeUndefined();
		await pause.begin({ awaited: AWAITED, until: 5_000, failures: {} }, ITEMS);
		expect(data.data).toEqual({ main: [ITEMS], [INPUT]: [INPUTS] });
		expect((data.data.main as unknown[])[0]).not.toBe(ITEMS);
		expect(waits).toEqual([new Date(5_000)]);
		expect(memory[PAUSE]).toMatchObject({ execution: '17', until: 5_000, awaited: AWAITED });
	});

	it('keeps its time limit when the run resumes and pauses again, but gets a new ID', async () => {
		const memory: IDataObject = {};
		await run(memory).pause.begin({ awaited: AWAITED, until: 5_000, failures: {} }, ITEMS);
		const [first] = [memory[PAUSE] as IDataObject];
		const again = run(memory);
		expect(again.pause.earlier).toMatchObject({ until: 5_000 });
		await again.pause.begin({ awaited: AWAITED, until: 99_000, failures: {} }, ITEMS);
		expect(again.waits).toEqual([new Date(5_000)]);
		expect((memory[PAUSE] as IDataObject).id).not.toBe(first?.id);
	});

	it('returns the failures before it after n8n has stored and loaded them', async () => {
		const memory: IDataObject = {};
		const failures = {
			'1': { message: 'Refused', description: 'Why', json: { workflowId: 'intake' } },
		};
		await run(memory).pause.begin({ awaited: AWAITED, until: 5_000, failures }, ITEMS);
		expect(run(JSON.parse(JSON.stringify(memory)) as IDataObject).pause.earlier?.failures).toEqual(
			failures,
		);
	});

	it.each([
		['another pass of a loop', { runIndex: 1 }],
		['another n8n execution', { execution: '18' }],
	])('does not resume in %s', async (_what, other) => {
		const memory: IDataObject = {};
		await run(memory).pause.begin({ awaited: AWAITED, until: 5_000, failures: {} }, ITEMS);
		expect(run(memory, other).pause.earlier).toBeUndefined();
	});

	it('returns its items again when n8n runs the node again at once', async () => {
		const { context, pause } = run({});
		expect(itemsWhenPaused(context)).toBeUndefined();
		await pause.begin({ awaited: AWAITED, until: 5_000, failures: {} }, ITEMS);
		expect(itemsWhenPaused(context)).toEqual(ITEMS);
	});
});

describe('The result of a pause', () => {
	const parent = { executionId: '1', workflowId: 'w' };
	const isLost = (line: 1 | 2, parentExecution: object | undefined) => {
		const name = 'START_NODE_TYPE';
		if (line === 1) Object.assign(n8nWorkflow, { [name]: 'n8n-nodes-base.start' });
		else Reflect.deleteProperty(n8nWorkflow, name);
		const context = Object.assign(contextOf({}), { runExecutionData: { parentExecution } });
		return losesResultOfPause(context as unknown as IExecuteFunctions);
	};

	it('is lost on n8n 1 in a workflow for which another one waits, and never on n8n 2', () => {
		const parents = [undefined, parent, { ...parent, shouldResume: true }];
		const notWaiting = { ...parent, shouldResume: false };
		expect([...parents, notWaiting].map((each) => isLost(1, each))).toEqual([
			false,
			true,
			true,
			false,
		]);
		expect([...parents, notWaiting].some((each) => isLost(2, each))).toBe(false);
	});
});
