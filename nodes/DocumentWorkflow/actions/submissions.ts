import { NodeOperationError } from 'n8n-workflow';

import { asNodeError } from '../asNodeError';
import type { Choice } from '../documents/select';
import type { InputDocument } from '../documents/open';
import { contentHash } from '../documents/open';
import { selectDocuments } from '../documents/select';
import type { Submission } from '../documents/submission';
import { allTogether, onePerDocument, withoutRepeated } from '../documents/submission';
import { refuseIfStopped } from '../transport';
import type { OnePer, Source } from './fields/documents';
import { readFileUrls, readOnePer, readSource } from './fields/documents';
import { readChoice } from './fields/filters';
import { readWorkflowId } from './fields/ids';
import {
	readAdditionalFields,
	readIfUnknown,
	readMetadata,
	readSentMemory,
} from './fields/sending';
import { readTextInputs } from './fields/textInputs';
import { forEachItem } from './jobs';
import type { Failure, Session } from './operation';
import { inParallel, MOST_FILES } from './parallel';

/** `isPart`: it is one document of its item. */
interface ToBeSent {
	/** Tells it from the other submissions, the same in each try of the node. */
	key: string;
	submission: Submission;
	isPart: boolean;
}

/** What is to be sent for one job, or why it cannot be sent. */
export type PreparedSubmission =
	ToBeSent | { key: string; failure: Failure; itemIndexes: number[] };

/** Reads what the items are to send, and puts it together as the panel says; everything that is to be refused is refused here. */
export async function prepareSubmissions(
	session: Session,
	check: (itemIndex: number) => void,
): Promise<PreparedSubmission[]> {
	const onePer = readOnePer(session.context);
	const items = await forEachItem(session, async (itemIndex) => {
		check(itemIndex);
		return readSubmission(session, itemIndex);
	});
	const grouped =
		onePer === 'all'
			? groupAll(session, items)
			: items.flatMap((item, itemIndex) => groupItem(item, itemIndex, onePer));
	return inParallel(grouped, MOST_FILES, async (prepared) =>
		'submission' in prepared ? checked(session, prepared) : prepared,
	);
}

async function readSubmission(session: Session, itemIndex: number): Promise<Submission> {
	const { context } = session;
	const { names, fileAccess } = session.connection.createSettings;
	const source = readSource(context, itemIndex);
	const choice = readChoice(context, itemIndex);
	const additional = readAdditionalFields(
		context,
		itemIndex,
		Object.values<string>({ ...names }).concat(Object.keys(fileAccess)),
	);
	const submission: Submission = {
		itemIndexes: [itemIndex],
		workflowId: readWorkflowId(context, itemIndex),
		documents: [],
		...(source === 'urls' ? readFileUrls(context, itemIndex) : { fileUrls: [], skipped: [] }),
		contents: new Map(),
		accompaniment: {
			textInputs: readTextInputs(context, itemIndex),
			metadata: readMetadata(context, itemIndex),
			additional,
		},
		handling: {
			skipSameDocument: choice.skipSameDocument,
			withoutDocuments: withoutDocuments(source, choice),
			ifUnknown: readIfUnknown(context, itemIndex),
			sentMemory: readSentMemory(context, itemIndex),
		},
	};
	return source === 'files'
		? { ...submission, ...(await selectDocuments(context, itemIndex, choice)) }
		: submission;
}

/** Who asks for no files wants to send text inputs alone; where a filter left none, the item is skipped unless the panel says otherwise. */
function withoutDocuments(
	source: Source,
	{ patterns, withoutDocuments: chosen }: Choice,
): Submission['handling']['withoutDocuments'] {
	if (source === 'none') return 'send';
	if (chosen !== 'automatic') return chosen;
	return patterns.length === 0 ? 'send' : 'skip';
}

function groupItem(
	item: Submission | Failure,
	itemIndex: number,
	onePer: OnePer,
): PreparedSubmission[] {
	const key = String(itemIndex);
	if ('ok' in item) return [{ key, failure: item, itemIndexes: [itemIndex] }];
	if (onePer !== 'document') return [{ key, submission: item, isPart: false }];
	return onePerDocument(item).map((submission, position) => ({
		key: `${key}/${submission.documents[0]?.fieldName ?? position}`,
		submission,
		isPart: true,
	}));
}

