import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { answer, cell, getAnswered, jsonOf, POLICY_STEPS, step } from './support/answers';
import { runFlow } from './support/engine';
import { file } from './support/files';
import type { InputItem } from './support/helper-nodes';
import { expectNoSecretIn } from './support/secrets';
import { operation, policyItem, useService } from './support/service';

const service = useService();

const get = (body: IDataObject, outputOptions: INodeParameters = {}, output = 'simplified') =>
	getAnswered(service, body, { output, outputOptions });
const create = (
	inputs: INodeParameters = {},
	items: InputItem[] = [policyItem()],
	more: INodeParameters = {},
	settings: Partial<INode> = {},
) => runFlow({ ...service, parameters: operation('create', { inputs, ...more }), items, settings });
const createAnswer = (body: unknown) =>
	service.state.faults.add({ route: 'create', action: { type: 'status', status: 200, body } });

describe('An execution without a list of steps', () => {
	it.each<[IDataObject]>([
		[{}],
		[{ steps: null }],
		[{ steps: [] }],
		[{ steps: {} }],
		[{ pages: 3 }],
		[{ results: { policy: [{ number: 'P' }] } }],
	])('is not dropped, needs review, and names the fields that came: %j', async (body) => {
		for (const output of ['simplified', 'rows', 'raw', 'selected']) {
			const outcome = await get(body, {}, output);
			const [item] = jsonOf(outcome);
			expect(item).toMatchObject({ executionId: 'e-1' });
			expect(item?.needsReview).toBe(true);
			const told = item?.[output === 'rows' ? 'toReview' : 'dataNotRead'];
			if (output !== 'raw') expect(told).toContain('"status":"completed"');
			expect(outcome.hints).toEqual([
				expect.stringContaining(
					'The answer has no steps with data. It is: &#123;&quot;status&quot;',
				),
			]);
		}
	});
});

describe('Data at a URL', () => {
	it.each(['simplified', 'rows', 'selected', 'raw'])(
		'is not requested, needs review, and its signature is only in Raw: %s',
		async (output) => {
			const url = `${service.simulator.productionUrl}/1?signature=sig-5d0e2b9c71`;
			const steps = [{ step_name: 'policy', data: { url } }];
			const outcome = await get({ steps }, { attachReport: true }, output);
			const { outputs, hints, logs, run } = outcome;
			expect(jsonOf(outcome)).toMatchObject([
				{ needsReview: true, toReview: 'The data of "policy" is at a URL' },
			]);
			expect(hints).toEqual(['The item needs review. The data of &quot;policy&quot; is at a URL']);
			const shown = output === 'raw' ? [hints, logs] : [outputs, hints, logs, run];
			expectNoSecretIn(shown, ['sig-5d0e2b9c71']);
			expect(service.requests('other')).toEqual([]);
		},
	);
});

describe('The answer to a create', () => {
	it('is shown in short, without secrets, by an item that fails', async () => {
		createAnswer({ ticket: 'T-1', access_token: 'not-to-be-seen' });
		const { error } = await create();
		expect(error?.message).toContain('"ticket":"T-1"');
		expect(`${error?.message} ${error?.description}`).not.toContain('not-to-be-seen');
	});
});

describe('An answer with the IDs of another execution', () => {
	it.each<[IDataObject, string]>([
		[{ workflow_execution_id: 'e-2' }, '"e-2" of workflow "intake"'],
		[{ workflow_execution_id: 'e-1', workflow_id: 'claims' }, '"e-1" of workflow "claims"'],
	])(
		'fails Get and ends a wait, because its data may be that of another case: %j',
		async (ids, named) => {
			const got = await get({ ...ids, steps: POLICY_STEPS });
			const message = `The service returned another execution: ${named}, and not "e-1" of workflow "intake"`;
			expect(got.error?.message).toBe(message);
			expect(got.error?.description).toContain('it may belong to another case');
			const { error } = await runFlow({
				...service,
				parameters: operation('wait', { executionId: 'e-1', waiting: { firstCheckSeconds: 0.1 } }),
			});
			expect(error?.message).toBe(message);
			expect(service.requests('get')).toHaveLength(2);
		},
	);
});

describe('A status that is not published', () => {
	it.each([['aborted'], ['terminated'], ['stopped']])(
		'%s ends a wait as failed',
		async (status) => {
			answer(service, { status, error: 'by hand' });
			const outcome = await wait();
			expect(jsonOf(outcome)).toMatchObject([
				{ status, needsReview: true, failureReason: 'by hand' },
			]);
			expect(outcome.hints).toEqual(['The item needs review. The execution failed: by hand']);
			expect(service.requests('get')).toHaveLength(1);
		},
	);

	it.each([['partially_completed'], ['completed_with_warnings'], ['needs_review'], ['archived']])(
		'%s ends a wait with data that needs review, and is shown in a hint',
		async (status) => {
			answer(service, { status, steps: [step('policy', { number: cell('P', 0.9) })] });
			const outcome = await wait();
			expect(jsonOf(outcome)).toMatchObject([{ status, needsReview: true }]);
			expect(outcome.hints).toEqual([expect.stringContaining(`&quot;${status}&quot;`)]);
			expect(service.requests('get')).toHaveLength(1);
		},
	);

	it('without data goes on to the time limit, and the item says so', async () => {
		answer(service, { status: 'archived' });
		const outcome = await wait({ ifTimedOut: 'continue', longestWaitHours: 0.02 / 60 });
		const message = expect.stringContaining('the status "archived" is unknown to this node');
		expect(jsonOf(outcome)).toMatchObject([{ timedOut: true, status: 'archived', message }]);
	});
});

const wait = (waiting: INodeParameters = {}) =>
	runFlow({
		...service,
		parameters: operation('wait', {
			executionId: 'e-1',
			waiting: { firstCheckSeconds: 0.1, ...waiting },
		}),
	});

describe('The External ID', () => {
	const inputs = { metadata: [{ name: 'external_id', value: 'CASE-1' }] };

	it('is in the output of Create, and of a wait whose answers do not repeat the metadata', async () => {
		expect(jsonOf(await create(inputs))).toMatchObject([{ externalId: 'CASE-1' }]);
		answer(service, { steps: POLICY_STEPS });
		const { outputs } = await runFlow({
			...service,
			parameters: operation('createAndWait', {
				output: 'rows',
				outputOptions: { includeDetails: true },
				inputs,
				waiting: { firstCheckSeconds: 0.1 },
			}),
			items: [policyItem()],
		});
		expect(outputs[0]?.map(({ json }) => json.executionDetails)).toMatchObject(
			[1, 2, 3].map(() => ({ externalId: 'CASE-1' })),
		);
	});
});

it('A hint counts the input items of an execution whose outcome is unknown', async () => {
	createAnswer({});
	const items = ['a', 'b', 'c'].map((name) => ({ files: { data: file(`${name}.txt`) } }));
	const { hints } = await create(
		{},
		items,
		{ groupBy: 'all' },
		{ onError: 'continueRegularOutput' },
	);
	expect(hints).toEqual([
		expect.stringMatching(/^3 of 3 items need review\. The first: The answer .* no identifier/),
		expect.stringMatching(/^For 3 of 3 items it is unknown/),
	]);
});
