import type { Json, JsonRecord } from '../../../service/contract';
import { describeUnreadable } from '../../../service/errors';
import type { Answer } from '../../../service/http';
import { isTooDeep } from '../../../service/json';
import { readExecution, readStarted } from '../../../service/reading';
import { growthOf, LINEAR } from '../support/growth';
import { WEBHOOK_KEY } from '../../leaks/secrets';
import { cases, fc } from '../../properties';
import { DEFAULT_SETTINGS, shapeOf, settingsOf } from '../nodes/results/support';

const asked = { workflowId: 'wf', executionId: 'ex' };
const POLICY = { number: { value: 'CPP-1', confidence_score: 0.9 } };

const answerWith = (body: Json): Answer => ({ kind: 'answer', status: 200, headers: {}, body });

/** Values by step, as Simplified returns them. */
async function dataIn(body: JsonRecord): Promise<unknown> {
	const execution = readExecution({ status: 'completed', ...body }, asked);
	return execution && (await shapeOf(execution, DEFAULT_SETTINGS)).items[0]?.data;
}

describe('The answer to a create', () => {
	it.each<[Json]>([
		[{ executionId: 'e-1' }],
		[{ workflowExecutionId: 'e-1', id: 'other' }],
		[{ run_id: 'other', id: 'e-1' }],
		[{ runId: 'e-1' }],
		[{ data: { workflow_execution_id: 'e-1' } }],
		[{ data: { id: 'e-1', type: 'execution' } }],
		[{ id: 'request', execution: { id: 'e-1' } }],
		[{ status: 'success', data: { execution_id: 'e-1', status: 'running' } }],
		[{ result: { executionId: 'e-1' } }],
		[[{ workflow_execution_id: 'e-1' }]],
	])('may have the identifier in another spelling, or in one wrapper: %j', (body) => {
		expect(readStarted(body, 'wf')).toEqual({
			workflowId: 'wf',
			executionId: 'e-1',
			status: 'running',
		});
	});

	it.each<[Json]>([
		[{ id: 2 ** 60 }],
		[{ id: '..' }],
		[{ id: 'a\nb' }],
		[{ id: { value: 'e-1' } }],
		[{ data: { data: { id: 'e-1' } } }],
		[[{ id: 'a' }, { id: 'b' }]],
		[{ constructor: 'x' }],
	])('has no identifier that could be another one: %j', (body) => {
		expect(readStarted(body, 'wf')).toBeUndefined();
	});
});

describe('The answer to a get', () => {
	const inner = { status: 'running', workflow_id: 'w-1', workflow_execution_id: 'e-1' };

	it.each<[Json]>([
		[{ data: inner }],
		[{ status: 'success', data: inner }],
		[{ execution: inner }],
		[{ result: inner }],
		[[inner]],
		[{ ...inner, data: { status: 'active' } }],
		[{ executionId: 'e-1', workflowId: 'w-1', execution_status: 'running' }],
	])('may be in one wrapper, whose own status does not count: %j', (body) => {
		expect(readExecution(body, asked)).toMatchObject({
			workflowId: 'w-1',
			executionId: 'e-1',
			status: 'running',
			phase: 'running',
		});
	});

	it('may be in a wrapper with a status of its own, without an identifier, when steps are beside its status', () => {
		const body = { status: 'success', result: { status: 'failed', steps: [], error: 'No page' } };
		expect(readExecution(body, asked)).toMatchObject({
			status: 'failed',
			phase: 'failed',
			failureReason: 'No page',
		});
	});

	it('may have the reason of its failure beside it', () => {
		const execution = { ...inner, status: 'failed', created_at: '2026-01-31' };
		const body = { execution, error: 'No page' };
		expect(readExecution(body, asked)).toMatchObject({ failureReason: 'No page' });
		const unsaid = { message: 'OK', execution: { ...inner, status: 'failed' } };
		expect(readExecution(unsaid, asked)).toMatchObject({ failureReason: '' });
	});

	it('has the metadata of the create', () => {
		const read = (metadata: Json) =>
			readExecution({ status: 'running', metadata }, asked)?.metadata;
		expect(read({ external_id: 'P-1' })).toEqual({ external_id: 'P-1' });
		expect(read('none')).toEqual({});
	});

	it('does not take a field of the data for an identifier', () => {
		const body = { status: 'completed', data: { workflow_id: 'x', execution_id: 'y' } };
		expect(readExecution(body, asked)).toMatchObject(asked);
	});

	it('has ended with an unknown status only when its steps hold data', () => {
		const phase = (body: JsonRecord) =>
			readExecution({ status: 'archived', ...body }, asked)?.phase;
		expect(phase({ steps: [{ step_name: 's', data: [POLICY] }] })).toBe('completed');
		expect(phase({ steps: [{ step_name: 's', data: { url: 'https://f.example.com/1' } }] })).toBe(
			'completed',
		);
		expect(phase({ steps: [{ step_name: 's', data: [] }] })).toBe('running');
		expect(phase({ data: [POLICY] })).toBe('running');
	});

	it.each<[Json]>([[{ 2: 1 }], [null], ['text'], [7], [[]], [{ data: { data: { status: 'x' } } }]])(
		'cannot be read without a status: %j',
		(body) => expect(readExecution(body, asked)).toBeUndefined(),
	);

	it('cannot be read when it is nested too deep', () => {
		const deep = JSON.parse(`${'[['.repeat(20_000)}1${']]'.repeat(20_000)}`) as Json;
		expect(readExecution({ status: 'completed', deep }, asked)).toBeUndefined();
		expect(describeUnreadable(answerWith({ deep }), 'status').message).toContain('nested too deep');
	});
});

