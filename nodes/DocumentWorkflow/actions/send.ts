import type { IDataObject } from 'n8n-workflow';

import type { JsonRecord, StartedExecution } from '../../../service/contract';
import { REFERENCE } from '../../../service/contract';
import type { Created } from '../../../service/executions';
import { createExecution } from '../../../service/executions';
import { AlreadySent } from '../documents/alreadySent';
import { createBody } from '../documents/body';
import { SentDocument } from '../documents/sent';
import { time } from '../time';
import { failed, notKnown, NOT_KNOWN, notStarted } from './failures';
import type { JobPage, Known } from './journal';
import type { Failure, Job, Result, Session } from './operation';
import { isFailure, prepareSubmissions } from './prepare';
import type { Submission } from './submission';
import { aboutSent, hashesIn, hasNothingToSend, knownOf, sendingOf } from './submission';

/**
 * The result of sending: an execution, or an item that continues without one. `json` lists what was sent and what was not.
 * `resumesHere`: whether a notification resumes this n8n execution, and not an earlier one of which this is a retry.
 */
export interface Sent {
	ok: true;
	execution: StartedExecution | undefined;
	json: IDataObject;
	resumesHere: boolean;
}

/** The parts of sending that depend on the operation. */
interface Additions {
	/** Reads the operation's other parameters of an item. */
	readMore: (itemIndex: number) => unknown;
	/** Makes the sealed resume reference for a workflow; undefined when this run will not pause. */
	reference: ((workflowId: string) => string) | undefined;
	/** Runs after sending, such as a wait. */
	proceed: (sent: Sent, itemIndexes: number[]) => Promise<Result>;
}

/** Returns a job for each execution to start. */
export async function sendJobs(session: Session, operation: Additions): Promise<Job[]> {
	const { journal, resumedUntil } = session;
	const prepared = await prepareSubmissions(session, operation.readMore);
	const alreadySent = new AlreadySent(session.context, session.connection.pause);
	return prepared.map(({ key, itemIndexes, isPart, submission }): Job => {
		const proceed = async (sent: Sent): Promise<Result> => {
			const result = await operation.proceed(sent, itemIndexes);
			if (!result.ok && result.hasFailed) journal.failed(key);
			return result;
		};
		if (isFailure(submission)) {
			// After a pause the documents may be gone, but their execution exists.
			const earlier = resumedUntil === undefined ? undefined : journal.of(key);
			const work =
				earlier?.kind === 'accepted'
					? async () => proceed(startedBefore(session, earlier))
					: submission;
			return { key, itemIndexes, work };
		}
		const work = async () => {
			const sent = await send({ ...session, ...operation, alreadySent }, submission, key);
			return sent.ok ? proceed(sent) : sent;
		};
		const fieldNames = isPart ? submission.documents.map(({ fieldName }) => fieldName) : undefined;
		return { key, itemIndexes, fieldNames, work };
	});
}

type Outcome = Sent | Failure;

type Sender = Session & Additions & { alreadySent: AlreadySent };

/** Sends a submission and records the answer, unless the journal shows that it must not be sent again. */
async function send(sender: Sender, given: Submission, job: string): Promise<Outcome> {
	const { journal, alreadySent, resumedUntil } = sender;
	const sending = sendingOf(given);
	const earlier = journal.of(job, sending.sent);
	const settled = earlier && settledBefore(sender, given, earlier);
	if (settled !== undefined) return settled;
	const failedBefore = earlier?.kind === 'failed' ? hashesIn(earlier.json) : undefined;
	const { submission, done } = await alreadySent.reduce(given, failedBefore);
	let isAccepted = false;
	try {
		// After a pause nothing is sent: the first run has sent everything.
		if (hasNothingToSend(submission) || resumedUntil !== undefined)
			return withoutExecution({
				...knownOf(given),
				status: 'skipped',
				documents: [],
				skipped: submission.skipped,
			});
		const page = journal.page(job, sending);
		const files = submission.documents.map((document) => new SentDocument(document));
		const created = await create(sender, submission, files, page, earlier?.kind === 'unknown');
		isAccepted = created.outcome === 'accepted';
		return record(sender, submission, files, page, created);
	} finally {
		await done(isAccepted);
	}
}

