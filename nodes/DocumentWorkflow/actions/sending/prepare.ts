import { EXTERNAL_ID } from '../../../../service/contract';
import { describeSkip, ruleOf, type SkippedFile } from '../../about';
import { skip } from '../../documents/alreadySent';
import type { Content } from '../../documents/body';
import type { InputDocument } from '../../documents/open';
import { repeatedIn, repeatedSizes, selectDocuments } from '../../documents/select';
import { errorAt, type Place } from '../../panel/options';
import { hintOfNoFiles } from '../../results/words/hints';
import { readContent } from '../fields/content';
import {
	readDocumentOptions,
	readFileUrls,
	readGroupBy,
	type SendOptions,
} from '../fields/sending';
import { readWorkflowId } from '../fields/ids';
import type { FailedJob, Session } from '../operation';
import { asFailure, failed, forEachItem } from '../operation';
import type { LabelSource } from './journal';

/** What one execution receives: documents of one or several input items, or addresses, and other content. */
export interface Submission<Settings = unknown> extends LabelSource {
	/** Unique within the run, and the same in each try of the node. */
	key: string;
	/** The fields of its files, when it does not have all files of its item. */
	fieldNames?: string[];
	skipped: SkippedFile[];
	content: Content;
	handling: SendOptions;
	/** The operation's other parameters, of the first item. */
	settings: Settings;
}

export type Preparation<Settings = unknown> = Submission<Settings> | FailedJob;

/** Reads what each item sends, and groups it as set in the panel. `readSettings` reads the operation's other parameters. */
export async function prepareSubmissions<T>(
	session: Session,
	readSettings: (place: Place) => T,
): Promise<Array<Preparation<T>>> {
	const { context } = session;
	const groupBy = readGroupBy(context);
	const sizes = groupBy === 'all' ? repeatedSizes(session.inputs) : undefined;
	const items = await forEachItem(session, async (place, job): Promise<Preparation<T>> => {
		const settings = readSettings(place);
		const item = { ...job, ...(await readSubmission(session, place, sizes)), settings };
		return groupBy === 'all' ? item : withoutRepeats(place, item);
	});
	if (items.every(hasNoFile)) context.addExecutionHints(hintOfNoFiles());
	if (groupBy === 'item') return items;
	if (groupBy === 'document')
		return items.flatMap<Preparation<T>>((each) => (isFailed(each) ? each : onePerDocument(each)));
	const place = { context, itemIndex: 0 };
	const whole = allTogether(session, items);
	return Promise.all(whole.map(async (all) => (isFailed(all) ? all : withoutRepeats(place, all))));
}

function isFailed(prepared: Preparation): prepared is FailedJob {
	return 'work' in prepared;
}

function hasNoFile(item: Preparation): boolean {
	if (isFailed(item) || item.handling.withoutDocuments !== 'skip') return false;
	return item.documents.length + item.fileUrls.length + item.skipped.length === 0;
}

async function readSubmission(
	{ connection }: Session,
	place: Place,
	sizes: ReadonlySet<number> | undefined,
): Promise<Omit<Submission, 'key' | 'itemIndexes' | 'settings'>> {
	const { context, itemIndex } = place;
	const { source, choice, handling: chosen } = readDocumentOptions(place);
	const handling: SendOptions =
		source === 'none' ? { ...chosen, withoutDocuments: 'send' } : chosen;
	const fileUrls = source === 'urls' ? readFileUrls(place) : [];
	const content = readContent(place, connection.fileAccess, fileUrls);
	const workflowId = readWorkflowId(place);
	const { documents, skipped } =
		source === 'files'
			? await selectDocuments(context, itemIndex, choice, sizes)
			: { documents: [], skipped: [] };
	const externalId = content.metadata[EXTERNAL_ID] ?? '';
	const about = { workflowId, ...(externalId !== '' && { externalId }) };
	return { workflowId, about, documents, fileUrls, skipped, content, handling };
}

