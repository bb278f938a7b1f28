import type { IExecuteFunctions } from 'n8n-workflow';

import type { JobResult, Result } from '../../../../nodes/DocumentWorkflow/actions/operation';
import { failShared } from '../../../../nodes/DocumentWorkflow/actions/output';
import type {
	Journal,
	StartedCreate,
} from '../../../../nodes/DocumentWorkflow/actions/sending/journal';
import { aboutSent, sentHashOf } from '../../../../nodes/DocumentWorkflow/actions/sending/send';
import { NO_CONTENT } from '../../../../nodes/DocumentWorkflow/documents/body';
import { SentDocument } from '../../../../nodes/DocumentWorkflow/documents/sent';
import { node } from '../../support/context';
import { documentOf, submissionOf } from '../../support/documents';

const context = { getNode: () => node } as unknown as IExecuteFunctions;

interface Given {
	/** The hashes of the files. */
	files?: string[];
	fileUrls?: string[];
	textInputs?: Record<string, string>;
	fileName?: string;
	workflowId?: string;
}

/** A create that was answered with an execution ID. */
function create(
	executionId: string,
	{ files = [], fileUrls = [], textInputs = {}, fileName = 'a.pdf', workflowId = 'w' }: Given,
): StartedCreate {
	const submission = submissionOf({ fileUrls, content: { ...NO_CONTENT, textInputs } });
	const sent = files.map((sha256) =>
		Object.assign(new SentDocument(documentOf(sha256, { fileName })), { sha256 }),
	);
	const execution = { workflowId, executionId, status: 'running' };
	const sentHash = sentHashOf(submission, sent);
	return { execution, about: { ...execution, ...aboutSent(submission, sent) }, sentHash };
}

/** `asked`: what an item that only asks for an execution says of it. */
function failSharedOf(
	given: Array<StartedCreate | { asked: StartedCreate['execution'] }>,
): Result[] {
	const all = given.map((each, index): JobResult => {
		const about = 'asked' in each ? each.asked : each.about;
		const work = async () => Promise.reject(new Error('not run'));
		const job = { key: `${index}`, itemIndexes: [index], work };
		return { job, result: { ok: true, items: [], about } };
	});
	const startedBy = (key: string) => {
		const each = given[Number(key)];
		return each && 'about' in each ? each : undefined;
	};
	return failShared(context, { startedBy } as Journal, all).map(({ result }) => result);
}

function outcomeOf(given: Parameters<typeof failSharedOf>[0]): string[] {
	return failSharedOf(given).map((result) =>
		result.ok
			? 'ok'
			: `${result.error.message} [${JSON.stringify(result.error.context.itemIndex)}]`,
	);
}

describe('Creates of one run that were answered with the same execution ID', () => {
	const SHARED = 'Other documents or text inputs of this run have the same execution ID: e-1';

	it('fail with what is known, and others go on', () => {
		const creates = ['aa', 'bb'].map((sha256) => create('e-1', { files: [sha256] }));
		expect(outcomeOf([...creates, create('e-2', { files: ['cc'] })])).toEqual([
			`${SHARED} [0]`,
			`${SHARED} [1]`,
			'ok',
		]);
		expect(failSharedOf(creates)[1]).toMatchObject({
			ok: false,
			about: { executionId: 'e-1', documents: [{ fileName: 'a.pdf', sha256: 'bb' }] },
		});
	});

	const ADDRESS = 'https://files.example.com/download?id=';

	it.each<[string, Given, Given]>([
		['the same bytes', { files: ['aa'] }, { files: ['aa'], fileName: 'b.pdf' }],
		['the same bytes in another order', { files: ['aa', 'bb'] }, { files: ['bb', 'aa'] }],
		['the same URLs', { fileUrls: [`${ADDRESS}1`] }, { fileUrls: [`${ADDRESS}1`] }],
		['the same text inputs', { textInputs: { a: '1' } }, { textInputs: { a: '1' } }],
		['other workflows', { files: ['aa'] }, { files: ['bb'], workflowId: 'v' }],
	])('go on where they have %s', (_what, one, other) => {
		expect(outcomeOf([create('e-1', one), create('e-1', other)])).toEqual(['ok', 'ok']);
	});

	it.each<[string, Given, Given]>([
		['other URLs', { fileUrls: [`${ADDRESS}1`] }, { fileUrls: ['https://files.example.com/b'] }],
		['URLs with another query', { fileUrls: [`${ADDRESS}1`] }, { fileUrls: [`${ADDRESS}2`] }],
		['other text inputs', { textInputs: { a: '1' } }, { textInputs: { a: '2' } }],
		[
			'the same bytes with other text inputs',
			{ files: ['aa'] },
			{ files: ['aa'], textInputs: { a: '1' } },
		],
	])('fail where they sent %s', (_what, one, other) => {
		expect(outcomeOf([create('e-1', one), create('e-1', other)])).toEqual([
			`${SHARED} [0]`,
			`${SHARED} [1]`,
		]);
	});

	it('do not concern an execution that two items only ask for', () => {
		const asked = { workflowId: 'w', executionId: 'e-1', status: 'completed' };
		expect(outcomeOf([{ asked }, { asked }, create('e-1', { files: ['aa'] })])).toEqual([
			'ok',
			'ok',
			'ok',
		]);
	});
});