/** The outcome of an earlier try that must not be sent again; undefined when it must be sent. */
function settledBefore(session: Session, given: Submission, earlier: Known): Outcome | undefined {
	if (earlier.kind === 'accepted') return startedBefore(session, earlier);
	if (earlier.kind === 'failed' || given.handling.ifUnknown === 'again') return undefined;
	if (given.handling.ifUnknown === 'mark') {
		const files = given.documents.map((document) => new SentDocument(document));
		return marked(given, earlier.json ?? aboutSent(given, files));
	}
	const known = knownOf(given);
	return failed(
		{ context: session.context, itemIndex: given.itemIndexes[0] ?? 0 },
		'An earlier try of this item ended without a known outcome',
		notKnown(known),
		{ ...known, outcome: 'unknown' },
	);
}

function startedBefore(
	{ context }: Session,
	{ execution, json = {}, n8nExecution }: Known & { kind: 'accepted' },
): Sent {
	return { ok: true, execution, json, resumesHere: n8nExecution === context.getExecutionId() };
}

async function create(
	{ connection, reference }: Sender,
	{ workflowId, fileUrls, content: given, handling }: Submission,
	files: SentDocument[],
	page: JobPage,
	isUnknown: boolean,
): Promise<Created> {
	const { createSettings } = connection;
	const own: JsonRecord = reference === undefined ? {} : { [REFERENCE]: reference(workflowId) };
	const content = { ...given, metadata: { ...given.metadata, ...own } };
	return createExecution(
		async (request) => connection.send(request, page),
		{ pause: connection.pause, now: time.now },
		{
			workflowId,
			body: createBody(files, fileUrls, content, createSettings),
			documents: files.length > 0 ? 'files' : fileUrls.length > 0 ? 'urls' : 'none',
			isUnknown,
			sendAgainIfUnknown: handling.ifUnknown === 'again',
		},
	);
}

/** Records the outcome of a create, and returns it for the output. */
function record(
	{ context }: Session,
	submission: Submission,
	files: SentDocument[],
	page: JobPage,
	created: Created,
): Outcome {
	const about = aboutSent(submission, files);
	if (created.outcome === 'accepted') {
		const { execution, possibleDuplicates } = created;
		const json =
			possibleDuplicates === 0
				? about
				: { ...about, sentAgain: possibleDuplicates, warning: POSSIBLE_DUPLICATE };
		page.accepted(execution, json);
		// If n8n crashes now, only its log shows what was started.
		const { executionId, workflowId } = execution;
		context.logger.info(`Execution ${executionId} of workflow ${workflowId} was started`);
		return { ok: true, execution, json, resumesHere: true };
	}
	const { skipped, handling } = submission;
	if (created.outcome === 'unknown' && handling.ifUnknown === 'mark') {
		page.unknown(about);
		return marked(submission, about);
	}
	const known = knownOf(submission);
	return notStarted(
		{ context, itemIndex: submission.itemIndexes[0] ?? 0 },
		created,
		skipped.length === 0 ? known : { ...known, skipped },
	);
}

const POSSIBLE_DUPLICATE =
	'The outcome of an earlier sending was not known, and the documents were sent again: look into the dashboard for a second execution';

function withoutExecution(json: IDataObject): Sent {
	return { ok: true, execution: undefined, json, resumesHere: false };
}

/** An item that continues although the outcome of its create is unknown. */
function marked(submission: Submission, about: IDataObject): Sent {
	const unknown = { status: 'unknown', outcome: 'unknown', advice: NOT_KNOWN };
	return withoutExecution({ ...knownOf(submission), ...unknown, ...about });
}
