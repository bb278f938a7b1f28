import type { INode, INodeParameters } from 'n8n-workflow';
import type { Fault } from '../../simulator/state/faults';
import { useProcessedItems } from './support/deduplication';
import { runFlow, startFlow, type Flow, type Outcome } from './support/engine';
import { file, type InputItem } from './support/helper-nodes';
import { operation, POLICY, policyItem, useService, WORKFLOW_ID } from './support/service';
import { until } from './support/time';

const service = useService();
const processed = useProcessedItems();

type Name = 'create' | 'createAndWait';

interface More extends INodeParameters {
	workflow?: string;
}

function flow(
	items: InputItem[] = [policyItem()],
	{ workflow = WORKFLOW_ID, ...more }: More = {},
	name: Name = 'create',
	settings: Partial<INode> = {},
): Flow {
	const documentOptions = { skipAlreadySent: true, ...(more.documentOptions as INodeParameters) };
	const waiting = { firstCheckSeconds: 0.1, ...(more.waiting as INodeParameters) };
	return {
		...service,
		items,
		settings,
		parameters: operation(name, {
			inputDataFieldName: '*',
			workflowId: { __rl: true, mode: 'id', value: workflow },
			...more,
			documentOptions,
			...(name === 'create' ? {} : { waiting }),
		}),
	};
}
const run = async (...given: Parameters<typeof flow>) => runFlow(flow(...given));

const BEFORE = 'it was sent before';
const IN_THIS_RUN = 'it was sent with another item in this run';
const NO_RESULT = 'sent before, no result yet: another run may still wait for it, or was stopped';

/** Status, review and reasons of each item on the main output. */
const items = ({ outputs: [first = [] as never[]] }: Outcome) =>
	first.map(({ json: { status, needsReview, skipped } }) => [
		status,
		needsReview === true,
		...(skipped as Array<{ reason: string }>).map(({ reason }) => reason),
	]);
const SENT = ['running', false];
const sentNames = () =>
	service.state.executions.all().map(({ files }) => files.map(({ fileName }) => fileName).join());

const once = (action: Fault['action'], more: Partial<Fault> = {}) =>
	service.state.faults.add({ route: 'create', times: 1, action, ...more });

/** The service delays its next answer to a create until the returned function is called. */
function delayedCreate(more: Partial<Fault> = {}) {
	const { faultId } = once({ type: 'delay', milliseconds: Infinity }, more);
	return {
		sent: async () => {
			await until(() =>
				service.requests('create').some(({ faultApplied }) => faultApplied === 'delay'),
			);
		},
		answer: () => void service.state.faults.clear(faultId),
	};
}

const checked = async () => {
	await until(() => service.requests('get').length > 0);
};

/** Kills the process of an n8n execution at a moment: n8n's store stays as it is then. */
async function killedAt(moment: () => Promise<void>, ...given: Parameters<typeof flow>) {
	const running = startFlow(flow(...given));
	await moment();
	const rows = [...processed.rows];
	running.stop();
	await running.outcome;
	processed.rows.clear();
	for (const [row, entries] of rows) processed.rows.set(row, entries);
}

describe('A document whose result came out', () => {
	it.each(['create', 'createAndWait'] as const)('is skipped by a later run (%s)', async (name) => {
		await run([policyItem()], {}, name);
		const { outputs } = await run(
			[policyItem()],
			{ inputs: { metadata: [{ name: 'external_id', value: 'CASE-1' }] } },
			name,
		);
		expect(outputs[0]?.[0]?.json).toMatchObject({
			...{ workflowId: WORKFLOW_ID, externalId: 'CASE-1', status: 'skipped', documents: [] },
			skipped: [{ itemIndex: 0, fieldName: 'data', fileName: 'policy.txt', reason: BEFORE }],
		});
		expect(outputs[0]?.[0]?.json.needsReview).not.toBe(true);
		expect(service.requests('create')).toHaveLength(1);
	});

	it('is recognized by its content, and other documents of its item are sent', async () => {
		await run();
		const files = { data: file('policy.txt', 'CPP-1002'), scan: file('renamed.txt', POLICY) };
		expect(items(await run([{ files }]))).toEqual([[...SENT, BEFORE]]);
		expect(sentNames()).toEqual(['policy.txt', 'policy.txt']);
		expect(JSON.stringify([...processed.rows])).not.toMatch(/policy|CPP|intake/i);
	});

	it('is remembered by its node, until the record is cleared', async () => {
		await run();
		await run([policyItem()], {}, 'create', { id: 'another-node' });
		expect(sentNames()).toHaveLength(2);
		await processed.clearAllProcessedItems('node', {
			workflow: { id: 'engine-test', active: false },
			node: { id: 'Document Workflow' } as INode,
		});
		await run();
		expect(sentNames()).toHaveLength(3);
	});
});

