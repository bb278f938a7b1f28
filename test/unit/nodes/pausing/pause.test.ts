import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { isPausedBehind, referencesTo } from '../../../../nodes/DocumentWorkflow/pausing/leadBack';
import {
	INPUT,
	openPause,
	PAUSE,
	putOutAlready,
} from '../../../../nodes/DocumentWorkflow/pausing/pause';
import { openReference } from '../../../../nodes/DocumentWorkflow/pausing/reference';
import { contextOf, node } from '../../support/context';

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

describe('the pause of a run of the node', () => {
	it('lets the given items through at its time limit, and keeps the input for when it is woken', async () => {
		const memory: IDataObject = {};
		const { pause, data, waits } = run(memory);
		expect(pause.earlier).toBeUndefined();
		await pause.begin({ awaited: AWAITED, until: 5_000, failures: {} }, ITEMS);
		expect(data.data).toEqual({ main: [ITEMS], [INPUT]: [INPUTS] });
		expect((data.data.main as unknown[])[0]).not.toBe(ITEMS);
		expect(waits).toEqual([new Date(5_000)]);
		expect(memory[PAUSE]).toMatchObject({ execution: '17', until: 5_000, awaited: AWAITED });
	});

	it('keeps its first time limit when it goes on and pauses again, as another pause', async () => {
		const memory: IDataObject = {};
		await run(memory).pause.begin({ awaited: AWAITED, until: 5_000, failures: {} }, ITEMS);
		const [first] = [memory[PAUSE] as IDataObject];
		const again = run(memory);
		expect(again.pause.earlier).toMatchObject({ until: 5_000 });
		await again.pause.begin({ awaited: AWAITED, until: 99_000, failures: {} }, ITEMS);
		expect(again.waits).toEqual([new Date(5_000)]);
		expect((memory[PAUSE] as IDataObject).id).not.toBe(first?.id);
	});

	it('tells what had not succeeded before it, as n8n has stored it', async () => {
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
	])('is not gone on with by %s', async (_what, other) => {
		const memory: IDataObject = {};
		await run(memory).pause.begin({ awaited: AWAITED, until: 5_000, failures: {} }, ITEMS);
		expect(run(memory, other).pause.earlier).toBeUndefined();
	});

	it('gives what it has put out when n8n runs the node again though it has paused, and nothing before', async () => {
		const { context, pause } = run({});
		expect(putOutAlready(context)).toBeUndefined();
		await pause.begin({ awaited: AWAITED, until: 5_000, failures: {} }, ITEMS);
		expect(putOutAlready(context)).toEqual(ITEMS);
	});
});

describe('what leads back to an n8n execution', () => {
	const SEALER = { clientId: 'c', clientSecret: 'secret of the tests' };
	const context = contextOf({
		evaluateExpression: (() =>
			'https://n8n.example.com/webhook-waiting/17?signature=abc') as unknown as IExecuteFunctions['evaluateExpression'],
	});

	it('is its address with a path of its own, so that other nodes that pause are not woken', () => {
		const reference = referencesTo(context, 0, SEALER)('intake');
		expect(openReference(reference, 'intake', Date.now(), SEALER)).toEqual({
			ok: true,
			resumeUrl: 'https://n8n.example.com/webhook-waiting/17/document-workflow?signature=abc',
		});
	});

	it('is the same for all executions of a workflow in one run, and another for another workflow', () => {
		const references = referencesTo(context, 0, SEALER);
		expect(references('intake')).toBe(references('intake'));
		expect(references('claims')).not.toBe(references('intake'));
	});

	it('can be used for thirty days, and for longer pauses as long as these', () => {
		const DAY = 24 * 3_600_000;
		for (const [pause, days] of [
			[0, 29],
			[40, 45],
		] as const) {
			const reference = referencesTo(context, pause * DAY, SEALER)('intake');
			expect(openReference(reference, 'intake', Date.now() + days * DAY, SEALER).ok).toBe(true);
		}
		expect(
			openReference(
				referencesTo(context, 0, SEALER)('intake'),
				'intake',
				Date.now() + 31 * DAY,
				SEALER,
			).ok,
		).toBe(false);
	});

	it.each([
		['a Wait for Completion that pauses', { operation: 'wait', howToWait: 'pause' }, {}, true],
		['a Wait for Completion that polls', { operation: 'wait', howToWait: 'poll' }, {}, false],
		['a Wait for Completion as it is at first', { operation: 'wait' }, {}, false],
		[
			'one that is switched off',
			{ operation: 'wait', howToWait: 'pause' },
			{ disabled: true },
			false,
		],
		['a node of another kind', { operation: 'wait', howToWait: 'pause' }, { type: 'other' }, false],
		['a Create', { operation: 'create', howToWait: 'pause' }, {}, false],
	])('is wanted of a Create with %s behind it: %#', (_what, parameters, more, expected) => {
		const child = {
			name: 'Next',
			type: node.type,
			typeVersion: 1,
			disabled: false,
			parameters,
			...more,
		};
		expect(isPausedBehind(contextOf({ getChildNodes: () => [child] }))).toBe(expected);
		expect(isPausedBehind(contextOf({ getChildNodes: () => [] }))).toBe(false);
	});
});
