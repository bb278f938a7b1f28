import { readEvent } from '../../../service/reading';

const event = (more: Record<string, unknown> = {}) => ({
	workflow_id: 'intake',
	workflow_execution_id: 'e-1',
	status: 'completed',
	...more,
});
const idsOf = (body: unknown) => {
	const read = readEvent(JSON.stringify(body));
	return read.ok ? [read.event.workflowId, read.event.executionId] : read.reason;
};
const NO_ID = 'An event must name workflow_id and workflow_execution_id';

describe('The status of an event', () => {
	it.each([
		['completed', 'completed'],
		['SUCCEEDED', 'completed'],
		['error', 'failed'],
		['queued', 'running'],
		[undefined, undefined],
		['', undefined],
		[{ code: 1 }, undefined],
	])('gives its phase: %j is %s', (status, phase) => {
		const read = readEvent(JSON.stringify(event({ status })));
		expect(read).toMatchObject({ ok: true, event: { phase } });
	});
});

describe('The IDs of an event', () => {
	it.each([
		['a number', 12, '12'],
		['white space around', ' e-1 ', 'e-1'],
	])('may be %s', (_what, id, read) => {
		expect(idsOf(event({ workflow_execution_id: id }))).toEqual(['intake', read]);
		expect(idsOf(event({ workflow_id: id }))).toEqual([read, 'e-1']);
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
	});

	it("may have the execution's ID under its other name", () => {
		expect(idsOf({ workflow_id: 'intake', execution_id: 'e-2' })).toEqual(['intake', 'e-2']);
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
		expect(readEvent(JSON.stringify(body))).toMatchObject({
			ok: true,
			event: { workflowId: 'intake', executionId: 'e-1', phase: 'failed' },
		});
	});

	it('may be without a status', () => {
		expect(readEvent(JSON.stringify({ data: IDS }))).toMatchObject({
			event: { executionId: 'e-1', phase: undefined },
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
		['nothing', '', 'The body is not JSON'],
		['truncated JSON', '{', 'The body is not JSON'],
		['what only looks like JSON', '{"workflow_id": undefined}', 'The body is not JSON'],
		['null', 'null', NO_ID],
		['a number', '1', NO_ID],
		['a text', '"text"', NO_ID],
		['two events', JSON.stringify([event(), event({ workflow_execution_id: 'e-2' })]), NO_ID],
		[
			'101 lists in one another',
			`${'['.repeat(101)}${']'.repeat(101)}`,
			'The body is nested more than 100 levels deep',
		],
	])('is rejected with the reason when it is %s', (_what, text, reason) => {
		expect(readEvent(text)).toEqual({ ok: false, reason });
	});

	it.each([
		[
			'100 levels',
			JSON.stringify(event()).replace('}', `,"a":${'['.repeat(99)}${']'.repeat(99)}}`),
		],
		['a byte order mark', `\uFEFF${JSON.stringify(event())}`],
	])('is accepted with %s', (_what, text) => {
		expect(readEvent(text)).toMatchObject({ ok: true, event: { executionId: 'e-1' } });
	});

	it('keeps the digits of an ID that JSON.parse would round', () => {
		const long = '12345678901234567890';
		const text = JSON.stringify(event({ workflow_execution_id: long }));
		const read = readEvent(text.replaceAll(`"${long}"`, long));
		expect(read).toMatchObject({ ok: true, event: { executionId: long } });
	});
});
