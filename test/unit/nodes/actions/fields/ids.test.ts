import type { IExecuteFunctions } from 'n8n-workflow';

import {
	readExecutionId,
	readWorkflowId,
} from '../../../../../nodes/DocumentWorkflow/actions/fields/ids';

const placeWith = (value: unknown) => ({
	context: {
		getNode: () => ({ name: 'Document Workflow', typeVersion: 1 }),
		getNodeParameter: () => value,
	} as unknown as IExecuteFunctions,
	itemIndex: 3,
});
describe('the ID of a workflow', () => {
	it.each([
		['intake', 'intake'],
		[' intake\n', 'intake'],
		['1e3', '1e3'],
		['007', '007'],
		[4711, '4711'],
		['12345678901234567890', '12345678901234567890'],
	])('is %j', (value, id) => {
		expect(readWorkflowId(placeWith({ mode: 'id', value }))).toBe(id);
		expect(readWorkflowId(placeWith(value))).toBe(id);
	});

	it.each([
		['', "'Workflow' is empty"],
		[null, "'Workflow' is empty"],
		['..', "'Workflow' is not an ID: '..'"],
		['a/b', "'Workflow' is not an ID: 'a/b'"],
		['a\nb', "'Workflow' is not an ID: 'a b'"],
		['a\u0000b', "'Workflow' is not an ID: 'a b'"],
		['a\ud800', "'Workflow' is not an ID: 'a'"],
		['a\u202eb', "'Workflow' is not an ID: 'a b'"],
		[{ id: 'a' }, `'Workflow' is not an ID: '{"id":"a"}'`],
		[2 ** 60, "'Workflow' is a number with too many digits: 1152921504606847000"],
		['x'.repeat(501), `'Workflow' is not an ID: '${'x'.repeat(79)}…'`],
	])('is refused with the name of the field: %j', (value, message) => {
		expect(() => readWorkflowId(placeWith({ mode: 'id', value }))).toThrow(message);
	});

	it.each(['list', 'id'])('is read from a URL that was entered in the mode %s', (mode) => {
		const value = ' https://app.example.com/workflows/intake/runs?tab=1';
		expect(readWorkflowId(placeWith({ mode, value }))).toBe('intake');
		expect(readWorkflowId(placeWith(value))).toBe('intake');
		expect(readWorkflowId(placeWith({ mode, value: 'intake' }))).toBe('intake');
	});

	it.each(['', '..', '.', '%2e%2e', '%2E', '%2e%2e%2fother', 'a%2fb', 'a%0Ab', 'a%00', 'a\ud800'])(
		'is refused when it is missing, leads to another path, or is no text: an address that ends in %s',
		(end) => {
			const value = `https://app.example.com/workflows/${end}`;
			expect(() => readWorkflowId(placeWith(value))).toThrow(/^'Workflow' is not an ID: '/);
		},
	);
});

describe('the ID of an execution', () => {
	it('is refused with the name of the field', () => {
		expect(readExecutionId(placeWith('e-1'))).toBe('e-1');
		expect(() => readExecutionId(placeWith('e\ud800'))).toThrow("'Execution ID' is not an ID: 'e'");
		expect(() => readExecutionId(placeWith(2 ** 53))).toThrow(/^'Execution ID' is a number/);
	});
});
