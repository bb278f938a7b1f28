import {
	cell,
	executionOf,
	onlyItem,
	POLICY,
	rowDetails,
	shaped,
	shapingOf,
	step,
	shapeOf,
} from './support';
import { chooseSteps, uniquelyNamed } from '../../../../nodes/DocumentWorkflow/results/selection';
import type { Json, JsonRecord } from '../../../../service/contract';

const selected = (fields: string[]) => onlyItem(POLICY, { output: 'selected', fields });
const ids = {
	...{ needsReview: false, toReview: null },
	...{ workflowId: 'w', executionId: 'e', status: 'completed' },
};

describe('Step', () => {
	it('takes the first of two steps with its name, and the second by its number', () => {
		const steps = { steps: [step('policy', []), step('policy', []), step('losses', [])] };
		const rowsOf = (name: string) =>
			chooseSteps(uniquelyNamed(executionOf(steps).steps), [name]).chosen.map(
				({ name: unique }) => unique,
			);
		expect([rowsOf('policy'), rowsOf('policy_2')]).toEqual([['policy'], ['policy_2']]);
	});
});

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

	it('come with what was sent, which is not extracted', () => {
		const { items } = shapeOf(
			executionOf(POLICY),
			shapingOf({ output: 'selected', fields: ['paid'] }),
			{
				documents: [{ fileName: 'a.pdf' }],
			},
		);
		expect(Object.keys(items[0] ?? {})).toEqual([
			'data',
			'needsReview',
			'toReview',
			'status',
			'documents',
			'workflowId',
			'executionId',
		]);
	});

	it('stand in the order of Simplified', () => {
		expect(Object.keys(selected(['metadata', 'paid', 'confidence', 'total']))).toEqual(
			'data needsReview toReview confidence status metadata fieldsNotFound workflowId executionId'.split(
				' ',
			),
		);
	});

	it('may be fields of the item itself', () => {
		expect(
			onlyItem(POLICY, {
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
		for (const path of ['data', '$json.data'])
			expect(selected([path, 'paid']).data).toEqual(onlyItem(POLICY).data);
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

	it('are found in a single row of plain values with declared fields, which is a row in all outputs', () => {
		const steps = [
			{
				step_name: 's',
				data: {
					schema: { policy_number: 'string' },
					data: { policy_number: 'P1', premium: 5 },
					metadata: {},
				},
			},
		];
		expect(onlyItem({ steps }, { output: 'selected', fields: ['policy_number'] })).toEqual({
			...ids,
			data: { s: [{ policy_number: 'P1' }] },
		});
		expect(onlyItem({ steps }).data).toEqual({ s: [{ policy_number: 'P1', premium: 5 }] });
		expect(onlyItem({ steps }, { output: 'rows' })).toMatchObject({
			policy_number: 'P1',
			premium: 5,
			step: 's',
			row: 1,
		});
	});

	it.each(['Policy No.', 'Loss Run.Policy No.', 'a.b', 'Loss Run.a.b', 'limit [EUR'])(
		'may have names that are no path: %s',
		(name) => {
			const field = name.replace('Loss Run.', '');
			const steps = [
				step('Loss Run', [{ 'Policy No.': 'P', 'a.b': 1, 'limit [EUR': 5 }]),
				step('a', [{ c: 2 }]),
			];
			const json = onlyItem({ steps }, { output: 'selected', fields: [name] });
			expect(json).not.toHaveProperty('fieldsNotFound');
			expect(json.data).toEqual({ 'Loss Run': [{ [field]: expect.anything() as unknown }] });
		},
	);

	it('do not include a field that is called like the step in front of another field', () => {
		const steps = [step('policy', [{ losses: 3, number: 'P' }]), step('losses', [{ paid: 10 }])];
		expect(onlyItem({ steps }, { output: 'selected', fields: ['losses.paid'] }).data).toEqual({
			losses: [{ paid: 10 }],
		});
	});

	it('are named in the item when they do not exist', () => {
		expect(selected(['paid', 'policy.paid', 'total'])).toMatchObject({
			fieldsNotFound: ['policy.paid', 'total'],
			data: { losses: [{ paid: 10 }, { paid: 20 }] },
		});
	});

	it('are not reported as missing while the execution is running', () => {
		const { items } = shaped({ status: 'running' }, { output: 'selected', fields: ['total'] });
		const toReview = 'The execution is not finished. Its status is "running"';
		expect(items).toEqual([{ ...ids, needsReview: true, toReview, status: 'running', data: {} }]);
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

	it.each([
		['data.policy[0].number', 'policy', 'number'],
		['policy[0].number', 'policy', 'number'],
		['$json.data.policy[0].number', 'policy', 'number'],
		['data.losses[1].paid', 'losses', 'paid'],
		['data["losses"][1]["paid"]', 'losses', 'paid'],
	])('may be a path as the output shows it, which then stays valid: %s', (path, name, field) => {
		const json = selected([path]);
		expect(json).not.toHaveProperty('fieldsNotFound');
		const rows = (onlyItem(POLICY).data as Record<string, JsonRecord[]>)[name] ?? [];
		expect(json.data).toEqual({ [name]: rows.map((row) => ({ [field]: row[field] })) });
	});

	it('may be each path in lowConfidenceFields, with the whole field in which it is', () => {
		const table = cell([{ paid: cell(1, 0.1), note: cell('x', 0.9) }], 0.2);
		const steps = [
			step('Loss Run', [{ 'Policy No.': cell('P', 0.1), 'a.b': cell(1, 0.1), table }]),
		];
		for (const output of ['simplified', 'rows'] as const) {
			const shaping = { minimumConfidence: 0.5 };
			const item =
				output === 'rows' ? rowDetails({ steps }, shaping)[0] : onlyItem({ steps }, shaping);
			const paths = (item?.lowConfidenceFields as Array<{ field: string }>).map(
				({ field }) => field,
			);
			expect(paths).toHaveLength(4);
			for (const path of paths) {
				const json = onlyItem({ steps }, { output: 'selected', fields: [path] });
				expect(json).not.toHaveProperty('fieldsNotFound');
				expect(Object.keys((json.data as JsonRecord)['Loss Run']?.[0 as never] ?? {})).toHaveLength(
					1,
				);
			}
		}
	});

	it('may be within a field of the item', () => {
		expect(selected(['metadata.team', 'confidence.policy[0].number'])).toEqual({
			...ids,
			confidence: onlyItem(POLICY).confidence,
			metadata: { external_id: 'INV-1', team: 'north' },
			data: {},
		});
	});

	it('are missing where a path names a field of another step', () => {
		expect(selected(['data.policy[0].paid']).fieldsNotFound).toEqual(['data.policy[0].paid']);
	});
});