/** One submission of all items. When one cannot be sent, none is, because the execution would lack its documents. */
export function allTogether<T>(
	{ context }: Pick<Session, 'context'>,
	items: Array<Preparation<T>>,
): Array<Preparation<T>> {
	const all = { key: 'all', itemIndexes: items.map((_item, itemIndex) => itemIndex) };
	const fault = items.find(isFailed);
	if (fault !== undefined) {
		const { error } = fault.work;
		const where = `This error is in item ${fault.itemIndexes[0]}. Nothing was sent, because all items belong to one execution`;
		error.description = [error.description, where].filter(Boolean).join('. ');
		return [{ ...all, work: fault.work }];
	}
	const submissions = items.filter((item): item is Submission<T> => !isFailed(item));
	const [first] = submissions;
	if (first === undefined) return [];
	const mark = ({ workflowId, content, handling }: Submission) =>
		JSON.stringify([workflowId, content, handling]);
	const markOfFirst = mark(first);
	const conflict = submissions.find((other) => mark(other) !== markOfFirst);
	if (conflict !== undefined) {
		const [itemIndex = 0] = conflict.itemIndexes;
		const message = `Items 0 and ${itemIndex} cannot be sent in one execution: their workflow, text inputs or options differ`;
		const advice =
			"Change 'Group Documents By', or use the same values for all items, e.g. the expression $input.first().json.id";
		return [{ ...all, work: failed({ context, itemIndex }, message, advice, {}) }];
	}
	const documents = submissions.flatMap((each) => each.documents);
	const fileUrls = [...new Set(submissions.flatMap((each) => each.fileUrls))];
	const skipped = submissions.flatMap((each) => each.skipped);
	return [{ ...first, ...all, documents, fileUrls, skipped }];
}

/** One submission per document, address and unusable file. The first also lists what was skipped for other reasons. */
export function onePerDocument<T>(whole: Submission<T>): Array<Submission<T>> {
	const { key, documents, fileUrls, skipped, handling } = whole;
	const isTextOnly = documents.length + fileUrls.length === 0;
	if (isTextOnly && handling.withoutDocuments === 'send') return [whole];
	const none = { ...whole, documents: [], fileUrls: [], skipped: [] };
	const part = (name: string | number, given: Partial<Submission<T>>): Submission<T> => ({
		...none,
		...given,
		key: `${key}/${name}`,
	});
	const goesOn: SendOptions = { ...handling, withoutDocuments: 'skip' };
	const [first, ...others] = [
		...documents.map((document) =>
			part(document.fieldName, { documents: [document], fieldNames: [document.fieldName] }),
		),
		...fileUrls.map((url, position) => part(position, { fileUrls: [url] })),
		...skipped
			.filter((file) => ruleOf(file).unusable)
			.map((file) => part(file.fieldName, { skipped: [file], handling: goesOn })),
	];
	if (first === undefined) return [whole];
	const usable = skipped.filter((file) => !ruleOf(file).unusable);
	return [{ ...first, skipped: [...usable, ...first.skipped] }, ...others];
}

/** Keeps each content once. Reads only documents of the same size. */
export async function withoutRepeated<T>(submission: Submission<T>): Promise<Submission<T>> {
	const repeated = repeatedIn(submission.documents.map(({ bytes }) => bytes));
	const seen = new Map<string, InputDocument>();
	const documents: InputDocument[] = [];
	const skipped = [...submission.skipped];
	for (const document of submission.documents) {
		const isRepeated = repeated.has(document.bytes);
		const content = isRepeated ? await document.hash() : document.reference;
		const same = seen.get(content);
		if (same === undefined) documents.push(document);
		else skipped.push(skip(document, { reason: 'duplicate', detail: same.fileName }));
		seen.set(content, same ?? document);
	}
	return { ...submission, documents, skipped };
}

/** Returns the submission without repeated documents. Fails when nothing is left to send. */
async function withoutRepeats<T>(place: Place, given: Submission<T>): Promise<Preparation<T>> {
	const { key, itemIndexes, workflowId } = given;
	try {
		const once = await withoutRepeated(given);
		failIfEmpty(place, once);
		return once;
	} catch (error) {
		return { key, itemIndexes, work: asFailure(place, error, { workflowId }) };
	}
}

/** @throws NodeOperationError when there is nothing to send, and that is not to be skipped */
function failIfEmpty(
	place: Place,
	{ documents, fileUrls, skipped, content, handling }: Submission,
): void {
	const { withoutDocuments } = handling;
	if (documents.length + fileUrls.length > 0 || withoutDocuments === 'skip') return;
	if (withoutDocuments === 'send') {
		if (Object.keys(content.textInputs).length > 0) return;
		throw errorAt(
			place,
			'Nothing to send: there is no document and no text input',
			"Add text inputs, or choose another source under 'Documents'",
		);
	}
	const reasons = skipped.map((file) => `${file.fileName}: ${describeSkip(file)}`);
	throw errorAt(
		place,
		'The item has no documents to send',
		reasons.length === 0
			? "The item has no files. Connect a node that outputs files, or change 'On No Documents' under 'Document Options'"
			: `Skipped: ${reasons.join('; ')}. Check 'Input Data Field Name' and 'Document Options'`,
	);
}
