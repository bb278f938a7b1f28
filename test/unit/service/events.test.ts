import { readEvents } from '../../../service/events';

const event = (more: Record<string, unknown> = {}) => ({
	workflow_id: 'intake',
	workflow_execution_id: 'e-1',
	status: 'completed',
	...more,
});
const idsOf = (body: unknown) => {
	const read = readEvents(JSON.stringify(body));
	return read.ok
		? read.events.map(({ workflowId, executionId }) => [workflowId, executionId])
		: read.reason;
};
const NO_ID = 'An event must name workflow_id and workflow_execution_id';

describe('The events of a notification', () => {
	it('are one, or the entries of a list in their order', () => {
		expect(idsOf(event())).toEqual([['intake', 'e-1']]);
		expect(idsOf([event(), event({ workflow_execution_id: 'e-2' })])).toEqual([
			['intake', 'e-1'],
			['intake', 'e-2'],
		]);
		expect(idsOf([])).toEqual([]);
	});

	it('are dropped when workflow, execution and status are repeated', () => {
		expect(
			idsOf([
				event(),
				event({ status: 'done' }),
				event({ status: 'failed' }),
				event({ workflow_id: 'claims' }),
			]),
		).toEqual([
			['intake', 'e-1'],
			['intake', 'e-1'],
			['claims', 'e-1'],
		]);
	});

	it.each([
		['completed', 'completed'],
		['SUCCEEDED', 'completed'],
		['error', 'failed'],
		['queued', 'running'],
		[undefined, undefined],
		['', undefined],
		[{ code: 1 }, undefined],
	])('have the phase of their status: %j is %s', (status, phase) => {
		const read = readEvents(JSON.stringify(event({ status })));
		expect(read).toMatchObject({ ok: true, events: [{ phase }] });
	});
});

describe('The IDs of an event', () => {
	it.each([
		['a number', 12, '12'],
		['white space around', ' e-1 ', 'e-1'],
	])('may be %s', (_what, id, read) => {
		expect(idsOf(event({ workflow_execution_id: id }))).toEqual([['intake', read]]);
		expect(idsOf(event({ workflow_id: id }))).toEqual([[read, 'e-1']]);
	});

	it.each([
		['missing', undefined],
		['null', null],
		['empty', ''],
		['a list', ['e-1']],
		['a path to a parent folder', '../e/1'],
		['a number with an exponent', 1e21],
	])('may not be %s', (_what, id) => {
		expect(idsOf(event({ workflow_execution_id: id }))).toBe(NO_ID);
		expect(idsOf(event({ workflow_id: id }))).toBe(NO_ID);
		expect(idsOf([event(), event({ workflow_id: id })])).toBe(NO_ID);
	});

	it("may have the execution's ID under its other name", () => {
		expect(idsOf({ workflow_id: 'intake', execution_id: 'e-2' })).toEqual([['intake', 'e-2']]);
		expect(idsOf({ workflow_id: 'intake', id: 'e-2' })).toBe(NO_ID);
	});
});

describe('The IDs and the status of an event', () => {
	const IDS = { workflow_id: 'intake', workflow_execution_id: 'e-1' };
	const FAILED = { ...IDS, status: 'failed' };

	it.each<[string, unknown]>([
		['in camelCase', { workflowId: 'intake', executionId: 'e-1', status: 'failed' }],
		['under other names', { workflowId: 'intake', execution_id: 'e-1', state: 'FAILED' }],
		['in an execution', { event: 'execution.ended', execution: FAILED }],
		['in a workflow execution', { workflow_execution: FAILED }],
		['in data', { type: 'execution.failed', data: FAILED }],
		['in a result', { result: FAILED }],
		['in the same record, beside a status of the call itself', { status: 'success', data: FAILED }],
		['around data with other IDs', { ...FAILED, data: { workflow_id: 'x', execution_id: 'y' } }],
		['in several records', { ...IDS, execution: { state: 'failed' } }],
		[
			'in several records, also each ID in one of its own',
			{ workflow_id: 'intake', status: 'failed', execution: { execution_id: 'e-1' } },
		],
	])('may be %s, as in an answer to a get', (_what, body) => {
		expect(readEvents(JSON.stringify([body]))).toMatchObject({
			ok: true,
			events: [{ workflowId: 'intake', executionId: 'e-1', phase: 'failed' }],
		});
	});

	it('may be without a status', () => {
		expect(readEvents(JSON.stringify({ data: IDS }))).toMatchObject({
			events: [{ executionId: 'e-1', phase: undefined }],
		});
	});

	it.each<[string, unknown]>([
		['in no record', { status: 'completed' }],
		['in a list', { data: [FAILED] }],
		['in a record of another name', { payload: FAILED }],
		['in a record of a record', { data: { execution: FAILED } }],
		['named id', { data: { workflow_id: 'intake', id: 'e-1' } }],
		['without the workflow', { data: { execution_id: 'e-1' } }],
	])('may not be %s', (_what, body) => {
		expect(idsOf(body)).toBe(NO_ID);
	});
});

describe('A notification', () => {
	it.each([
		['nothing', '', 'The body is empty'],
		['white space', ' \uFEFF\n', 'The body is empty'],
		['truncated JSON', '{', 'The body is not JSON'],
		['what only looks like JSON', '{"workflow_id": undefined}', 'The body is not JSON'],
		['null', 'null', NO_ID],
		['a number', '1', NO_ID],
		['a text', '"text"', NO_ID],
		['a list in a list', '[[]]', NO_ID],
		[
			'101 lists in one another',
			`${'['.repeat(101)}${']'.repeat(101)}`,
			'The body is nested more than 100 levels deep',
		],
		['a list of 1,001', `[${'1,'.repeat(1_000)}1]`, 'The call has more than 1000 events'],
	])('is rejected with the reason when it is %s', (_what, text, reason) => {
		expect(readEvents(text)).toEqual({ ok: false, reason });
	});

	it.each([
		[
			'100 levels',
			JSON.stringify(event()).replace('}', `,"a":${'['.repeat(99)}${']'.repeat(99)}}`),
		],
		['a byte order mark', `\uFEFF${JSON.stringify(event())}`],
	])('is accepted with %s', (_what, text) => {
		expect(readEvents(text)).toMatchObject({ ok: true, events: [{ executionId: 'e-1' }] });
	});

	it('keeps the digits of an ID that JSON.parse would round', () => {
		const long = '12345678901234567890';
		const text = JSON.stringify(event({ workflow_execution_id: long }));
		const read = readEvents(text.replaceAll(`"${long}"`, long));
		expect(read).toMatchObject({ ok: true, events: [{ executionId: long }] });
	});

	it('is accepted with 1,000 events', () => {
		expect(
			idsOf(Array.from({ length: 1_000 }, (_, index) => event({ workflow_execution_id: index }))),
		).toHaveLength(1_000);
	});
});

it('A call with more events than allowed is refused', () => {
	const body = JSON.stringify([event(), event({ workflow_execution_id: 'e-2' })]);
	expect(readEvents(body, 2)).toMatchObject({ ok: true });
	expect(readEvents(body, 1)).toEqual({ ok: false, reason: 'The call has more than 1 events' });
});