/** One item that cannot be sent keeps the others back: the execution would lack its documents. */
function groupAll({ context }: Session, items: Array<Submission | Failure>): PreparedSubmission[] {
	const itemIndexes = items.map((_item, itemIndex) => itemIndex);
	const failure = items.find((item) => 'ok' in item);
	if (failure !== undefined) return [{ key: 'all', failure: forAll(failure), itemIndexes }];
	const grouped = allTogether(items.filter((item): item is Submission => !('ok' in item)));
	if (grouped === undefined) return [];
	if ('together' in grouped) return [{ key: 'all', submission: grouped.together, isPart: false }];
	const [other] = grouped.conflict.itemIndexes;
	const error = new NodeOperationError(
		context.getNode(),
		`Items 0 and ${other} cannot go into one execution: workflow, text inputs or options differ`,
		{
			itemIndex: other,
			description:
				"Choose another 'One Execution Per', or use values that are the same for all items, e.g. {{ $input.first().json.id }}",
		},
	);
	return [{ key: 'all', failure: { ok: false, error, json: {} }, itemIndexes }];
}

/** What one item lacks, said for the execution of all. */
function forAll(failure: Failure): Failure {
	const { error } = failure;
	const itemIndex = JSON.stringify(error.context.itemIndex ?? 0);
	error.description = [
		error.description,
		`This is about item ${itemIndex}. Nothing is sent, because all items go into one execution`,
	]
		.filter(Boolean)
		.join('. ');
	return failure;
}

/** Leaves out repeated documents, and refuses a submission that has nothing to send. */
async function checked(
	{ context }: Session,
	{ key, submission: given, isPart }: ToBeSent,
): Promise<PreparedSubmission> {
	const { itemIndexes } = given;
	const [itemIndex = 0] = itemIndexes;
	const refuse = (message: string, description: string): PreparedSubmission => {
		const error = new NodeOperationError(context.getNode(), message, { itemIndex, description });
		return {
			key,
			failure: { ok: false, error, json: { workflowId: given.workflowId } },
			itemIndexes,
		};
	};
	try {
		refuseIfStopped(context);
		const once = given.handling.skipSameDocument ? await withoutRepeated(given) : given;
		const submission =
			once.handling.sentMemory === 'off' ? once : { ...once, contents: await contentsOf(once) };
		if (submission.documents.length + submission.fileUrls.length > 0)
			return { key, submission, isPart };
		if (submission.handling.withoutDocuments === 'refuse') {
			const reasons = submission.skipped
				.flatMap(({ fileName, reason }) =>
					typeof fileName === 'string' ? [`${fileName}: ${reason}`] : [],
				)
				.join('; ');
			return refuse(
				'No document of the item is left to send',
				reasons === ''
					? "'Input Data Field Name' is empty and the item carries no files. Connect a node that outputs files, or choose something else for 'If No Document Is Left' under 'Filters and Checks'"
					: `What was left out: ${reasons}. Change 'Filters and Checks' if these documents are wanted`,
			);
		}
		if (
			submission.handling.withoutDocuments === 'send' &&
			Object.keys(submission.accompaniment.textInputs).length === 0
		) {
			return refuse(
				'There is nothing to send: no document and no text input',
				"Add text inputs; or choose 'Files From Input' under 'Documents', and enter the name of the field that holds the file in 'Input Data Field Name'",
			);
		}
		return { key, submission, isPart };
	} catch (error) {
		return {
			key,
			failure: { ok: false, error: asNodeError(context.getNode(), error, itemIndex), json: {} },
			itemIndexes,
		};
	}
}

async function contentsOf({ documents }: Submission): Promise<Submission['contents']> {
	const contents = new Map<InputDocument, string>();
	for (const document of documents) contents.set(document, await contentHash(document));
	return contents;
}
