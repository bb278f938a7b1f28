import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { JobResult, Result } from '../../../../nodes/DocumentWorkflow/actions/operation';
import { failShared } from '../../../../nodes/DocumentWorkflow/actions/output';
import { node } from '../../support/context';

const context = { getNode: () => node } as unknown as IExecuteFunctions;
const document = (sha256: string, fileName = 'a.pdf') => ({ fileName, sha256, itemIndex: 0 });
const sent = (executionId: string, documents: IDataObject[], workflowId = 'w'): Result => ({
	ok: true,
	items: [{ json: { executionId } }],
	about: { workflowId, executionId, documents },
});

function failSharedOf(results: Result[]): Result[] {
	const all = results.map((result, index): JobResult => {
		const work = async () => Promise.reject(new Error('not run'));
		return { job: { key: `${index}`, itemIndexes: [index], work }, result };
	});
	return failShared(context, all).map(({ result }) => result);
}

function outcomeOf(results: Result[]): string[] {
	return failSharedOf(results).map((result) =>
		result.ok
			? 'ok'
			: `${result.error.message} [${JSON.stringify(result.error.context.itemIndex)}]`,
	);
}

describe('Creates of one run that were answered with the same execution ID', () => {
	const SHARED = 'Other documents of this run have the same execution ID: e-1';

	it('fail with what is known where they sent other documents, and others go on', () => {
		const results = [sent('e-1', [document('aa')]), sent('e-1', [document('bb')])];
		expect(outcomeOf([...results, sent('e-2', [document('cc')])])).toEqual([
			`${SHARED} [0]`,
			`${SHARED} [1]`,
			'ok',
		]);
		expect(failSharedOf(results)[1]).toMatchObject({
			ok: false,
			about: { executionId: 'e-1', documents: [document('bb')] },
		});
	});

	it.each<[string, Result[]]>([
		['the same bytes', [sent('e-1', [document('aa')]), sent('e-1', [document('aa', 'b.pdf')])]],
		[
			'the same bytes in another order',
			[
				sent('e-1', [document('aa'), document('bb')]),
				sent('e-1', [document('bb'), document('aa')]),
			],
		],
		['the same URLs', [sent('e-1', [{ address: 'u' }]), sent('e-1', [{ address: 'u' }])]],
		['other workflows', [sent('e-1', [document('aa')]), sent('e-1', [document('bb')], 'v')]],
	])('go on where they have %s', (_what, results) => {
		expect(outcomeOf(results)).toEqual(['ok', 'ok']);
	});

	it('fail where they sent other URLs', () => {
		const results = [sent('e-1', [{ address: 'u' }]), sent('e-1', [{ address: 'v' }])];
		expect(outcomeOf(results)).toEqual([`${SHARED} [0]`, `${SHARED} [1]`]);
	});

	it('do not concern an execution that two items only ask for', () => {
		const asked: Result = { ok: true, items: [], about: { workflowId: 'w', executionId: 'e-1' } };
		expect(outcomeOf([asked, asked, sent('e-1', [document('aa')])])).toEqual(['ok', 'ok', 'ok']);
	});
});
