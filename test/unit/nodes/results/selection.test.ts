import { onlyItem, POLICY, shaped, step } from './support';
import type { Json } from '../../../../service/contract';

const selected = async (fields: string[]) => onlyItem(POLICY, { output: 'selected', fields });
const ids = {
	...{ needsReview: false, toReview: null },
	...{ workflowId: 'w', executionId: 'e', status: 'completed' },
};

describe('Selected Fields', () => {
	it('are the named fields of any step, in their rows', async () => {
		expect(await selected(['paid', 'number'])).toEqual({
			...ids,
			data: { policy: [{ number: 'CPP-1' }], losses: [{ paid: 10 }, { paid: 20 }] },
		});
	});

	it('may be named with their step, or be a whole step', async () => {
		expect(await selected(['policy.premium', 'premium'])).toEqual({
			...ids,
			data: { policy: [{ premium: 1250 }] },
		});
		expect(await selected(['policy'])).toEqual({
			...ids,
			data: { policy: [{ number: 'CPP-1', premium: 1250 }] },
		});
	});

	it('stand in the order of Simplified, and come with what was sent', async () => {
		const fields = ['metadata', 'paid', 'confidence', 'total', 'documents'];
		const beside = { documents: [{ fileName: 'a.pdf' }] };
		const { items } = await shaped(POLICY, { output: 'selected', fields }, beside);
		expect(Object.keys(items[0] ?? {}).join(' ')).toBe(
			'data needsReview toReview confidence status metadata fieldsNotFound documents workflowId executionId',
		);
		expect(items[0]?.fieldsNotFound).toEqual(['total']);
	});

	it('may be fields of the item itself', async () => {
		expect(
			await onlyItem(POLICY, {
				output: 'selected',
				fields: ['lowestConfidence', 'metadata'],
				minimumConfidence: 0.5,
			}),
		).toEqual({
			...ids,
			needsReview: true,
			toReview: 'Check: policy: premium (42 %)',
			lowestConfidence: 0.42,
			metadata: { external_id: 'INV-1', team: 'north' },
			data: {},
		});
	});

	it('are all fields when none is named', async () => {
		expect(await selected([])).toEqual(await onlyItem(POLICY));
	});

	it('are found in a record instead of rows, which loses only its other fields', async () => {
		const steps: Json[] = [
			{ step_name: 's', data: { policy_number: 'P1', premium: 5 } },
			{ step_name: 'text', data: { text: 'none' } },
		];
		const json = await onlyItem(
			{ steps },
			{ output: 'selected', fields: ['policy_number', 's.premium'] },
		);
		expect(json).toEqual({ ...ids, data: { s: { policy_number: 'P1', premium: 5 } } });
		expect((await onlyItem({ steps }, { output: 'selected', fields: ['text.text'] })).data).toEqual(
			{
				text: { text: 'none' },
			},
		);
	});

	it('are found in a single row of plain values with declared fields, which is a row in all outputs', async () => {
		const steps = [
			{
				step_name: 's',
				data: {
					schema: { fields: [{ name: 'policy_number', type: 'string' }] },
					data: { policy_number: 'P1', premium: 5 },
					metadata: {},
				},
			},
		];
		expect(await onlyItem({ steps }, { output: 'selected', fields: ['policy_number'] })).toEqual({
			...ids,
			data: { s: [{ policy_number: 'P1' }] },
		});
		expect((await onlyItem({ steps })).data).toEqual({ s: [{ policy_number: 'P1', premium: 5 }] });
		expect(await onlyItem({ steps }, { output: 'rows' })).toMatchObject({
			policy_number: 'P1',
			premium: 5,
			step: 's',
			row: 1,
		});
	});

	it.each(['Policy No.', 'Loss Run.Policy No.', 'a.b', 'Loss Run.a.b', 'limit [EUR'])(
		'may have any name: %s',
		async (name) => {
			const field = name.replace('Loss Run.', '');
			const steps = [
				step('Loss Run', [{ 'Policy No.': 'P', 'a.b': 1, 'limit [EUR': 5 }]),
				step('a', [{ c: 2 }]),
			];
			const json = await onlyItem({ steps }, { output: 'selected', fields: [name] });
			expect(json).not.toHaveProperty('fieldsNotFound');
			expect(json.data).toEqual({ 'Loss Run': [{ [field]: expect.anything() as unknown }] });
		},
	);

	it('do not include a field that is called like the step in front of another field', async () => {
		const steps = [step('policy', [{ losses: 3, number: 'P' }]), step('losses', [{ paid: 10 }])];
		expect(
			(await onlyItem({ steps }, { output: 'selected', fields: ['losses.paid'] })).data,
		).toEqual({
			losses: [{ paid: 10 }],
		});
	});

	it('are found also where all of their step, or all data, is named too', async () => {
		expect(await selected(['policy', 'premium', 'policy.number'])).toEqual(
			await selected(['policy']),
		);
		expect(await selected(['data', 'policy', 'paid'])).toEqual({
			...ids,
			data: (await onlyItem(POLICY)).data,
		});
	});

	it('are named in the item when they do not exist', async () => {
		expect(await selected(['paid', 'policy.paid', 'total'])).toMatchObject({
			fieldsNotFound: ['policy.paid', 'total'],
			data: { losses: [{ paid: 10 }, { paid: 20 }] },
		});
	});

	it('are not reported as missing while the execution is running', async () => {
		const { items } = await shaped(
			{ status: 'running' },
			{ output: 'selected', fields: ['total'] },
		);
		const toReview = 'Still running';
		expect(items).toEqual([{ ...ids, needsReview: true, toReview, status: 'running', data: {} }]);
	});

	it('may have names such as __proto__, and may be in data that is no table', async () => {
		const steps = JSON.parse(
			'[{"step_name": "s", "data": [{"__proto__": 1, "a": 2}, 3]}, {"step_name": "text", "data": {"text": "none"}}]',
		) as Json[];
		const json = await onlyItem(
			{ steps: [...steps, step('t', [])] },
			{ output: 'selected', fields: ['__proto__', 'text'] },
		);
		expect(JSON.stringify(json.data)).toBe('{"s":[{"__proto__":1},{}],"text":{"text":"none"}}');
		expect(json).not.toHaveProperty('fieldsNotFound');
	});

	it.each(['data.policy[0].number', 'policy[0].number', '$json.metadata', 'metadata.team'])(
		'are no paths: %s',
		async (path) =>
			expect(await selected([path])).toMatchObject({ fieldsNotFound: [path], data: {} }),
	);
});