describe('The steps of an execution', () => {
	const expected = { policy: [{ number: 'CPP-1' }], text: { note: 'x' } };

	it.each<[string, JsonRecord]>([
		[
			'a list',
			{
				steps: [
					{ step_name: 'policy', data: [POLICY] },
					{ name: 'text', data: { note: 'x' } },
				],
			},
		],
		['a record by name', { steps: { policy: [POLICY], text: { note: 'x' } } }],
		['a record by name, wrapped', { steps: { policy: { data: [POLICY] }, text: { note: 'x' } } }],
		['in a wrapper', { result: { steps: { policy: POLICY, text: { note: 'x' } } } }],
		[
			'named rows',
			{
				steps: [
					{ step_name: 'policy', rows: [POLICY] },
					{ name: 'text', note: 'x' },
				],
			},
		],
	])('may be %s, in the order of the answer', async (_form, body) => {
		expect(JSON.stringify(await dataIn(body))).toBe(JSON.stringify(expected));
	});

	it.each<[JsonRecord, unknown]>([
		[{ steps: { step_name: 'policy', data: [POLICY] } }, { policy: [{ number: 'CPP-1' }] }],
		[{ steps: null, data: [POLICY] }, {}],
		[{ steps: 'see file' }, { steps: 'see file' }],
		[{ status: 'success', data: { execution_id: 'e-1', status: 'completed', pages: 3 } }, {}],
		[{ status: 'running', data: [POLICY] }, {}],
		[{ pages: 3 }, {}],
	])('of %j are read as %j', async (body, data) => {
		expect(await dataIn(body)).toEqual(data);
	});

	it('that could not be found are replaced by a short excerpt of the answer, without tokens and secrets', async () => {
		const token = ['eyJhbGciOiJIUzI1', 'eyJzdWIiOiIxMjM0', 'c2lnbmF0dXJl'].join('.');
		const body = {
			status: 'completed',
			policy: { number: 'CPP-1' },
			note: token,
			refused: `the key ${WEBHOOK_KEY}`,
			more: 'x'.repeat(1e5),
		};
		const execution = readExecution(body, asked, [WEBHOOK_KEY]);
		for (const output of ['simplified', 'rows', 'selected'] as const) {
			const [item] = execution
				? (await shapeOf(execution, settingsOf({ output, minimumConfidence: 0.8, fields: ['a'] })))
						.items
				: [];
			const dataNotRead = item?.[output === 'rows' ? 'toReview' : 'dataNotRead'];
			expect(item?.needsReview).toBe(true);
			const excerpt = JSON.stringify(dataNotRead).replaceAll('\\', '');
			expect(excerpt).toContain('"policy":{"number":"CPP-1"}');
			expect(excerpt).not.toContain(token.slice(0, 12));
			expect(excerpt).toContain('the key [secret]');
			expect(excerpt.length).toBeLessThan(700);
		}
	});
});

