import { onlyItem, POLICY, shaped, step } from './support';
import type { Json } from '../../../../service/contract';

const selected = (fields: string[]) => onlyItem(POLICY, { output: 'selected', fields });
const ids = { workflowId: 'w', executionId: 'e', status: 'completed' };

describe('Selected Fields', () => {
	it('are the named fields of any step, in their rows', () => {
		expect(selected(['paid', ' number '])).toEqual({
			...ids,
			data: { policy: [{ number: 'CPP-1' }], losses: [{ paid: 10 }, { paid: 20 }] },
		});
	});

	it('may be named with their step, or be a whole step', () => {
		expect(selected(['policy.premium', 'premium'])).toEqual({
			...ids,
			data: { policy: [{ premium: 1250 }] },
		});
		expect(selected(['policy'])).toEqual({
			...ids,
			data: { policy: [{ number: 'CPP-1', premium: 1250 }] },
		});
	});

	it('may be fields of the item itself', () => {
		expect(selected(['lowestConfidence', 'metadata'])).toEqual({
			...ids,
			lowestConfidence: 0.42,
			metadata: { external_id: 'INV-1', team: 'north' },
			data: {},
		});
		expect(selected(['data', 'paid']).data).toEqual(onlyItem(POLICY).data);
	});

	it('are all fields when none is named', () => {
		expect(selected([' '])).toEqual(onlyItem(POLICY));
	});

	it('are found in a record instead of rows, which loses only its other fields', () => {
		const steps: Json[] = [
			{ step_name: 's', data: { policy_number: 'P1', premium: 5 } },
			{ step_name: 'text', data: { text: 'none' } },
		];
		const json = onlyItem(
			{ steps },
			{ output: 'selected', fields: ['policy_number', 's.premium'] },
		);
		expect(json).toEqual({ ...ids, data: { s: { policy_number: 'P1', premium: 5 } } });
		expect(onlyItem({ steps }, { output: 'selected', fields: ['text.text'] }).data).toEqual({
			text: { text: 'none' },
		});
	});

	it('are found in a single row of plain values, which is a row in all outputs', () => {
		const steps = [
			{
				step_name: 's',
				data: { schema: {}, data: { policy_number: 'P1', premium: 5 }, metadata: {} },
			},
		];
		expect(onlyItem({ steps }, { output: 'selected', fields: ['policy_number'] })).toEqual({
			...ids,
			data: { s: [{ policy_number: 'P1' }] },
		});
		expect(onlyItem({ steps }).data).toEqual({ s: [{ policy_number: 'P1', premium: 5 }] });
		expect(onlyItem({ steps }, { output: 'rows' })).toMatchObject({
			stepName: 's',
			row: 1,
			fields: { policy_number: 'P1', premium: 5 },
		});
	});

	it('are reported when they do not exist, also in the item for an AI agent', () => {
		expect(selected(['paid', 'policy.paid', 'total'])).toMatchObject({
			fieldsNotFound: ['policy.paid', 'total'],
			data: { losses: [{ paid: 10 }, { paid: 20 }] },
		});
		expect(shaped(POLICY, { output: 'selected', fields: ['total'] }).unknownFields).toEqual([
			'total',
		]);
	});

	it('are not reported as missing while the execution is running', () => {
		const { items, unknownFields } = shaped(
			{ status: 'running' },
			{ output: 'selected', fields: ['total'] },
		);
		expect(unknownFields).toEqual([]);
		expect(items).toEqual([{ ...ids, status: 'running', data: {} }]);
	});

	it('may have names such as __proto__, and may be in data that is no table', () => {
		const steps = JSON.parse(
			'[{"step_name": "s", "data": [{"__proto__": 1, "a": 2}, 3]}, {"step_name": "text", "data": {"text": "none"}}]',
		) as Json[];
		const json = onlyItem(
			{ steps: [...steps, step('t', [])] },
			{ output: 'selected', fields: ['__proto__', 'text'] },
		);
		expect(JSON.stringify(json.data)).toBe('{"s":[{"__proto__":1},{}],"text":{"text":"none"}}');
		expect(json).not.toHaveProperty('fieldsNotFound');
	});
});
