import type { IBinaryData, IDataObject, INodeExecutionData } from 'n8n-workflow';

import { type About, toJson } from '../../../../nodes/DocumentWorkflow/about';
import type { Connection } from '../../../../nodes/DocumentWorkflow/connection/connect';
import type {
	Output,
	OutputSettings,
} from '../../../../nodes/DocumentWorkflow/results/settings/settings';
import { itemOfInput, resultOf } from '../../../../nodes/DocumentWorkflow/results/items/result';
import { contextOf } from '../../support/context';
import type { Given } from './support';
import { executionOf, POLICY, settingsOf } from './support';

const file = (fileName: string): IBinaryData => ({
	data: 'filesystem-v2',
	mimeType: 'application/pdf',
	fileName,
});
const [A, B] = [file('a.pdf'), file('b.pdf')];
const INPUTS: INodeExecutionData[] = [
	{ json: { mail: 1 }, binary: { data: A } },
	{ json: { mail: 2 }, binary: { data: B } },
];
const BESIDE: IDataObject = { externalId: 'SENT' };
const IDS = { executionId: 'e', status: 'completed', workflowId: 'w' };

const choiceOf = (given: Given = {}, choice: Partial<OutputSettings> = {}): OutputSettings => ({
	...settingsOf(given),
	includeFiles: true,
	...choice,
});

const itemIn = (itemIndexes: number[], about: IDataObject, settings: OutputSettings) =>
	itemOfInput(INPUTS, itemIndexes, about, settings);

async function resultIn(
	body: Parameters<typeof executionOf>[0],
	choice: OutputSettings,
	itemIndexes = [1],
) {
	const connection: Pick<Connection, 'linkTo'> = { linkTo: (ids) => ids };
	const resultContext = { context: contextOf({}), connection, inputs: INPUTS };
	return resultOf(resultContext, itemIndexes, executionOf(body), choice, BESIDE);
}

const itemsIn = async (...given: Parameters<typeof resultIn>) => {
	const result = await resultIn(...given);
	if (!result.ok) throw result.error;
	return result.items;
};

describe('The items of a result', () => {
	it('have the files of the input item, where that is wanted', async () => {
		const rows = { output: 'rows' } as const;
		const items = await itemsIn(POLICY, choiceOf(rows));
		expect(items.map(({ binary }) => binary)).toEqual([{ data: B }, undefined, undefined]);
		const without = await itemsIn(POLICY, choiceOf(rows, { includeFiles: false }));
		expect(without.map(({ binary }) => binary)).toEqual([undefined, undefined, undefined]);
	});

	it('come with what is known of the execution, whatever the items show of it', async () => {
		const result = await resultIn(POLICY, choiceOf({ output: 'rows' }));
		expect(result).toMatchObject({ ok: true, about: { ...IDS, ...BESIDE } });
	});
});

describe('The item of input items without data to show', () => {
	const file = { itemIndex: 0, fieldName: 'data', fileName: 'a.pdf' };
	const about = { status: 'skipped', skipped: [{ ...file, reason: 'empty' }] } satisfies About;
	const toReview = 'Nothing was sent: a.pdf (it is empty)';
	const none = { step: null, row: null, fileName: null, executionId: null, executionUrl: null };
	const marks = { ...none, executionStatus: 'skipped', externalId: null };
	const withoutData = (output: Output, choice: Partial<OutputSettings> = {}, itemIndexes = [0]) =>
		itemIn(itemIndexes, about, choiceOf({ output }, choice));
	const row = (given: IDataObject, shaping: Given = {}) => {
		const choice = choiceOf({ output: 'rows', ...shaping }, { includeFiles: false });
		return itemIn([0], given, choice)[0]?.json;
	};

	it.each(['simplified', 'raw', 'selected'] as const)(
		'has what is known at its top level: %s',
		(output) => {
			expect(withoutData(output)).toEqual([
				{ json: { needsReview: false, toReview, ...toJson(about) }, binary: { data: A } },
			]);
		},
	);

	it('has the marks of a row among rows, and why it is none', () => {
		const json = { needsReview: false, toReview, ...marks, fileName: 'a.pdf' };
		expect(withoutData('rows')).toEqual([{ json, binary: { data: A } }]);
		expect(withoutData('rows', { includeFiles: false })).toEqual([{ json }]);
		expect(row(about, { includeDetails: true })).toEqual({
			...json,
			executionDetails: toJson(about),
		});
	});

	it.each<[string, IDataObject, string]>([
		['skipped', { status: 'skipped', skipped: [] }, 'Nothing was sent: there is no document'],
		[
			'not finished in time',
			{ message: 'No result after 1 hour: the execution is still running', timedOut: true },
			'No result after 1 hour: the execution is still running',
		],
		[
			'failed',
			{ message: 'It is too large', description: 'Send less' },
			'It is too large. Send less',
		],
		[
			'not read',
			{ dataNotRead: 'n8n could not store the report.' },
			'n8n could not store the report',
		],
	])('says in one text that it was %s', (_what, given, toReview) => {
		expect(row({ executionId: 'e', ...given })).toMatchObject({ toReview, executionId: 'e' });
	});

	it.each<[string, IDataObject, boolean]>([
		['is skipped for a harmless reason', { status: 'skipped' }, false],
		['has a file that could not be used', { status: 'skipped', needsReview: true }, true],
		['was not finished in time', { timedOut: true, needsReview: true }, true],
	])('says whether it needs review: one that %s', (_what, given, needsReview) => {
		const about = { ...given };
		delete about.needsReview;
		const json = { needsReview, toReview: row(given)?.toReview, ...about };
		expect(itemIn([0], given, choiceOf({}, { includeFiles: false }))).toEqual([{ json }]);
		expect(row(given)).toMatchObject({ ...none, needsReview });
	});

	it('is one item however many input items it is about', () => {
		expect(withoutData('simplified', {}, [0, 1])).toEqual([
			{ json: { needsReview: false, toReview, ...toJson(about) }, binary: { data: A, data_2: B } },
		]);
	});
});

describe('The item about a started execution', () => {
	const about = { ...IDS, status: 'running', documents: [{ itemIndex: 1, fieldName: 'data' }] };

	it('has the documents that were sent as its files', () => {
		expect(itemIn([0, 1], about, choiceOf())).toEqual([
			{ json: { needsReview: false, toReview: null, ...about }, binary: { data: B } },
		]);
	});
});