/** JSON whose fields have names and values of answers. */
const { anyAnswer } = fc.letrec<{ anyAnswer: Json }>((tie) => ({
	anyAnswer: fc.oneof(
		{ maxDepth: 5, withCrossShrink: true },
		fc.oneof(
			fc.constantFrom<Json>(
				'completed',
				'running',
				'archived',
				'e-1',
				'0.9',
				'90 %',
				'https://f.example.com/1?s=2',
				null,
				0.5,
				'',
			),
			fc.jsonValue({ maxDepth: 1 }).map((value) => JSON.parse(JSON.stringify(value)) as Json),
		),
		fc.array(tie('anyAnswer'), { maxLength: 4 }),
		fc.dictionary(
			fc.constantFrom(
				'status',
				'state',
				'steps',
				'data',
				'result',
				'execution',
				'step_name',
				'name',
				'rows',
				'value',
				'confidence_score',
				'confidence',
				'metadata',
				'url',
				'id',
				'workflow_id',
				'executionId',
				'error',
				'__proto__',
				'constructor',
			),
			tie('anyAnswer'),
			{ maxKeys: 6 },
		),
	),
}));

describe('Whatever the service answers', () => {
	it('is an execution that can be shown in each output, or a refusal in words', async () => {
		await fc.assert(
			fc.asyncProperty(anyAnswer, async (given) => {
				const body = JSON.parse(JSON.stringify(given)) as Json;
				readStarted(body, 'wf');
				const execution = readExecution(body, asked);
				if (execution === undefined) {
					const { message } = describeUnreadable(answerWith(body), 'status');
					expect(message).toMatch(/^The answer .* cannot be read: it has no status; it/);
					expect(message.length).toBeLessThan(1_500);
					return;
				}
				for (const output of ['simplified', 'rows', 'raw', 'selected'] as const) {
					const { items } = await shapeOf(execution, {
						...DEFAULT_SETTINGS,
						output,
						minimums: { general: 0.8, byField: new Map() },
						fields: ['a'],
					});
					expect(items.length).toBeGreaterThan(0);
				}
			}),
			cases(500),
		);
	});

	it.each<[string, (length: number) => Json]>([
		['a long status', (length) => ({ status: 'x_'.repeat(length / 2) })],
		['words under way', (length) => ({ status: 'ing_'.repeat(length / 4) })],
		[
			'many fields',
			(length) => Object.fromEntries(Array.from({ length: length / 10 }, (_, n) => [`f${n}`, 1])),
		],
		[
			'many steps',
			(length) => ({
				status: 'done',
				steps: Array.from({ length: length / 30 }, () => ({ name: 's' })),
			}),
		],
		[
			'a long name of a step with many low values',
			(length) => ({
				status: 'done',
				steps: {
					['s'.repeat(length / 2)]: Array.from({ length: length / 80 }, () => ({
						a: { value: 1, confidence_score: 0 },
					})),
				},
			}),
		],
		[
			'a long score',
			(length) => ({
				status: 'done',
				steps: [[{ a: { value: 1, confidence_score: '1'.repeat(length) } }]],
			}),
		],
		['a long text without JSON', (length) => '<'.repeat(length)],
		[
			'deep lists',
			(length) =>
				JSON.parse(
					`{"status":"done","steps":${'['.repeat(length / 2)}${']'.repeat(length / 2)}}`,
				) as Json,
		],
		['nested cells', () => ({ status: 'done', steps: [[nestedCells(90)]] })],
	])('is read and shown in time and at a size in proportion: %s', async (_what, make) => {
		const shownOf = async (body: Json): Promise<unknown[]> => {
			readStarted(body, 'wf');
			const execution = readExecution(body, asked);
			if (execution === undefined) return [describeUnreadable(answerWith(body), 'status')];
			return Promise.all(
				(['simplified', 'rows'] as const).map(
					async (output) =>
						(await shapeOf(execution, settingsOf({ output, minimumConfidence: 0.8 }))).items,
				),
			);
		};
		expect(await growthOf(make, shownOf)).toBeLessThan(LINEAR);
		for (const shown of await shownOf(make(100_000)))
			expect(JSON.stringify(shown).length).toBeLessThan(5_000_000);
	});

	it('is too deep from 101 levels on', () => {
		const levels = (count: number) =>
			JSON.parse(`${'['.repeat(count)}${']'.repeat(count)}`) as Json;
		expect([100, 101].map((count) => isTooDeep(levels(count)))).toEqual([false, true]);
	});
});

function nestedCells(levels: number): Json {
	let cell: Json = 'x'.repeat(1_000);
	for (let level = 0; level < levels; level++) cell = { value: { a: cell }, confidence_score: 0.1 };
	return cell;
}
