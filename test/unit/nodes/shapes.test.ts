import { sentDocuments, shapeExecution } from '../../../nodes/DocumentWorkflow/results/shapes';
import type { Execution, Json, JsonRecord } from '../../../service/contract';
import { readExecution } from '../../../service/contract';

function execution(body: JsonRecord): Execution {
	const read = readExecution({ status: 'completed', ...body }, { workflowId: 'w', executionId: 'e' });
	if (read === undefined) throw new Error('This is no execution');
	return read;
}
const step = (stepName: string, data: Json): JsonRecord => ({ step_name: stepName, data });
const simplified = (body: JsonRecord) => shapeExecution(execution(body), 'simplified');

describe('a simplified execution', () => {
	it('holds values and confidence in the same shape', () => {
		const rows: Json[] = [{ a: { value: 'x', confidence_score: 0.9 } }, { a: { value: null, confidence_score: 0.2 }, b: { value: [1], confidence_score: 1 } }];
		expect(simplified({ steps: [step('s', { data: rows })] })).toEqual({
			workflowId: 'w',
			executionId: 'e',
			status: 'completed',
			metadata: {},
			data: { s: [{ a: 'x' }, { a: null, b: [1] }] },
			confidence: { s: [{ a: 0.9 }, { a: 0.2, b: 1 }] },
			lowestConfidence: 0.2,
		});
	});

	it('has null where the service gave no confidence, and counts it for nothing', () => {
		const rows = [{ a: { value: 'x' }, b: { value: 'y', confidence_score: 0.8 }, c: 'bare' }];
		expect(simplified({ steps: [step('s', { data: rows })] })).toMatchObject({
			data: { s: [{ a: 'x', b: 'y', c: 'bare' }] },
			confidence: { s: [{ a: null, b: 0.8, c: null }] },
			lowestConfidence: 0.8,
		});
	});

	it('has no lowest confidence where there is none at all, and zero where it is zero', () => {
		expect(simplified({ steps: [] }).lowestConfidence).toBeNull();
		expect(simplified({ steps: [step('s', { data: [{ a: { value: 1, confidence_score: 0 } }] })] }).lowestConfidence).toBe(0);
	});

	it('keeps the data of a step that is no table as it came', () => {
		expect(simplified({ steps: [step('s', { url: 'https://files.example.com/1' })] })).toMatchObject({
			data: { s: { url: 'https://files.example.com/1' } },
			confidence: { s: [] },
		});
	});

	it('gives each of several steps of one name a name of its own, whatever the others are called', () => {
		const steps = ['s', 's', 's_2', 's'].map((name, index) => step(name, { data: [{ index }] }));
		const { data } = simplified({ steps });
		expect(Object.keys(data as object)).toEqual(['s', 's_2', 's_2_2', 's_3']);
	});

	it('holds the caller\'s metadata, and a reason only where the execution failed', () => {
		expect(simplified({ metadata: { external_id: 'INV-1' } })).toMatchObject({ metadata: { external_id: 'INV-1' } });
		expect(simplified({})).not.toHaveProperty('failureReason');
		expect(simplified({ status: 'failed', error: 'unreadable' })).toMatchObject({ status: 'failed', failureReason: 'unreadable' });
	});

	it('is not confused by names that JavaScript knows', () => {
		const steps = JSON.parse('[{"step_name": "__proto__", "data": {"data": [{"constructor": {"value": 1}, "__proto__": {"value": 2}}]}}]') as Json[];
		const { data } = simplified({ steps });
		expect(JSON.stringify(data)).toBe('{"__proto__":[{"constructor":1,"__proto__":2}]}');
		expect(Object.prototype).not.toHaveProperty('value');
	});
});

describe('a raw execution', () => {
	it('is the answer below response, so that a field "error" of it is no failed item to n8n', () => {
		const shaped = shapeExecution(execution({ status: 'failed', error: 'unreadable', extra: { kept: true } }), 'raw');
		expect(shaped).toEqual({ workflowId: 'w', executionId: 'e', status: 'failed', response: { status: 'failed', error: 'unreadable', extra: { kept: true } } });
	});
});

it('The documents of a create are listed without their bytes', () => {
	const stream = async function* () {
		yield Buffer.from('x');
	};
	expect(sentDocuments([{ name: 'a.pdf', type: 'application/pdf', size: 1, stream }])).toEqual([{ fileName: 'a.pdf', mediaType: 'application/pdf', bytes: 1 }]);
});
