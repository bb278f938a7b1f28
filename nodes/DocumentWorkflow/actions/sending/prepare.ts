import type { InputDocument } from '../../documents/open';
import { contentHash } from '../../documents/open';
import { selectDocuments } from '../../documents/select';
import type { Place } from '../../panel/options';
import { errorAt } from '../../panel/options';
import { failIfStopped } from '../../connection/time';
import { asFailure, failed } from '../failures';
import { readContent } from '../fields/content';
import { readFileUrls, readGroupBy, readSource } from '../fields/documents';
import { readDocumentChoice } from '../fields/documentOptions';
import { readWorkflowId } from '../fields/ids';
import { readLostResponse } from '../fields/settings';
import type { Failure, Session } from '../operation';
import { forEachItem, inParallel } from '../perItem';
import type { Submission } from './submission';
import { allTogether, isUnusable, onePerDocument, withoutRepeated } from './submission';

/** One job: what to send, or why it cannot be sent. */
export interface Prepared {
	/** Unique within the run, and the same in each try of the node. */
	key: string;
	itemIndexes: number[];
	/** Whether it has only some of the documents of its item. */
	isPart: boolean;
	submission: Submission | Failure;
}

/**
 * Reads what each item sends, and groups it as set in the panel. Finds everything that makes an item fail before it is
 * sent. `readMore` reads the operation's other parameters of an item, which may fail too.
 */
export async function prepareSubmissions(
	session: Session,
	readMore: (itemIndex: number) => unknown,
): Promise<Prepared[]> {
	const { context } = session;
	const groupBy = readGroupBy(context);
	const items = await forEachItem(session, async (itemIndex) => {
		readMore(itemIndex);
		return readSubmission(session, { context, itemIndex });
	});
	if (items.length > 0 && items.every(hasNoFile))
		context.addExecutionHints({ message: NO_FILES, type: 'warning', location: 'outputPane' });
	const whole =
		groupBy === 'all'
			? groupAll(session, items)
			: items.map((submission, itemIndex): Prepared => {
					const [key, itemIndexes] = [String(itemIndex), [itemIndex]];
					return { key, itemIndexes, isPart: false, submission };
				});
	const prepared = await inParallel(whole, async (each) => ({
		...each,
		submission: await ready(session, each.submission),
	}));
	return groupBy === 'document' ? prepared.flatMap(partsOf) : prepared;
}

const NO_FILES =
	"No input item has a file. Connect a node that outputs files, such as a mail trigger, or choose another source under 'Documents'";

function hasNoFile(item: Submission | Failure): boolean {
	if (isFailure(item) || item.handling.withoutDocuments !== 'skip') return false;
	return item.documents.length + item.fileUrls.length + item.skipped.length === 0;
}

async function readSubmission(session: Session, place: Place): Promise<Submission> {
	const { context, itemIndex } = place;
	const source = readSource(context, itemIndex);
	const choice = readDocumentChoice(place);
	const { fileUrls, skipped } =
		source === 'urls' ? readFileUrls(context, itemIndex) : { fileUrls: [], skipped: [] };
	const submission: Submission = {
		itemIndexes: [itemIndex],
		content: readContent(place, session.connection.createSettings, fileUrls),
		workflowId: readWorkflowId(place),
		documents: [],
		fileUrls,
		skipped,
		hashes: new Map(),
		handling: {
			lostResponse: readLostResponse(place),
			sentMemory: choice.sentMemory,
			withoutDocuments: source === 'none' ? 'send' : choice.withoutDocuments,
		},
	};
	return source === 'files'
		? { ...submission, ...(await selectDocuments(context, itemIndex, choice)) }
		: submission;
}

/** The jobs of an item with one execution for each document. */
function partsOf(prepared: Prepared): Prepared[] {
	const { key, itemIndexes, submission: whole } = prepared;
	if (isFailure(whole)) return [prepared];
	return onePerDocument(whole).map((submission, position) => {
		const [file = submission.skipped.find(isUnusable)] = submission.documents;
		return { key: `${key}/${file?.fieldName ?? position}`, itemIndexes, isPart: true, submission };
	});
}

/** When one item cannot be sent, none is, because the execution would lack its documents. */
function groupAll({ context }: Session, items: Array<Submission | Failure>): Prepared[] {
	const itemIndexes = items.map((_item, itemIndex) => itemIndex);
	const all = (submission: Submission | Failure) => [
		{ key: 'all', itemIndexes, isPart: false, submission },
	];
	const failure = items.find(isFailure);
	if (failure !== undefined) return all(forAll(failure));
	const grouped = allTogether(items.filter((item): item is Submission => !isFailure(item)));
	if (grouped === undefined) return [];
	if ('together' in grouped) return all(grouped.together);
	const [other = 0] = grouped.conflict.itemIndexes;
	return all(
		failed(
			{ context, itemIndex: other },
			`Items 0 and ${other} cannot be sent in one execution: their workflow, text inputs or options differ`,
			"Change 'Group Documents By', or use the same values for all items, e.g. the expression $input.first().json.id",
			{},
		),
	);
}

/** The failure of one item, as that of the execution of all items. */
function forAll(failure: Failure): Failure {
	const { error } = failure;
	const itemIndex = JSON.stringify(error.context.itemIndex ?? 0);
	error.description = [
		error.description,
		`This error is in item ${itemIndex}. Nothing was sent, because all items belong to one execution`,
	]
		.filter(Boolean)
		.join('. ');
	return failure;
}

/** Returns the submission without repeated documents. Fails when nothing is left to send. */
async function ready(
	{ context }: Session,
	given: Submission | Failure,
): Promise<Submission | Failure> {
	if (isFailure(given)) return given;
	const place = { context, itemIndex: given.itemIndexes[0] ?? 0 };
	try {
		failIfStopped(context);
		const once = await withoutRepeated(given);
		const fault = nothingToSend(once);
		if (fault !== undefined) throw errorAt(place, fault.message, fault.advice);
		const isRemembered = given.handling.sentMemory !== 'off';
		return isRemembered ? { ...once, hashes: await hashesOf(once) } : once;
	} catch (error) {
		return asFailure(place, error, { workflowId: given.workflowId });
	}
}

/** Why a submission fails because it has nothing to send; undefined when it has, or is skipped. */
function nothingToSend({
	documents,
	fileUrls,
	skipped,
	content,
	handling,
}: Submission): { message: string; advice: string } | undefined {
	const { withoutDocuments } = handling;
	if (documents.length + fileUrls.length > 0 || withoutDocuments === 'skip') return undefined;
	if (withoutDocuments === 'send')
		return Object.keys(content.textInputs).length > 0
			? undefined
			: {
					message: 'Nothing to send: there is no document and no text input',
					advice:
						"Add text inputs. Or choose 'Files From Input' under 'Documents' and enter the field of the file in 'Input Data Field Name'",
				};
	const reasons = skipped.flatMap(({ fileName, reason }) =>
		typeof fileName === 'string' ? [`${fileName}: ${reason}`] : [],
	);
	return {
		message: 'The item has no documents to send',
		advice:
			reasons.length === 0
				? "The item has no files. Connect a node that outputs files, or change 'On No Documents' under 'Document Options'"
				: `Skipped: ${reasons.join('; ')}. Change 'Document Options' to send these documents`,
	};
}

async function hashesOf({ documents }: Submission): Promise<Submission['hashes']> {
	const hashes = new Map<InputDocument, string>();
	for (const document of documents) hashes.set(document, await contentHash(document));
	return hashes;
}

export function isFailure(prepared: object): prepared is Failure {
	return 'ok' in prepared;
}
