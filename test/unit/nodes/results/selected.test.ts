import { onlyItem, POLICY, shaped, step } from './support';
import type { Json } from '../../../../service/contract';

const selected = (fields: string[]) => onlyItem(POLICY, { output: 'selected', fields });
const ids = { workflowId: 'w', executionId: 'e', status: 'completed' };

describe('Selected Fields', () => {
	it('are the named fields of whichever step has them, in their rows', () => {
		expect(selected(['paid', ' number '])).toEqual({ ...ids, data: { policy: [{ number: 'CPP-1' }], losses: [{ paid: 10 }, { paid: 20 }] } });
	});

	it('may be named with their step, or be a whole step', () => {
		expect(selected(['policy.premium', 'premium'])).toEqual({ ...ids, data: { policy: [{ premium: 1250 }] } });
		expect(selected(['policy'])).toEqual({ ...ids, data: { policy: [{ number: 'CPP-1', premium: 1250 }] } });
	});

	it('may be fields of the item itself', () => {
		expect(selected(['lowestConfidence', 'metadata'])).toEqual({ ...ids, lowestConfidence: 0.42, metadata: { external_id: 'INV-1', team: 'north' }, data: {} });
		expect(selected(['data', 'paid']).data).toEqual(onlyItem(POLICY).data);
	});

	it('are all of them where none is named', () => {
		expect(selected([' '])).toEqual(onlyItem(POLICY));
	});

	it('that are not there are told, to an AI agent in the item', () => {
		expect(selected(['paid', 'policy.paid', 'total'])).toMatchObject({ fieldsNotFound: ['policy.paid', 'total'], data: { losses: [{ paid: 10 }, { paid: 20 }] } });
		expect(shaped(POLICY, { output: 'selected', fields: ['total'] }).unknownFields).toEqual(['total']);
	});

	it('are not missed while the execution is running', () => {
		const { items, unknownFields } = shaped({ status: 'running' }, { output: 'selected', fields: ['total'] });
		expect(unknownFields).toEqual([]);
		expect(items).toEqual([{ ...ids, status: 'running', data: {} }]);
	});

	it('keep names that JavaScript knows, and the data of a step that is no table', () => {
		const steps = JSON.parse('[{"step_name": "s", "data": [{"__proto__": 1, "a": 2}, 3]}, {"step_name": "text", "data": {"text": "none"}}]') as Json[];
		const json = onlyItem({ steps: [...steps, step('t', [])] }, { output: 'selected', fields: ['__proto__', 'text'] });
		expect(JSON.stringify(json.data)).toBe('{"s":[{"__proto__":1},{}],"text":{"text":"none"}}');
		expect(json).not.toHaveProperty('fieldsNotFound');
	});
});
