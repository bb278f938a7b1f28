import type { IDataObject } from 'n8n-workflow';

import type { StartedExecution } from '../../../service/contract';
import type { Created } from '../../../service/executions';
import { createExecution, MAX_POSSIBLE } from '../../../service/executions';
import { AlreadySent } from '../documents/alreadySent';
import { createBody } from '../documents/body';
import { SentDocument } from '../documents/sent';
import type { Place } from '../panel/options';
import { time } from '../time';
import { refused } from './failures';
import type { JobPage, Known } from './journal';
import type { Failure, Job, Result, Session } from './operation';
import { isFailure, prepareSubmissions } from './prepare';
import type { Sending } from './sending';
import { sendingOf } from './sending';
import type { Submission } from './submission';
import { aboutSent, hashesIn, hasNothingToSend, knownOf } from './submission';
import type { KnownUnknown } from './unknown';
import { adviceFor, doubtOf, notKnown, notSentAgain, warningsOf } from './unknown';

/**
 * The result of sending: an execution, or an item that continues without one. `json` lists what was sent and what was not.
 */
export interface Sent {
	ok: true;
	execution: StartedExecution | undefined;
	json: IDataObject;
}

/** The parts of sending that depend on the operation. */
interface Additions {
	/** Reads the operation's other parameters of an item. */
	readMore: (itemIndex: number) => unknown;
	/** Runs after sending, such as a wait. */
	proceed: (sent: Sent, itemIndexes: number[]) => Promise<Result>;
}

/** Returns a job for each execution to start. */
export async function sendJobs(session: Session, operation: Additions): Promise<Job[]> {
	const { journal } = session;
	const proceed = async (sent: Sent, key: string, itemIndexes: number[]): Promise<Result> => {
		const result = await operation.proceed(sent, itemIndexes);
		if (!result.ok && result.hasFailed) journal.failed(key);
		return result;
	};
	// After a pause nothing is sent, so no document is read: the first run has sent everything.
	if (session.earlier !== undefined)
		return session.earlier.map(({ key, itemIndexes, fieldNames, beside = {} }): Job => {
			const earlier = journal.of(key);
			const sent = earlier?.kind === 'accepted' ? startedBefore(earlier) : withoutExecution(beside);
			return { key, itemIndexes, fieldNames, work: async () => proceed(sent, key, itemIndexes) };
		});
	const prepared = await prepareSubmissions(session, operation.readMore);
	const alreadySent = new AlreadySent(session.context, session.connection.pause);
	return prepared.map(({ key, itemIndexes, isPart, submission }): Job => {
		if (isFailure(submission)) return { key, itemIndexes, work: submission };
		const work = async () => {
			const sent = await send({ ...session, ...operation, alreadySent }, submission, key);
			return sent.ok ? proceed(sent, key, itemIndexes) : sent;
		};
		const fieldNames = isPart ? submission.documents.map(({ fieldName }) => fieldName) : undefined;
		return { key, itemIndexes, fieldNames, work };
	});
}

type Outcome = Sent | Failure;

type Sender = Session & Additions & { alreadySent: AlreadySent };

/** Sends a submission and records the answer, unless the journal shows that it must not be sent again. */
async function send(sender: Sender, given: Submission, job: string): Promise<Outcome> {
	const { journal, alreadySent } = sender;
	const sending = sendingOf(given);
	const earlier = journal.of(job, sending.sent);
	const settled = earlier && settledBefore(sender, given, sending, earlier);
	if (settled !== undefined) return settled;
	const failedBefore = earlier?.kind === 'failed' ? hashesIn(earlier.json) : undefined;
	const { submission, inDoubt, done } = await alreadySent.reduce(given, failedBefore);
	try {
		if (hasNothingToSend(submission))
			return withoutExecution({
				...knownOf(given),
				status: 'skipped',
				...aboutSent(submission, []),
			});
		const page = journal.page(job, sending);
		const files = submission.documents.map((document) => new SentDocument(document));
		const unknown = earlier?.kind === 'unknown' ? earlier : undefined;
		const created = await create(sender, submission, files, page, unknown?.possible ?? 0);
		const about = aboutSent(submission, files);
		if (created.outcome === 'accepted') {
			const json = { ...about, ...warningsOf(created.possible, inDoubt) };
			page.accepted(created.execution, json);
			return { ok: true, execution: created.execution, json };
		}
		return withoutAnswer(sender, { submission, sending, page, about, unknown }, created);
	} finally {
		await done(journal.of(job, sending.sent)?.kind);
	}
}

/** The outcome of an earlier try that must not be sent again; undefined when it must be sent. */
function settledBefore(
	session: Session,
	given: Submission,
	sending: Sending,
	earlier: Known,
): Outcome | undefined {
	if (earlier.kind === 'accepted') return startedBefore(earlier);
	if (earlier.kind === 'failed') return undefined;
	const { ifUnknown } = given.handling;
	const mayBeSent = earlier.isFinal !== true && earlier.possible < MAX_POSSIBLE;
	if (ifUnknown === 'again' && mayBeSent) return undefined;
	if (ifUnknown === 'mark') {
		const files = given.documents.map((document) => new SentDocument(document));
		return marked(given, earlier.possible, earlier.json ?? aboutSent(given, files));
	}
	return notSentAgain(placeOf(session, given), sending, earlier, knownOf(given));
}

function startedBefore({ execution, json = {} }: Known & { kind: 'accepted' }): Sent {
	return { ok: true, execution, json };
}

async function create(
	{ connection }: Sender,
	{ workflowId, fileUrls, content, handling }: Submission,
	files: SentDocument[],
	page: JobPage,
	possibleBefore: number,
): Promise<Created> {
	const { createSettings } = connection;
	return createExecution(
		async (request) => connection.send(request, page),
		{ pause: connection.pause, now: time.now },
		{
			workflowId,
			body: createBody(files, fileUrls, content, createSettings),
			documents: files.length > 0 ? 'files' : fileUrls.length > 0 ? 'urls' : 'none',
			possibleBefore,
			sendAgainIfUnknown: handling.ifUnknown === 'again',
			executionIdField: createSettings.executionIdField,
		},
	);
}

interface Sendings {
	submission: Submission;
	sending: Sending;
	page: JobPage;
	about: IDataObject;
	/** From an earlier try. */
	unknown: KnownUnknown | undefined;
}

/** Records a create that named no execution, and returns it for the output. */
function withoutAnswer(
	session: Session,
	{ submission, sending, page, about, unknown }: Sendings,
	created: Exclude<Created, { outcome: 'accepted' }>,
): Outcome {
	const { skipped, handling } = submission;
	const known = { ...knownOf(submission), ...(skipped.length === 0 ? {} : { skipped }) };
	const place = placeOf(session, submission);
	if (created.outcome === 'refused') return refused(place, created.refusal, known);
	const doubt = doubtOf(created, unknown);
	const why = { ...about, reason: doubt.cause.message };
	page.unknown(why, doubt);
	return handling.ifUnknown === 'mark'
		? marked(submission, created.possible, why)
		: notKnown(place, sending, created, doubt, known);
}

function placeOf({ context }: Session, { itemIndexes: [itemIndex = 0] }: Submission): Place {
	return { context, itemIndex };
}

function withoutExecution(json: IDataObject): Sent {
	return { ok: true, execution: undefined, json };
}

/** An item that continues although the outcome of its create is unknown. */
function marked(submission: Submission, possible: number, about: IDataObject): Sent {
	const unknown = { status: 'unknown', outcome: 'unknown', advice: adviceFor(possible) };
	return withoutExecution({ ...knownOf(submission), ...unknown, ...about });
}