describe('A document whose result did not come out', () => {
	const TO_REVIEW = ['skipped', true, NO_RESULT];

	it('is skipped with a review after a kill while the node waits', async () => {
		await killedAt(checked, [policyItem()], { workflow: 'never-ending' }, 'createAndWait');
		const mail = { files: { data: file('policy.txt', POLICY), other: file('other.txt') } };
		expect(items(await run([policyItem(), mail], { workflow: 'never-ending' }))).toEqual([
			...[TO_REVIEW, ['running', true, NO_RESULT]],
		]);
		expect(sentNames()).toEqual(['policy.txt', 'other.txt']);
	});

	it('is sent again with a warning after a kill before its answer is recorded', async () => {
		const { sent } = delayedCreate();
		await killedAt(sent);
		const { outputs, hints } = await run();
		expect(outputs[0]?.[0]?.json).toMatchObject({
			...{ status: 'running', sentAgain: true, needsReview: true },
			warning: expect.stringMatching(/^An earlier n8n execution may also have sent policy\.txt/),
		});
		expect(hints).toEqual([
			expect.stringMatching(/^The item needs review\. An earlier n8n execution may also have sent/),
			expect.stringMatching(/^For 1 of 1 items an earlier n8n execution may have sent/),
		]);
		expect(items(await run())).toEqual([['skipped', false, BEFORE]]);
	});

	it('is skipped with a review while another run waits, and without one after that', async () => {
		const waiting = { pauseAfterSeconds: 6, firstCheckSeconds: 1 };
		const more = { workflow: 'never-ending', waiting };
		const first = await run([policyItem()], more, 'createAndWait');
		expect(first.status).toBe('waiting');
		expect(items(await run([policyItem()], more, 'createAndWait'))).toEqual([TO_REVIEW]);
		const [{ executionId = '' } = {}] = service.state.executions.all();
		await service.state.executions.finish(executionId, { status: 'completed' });
		expect((await first.continue()).status).toBe('success');
		expect(items(await run([policyItem()], more, 'createAndWait'))).toEqual([
			['skipped', false, BEFORE],
		]);
	});

	it('is skipped with a review when another item ended the run, until a Retry outputs that its execution failed', async () => {
		const more = { workflow: 'failing', maximumInParallel: 1 };
		once({ type: 'status', status: 422 }, { requests: { from: 2 } });
		const given = [policyItem(), { files: { data: file('b.txt') } }];
		const first = await run(given, more, 'createAndWait');
		expect(first.status).toBe('error');
		expect(items(await run([policyItem()], more))).toEqual([TO_REVIEW]);
		expect(items(await first.retry())).toEqual([
			['failed', true],
			['failed', true],
		]);
		expect(sentNames()).toEqual(['policy.txt', 'b.txt']);
		expect(items(await run([policyItem()], more))).toEqual([SENT]);
	});
});

describe('Items of one run with the same document:', () => {
	it('a later try of Retry On Fail knows what the first one has sent', async () => {
		const failing = { files: { data: file('b.txt') } };
		once({ type: 'status', status: 422 }, { requests: { from: 2 } });
		const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
		const more = { maximumInParallel: 1 };
		const outcome = await run([policyItem(), failing, policyItem()], more, 'create', settings);
		expect(items(outcome)).toEqual([SENT, SENT, ['skipped', false, IN_THIS_RUN]]);
		expect(sentNames()).toEqual(['policy.txt', 'b.txt']);
	});
});
