import type { IDataObject } from 'n8n-workflow';

import type { StartedExecution } from '../../../../service/contract';
import type { Created } from '../../../../service/executions';
import { createExecution, MAX_POSSIBLE } from '../../../../service/executions';
import type { Remembered } from '../../documents/alreadySent';
import { AlreadySent } from '../../documents/alreadySent';
import { createBody } from '../../documents/body';
import { SentDocument } from '../../documents/sent';
import { time } from '../../connection/time';
import { labelOf } from './createLabel';
import { failed, refused } from '../failures';
import type { JobRecord, StartedCreate, UnknownCreate } from './journal';
import { failedUnknown, lostResponseOf, notSentAgain, warningsOf } from './lostResponse';
import type { Failure, Job, Result, Session } from '../operation';
import { isFailure, prepareSubmissions } from './prepare';
import { mayHaveSentBefore } from './retried';
import type { Submission } from './submission';
import { aboutSent, hasNothingToSend, knownOf } from './submission';

/** The result of sending: an execution, or an item that continues without one. */
export interface Sent {
	ok: true;
	execution: StartedExecution | undefined;
	/** Lists what was sent and what was not. */
	json: IDataObject;
	/** The documents for Skip Already Sent. */
	remembered?: Remembered | undefined;
}

/** The parts of sending that depend on the operation. */
interface SendSteps {
	/** Reads the operation's other parameters of an item. */
	readMore: (itemIndex: number) => unknown;
	/** Runs after sending, such as a wait. */
	proceed: (sent: Sent, itemIndexes: number[]) => Promise<Result>;
}

interface Sender extends Session, SendSteps {
	alreadySent: AlreadySent;
}

/** Returns a job for each execution to start. */
export async function sendJobs(session: Session, steps: SendSteps): Promise<Job[]> {
	const alreadySent = new AlreadySent(session.context, session.connection.pause);
	const sender = { ...session, ...steps, alreadySent };
	// After a pause nothing is sent, so no document is read: the first run has sent everything.
	if (session.earlier !== undefined)
		return session.earlier.map(({ key, itemIndexes, fieldNames, beside = {} }) => {
			const started = session.journal.startedBy(key);
			const sent = started === undefined ? withoutExecution(beside) : withExecution(started);
			const work = async () => afterSending(sender, key, itemIndexes, sent);
			return { key, itemIndexes, fieldNames, work };
		});
	const prepared = await prepareSubmissions(session, steps.readMore);
	const isUncertain = !session.journal.isContinued && mayHaveSentBefore(session.context);
	return prepared.map(({ key, itemIndexes, isPart, submission: given }): Job => {
		const submission = isUncertain && !isFailure(given) ? unlessSent(session, given) : given;
		if (isFailure(submission)) return { key, itemIndexes, work: submission };
		const fieldNames = isPart ? submission.documents.map(({ fieldName }) => fieldName) : undefined;
		const work = async () => {
			const sent = await send(sender, submission, key);
			return sent.ok ? afterSending(sender, key, itemIndexes, sent) : sent;
		};
		return { key, itemIndexes, fieldNames, work };
	});
}

/** The failure of a submission that the service may already have; nothing else says whether it has. */
function unlessSent({ context }: Session, submission: Submission): Submission | Failure {
	if (hasNothingToSend(submission) || submission.handling.sentMemory !== 'off') return submission;
	return failed(
		{ context, itemIndex: submission.itemIndexes[0] ?? 0 },
		'Nothing was sent, because the documents may have been sent before n8n crashed',
		'This is a retry, and n8n has stored nothing of the run that crashed. Its log has a line for each document that was sent, with the ID of the n8n execution. To send all documents again, retry this n8n execution once more',
		knownOf(submission),
	);
}

/** Goes on as the operation does, and records for Skip Already Sent how that ends. */
async function afterSending(
	{ journal, alreadySent, proceed }: Sender,
	key: string,
	itemIndexes: number[],
	sent: Sent,
): Promise<Result> {
	const result = await proceed(sent, itemIndexes);
	if (result.hasFailed && journal.failed(key)) await alreadySent.write('forget', sent.remembered);
	if (!result.ok || result.hasFailed || result.about?.timedOut === true) return result;
	return { ...result, whenOutput: async () => alreadySent.write('cameOut', sent.remembered) };
}

/** Sends a submission, unless an earlier try has done so, or the service has all its documents. */
async function send(sender: Sender, given: Submission, job: string): Promise<Sent | Failure> {
	const { context, journal, alreadySent } = sender;
	const place = { context, itemIndex: given.itemIndexes[0] ?? 0 };
	const label = labelOf(given);
	const earlier = journal.of(job, label.hash);
	if (earlier?.kind === 'accepted') {
		alreadySent.belongToThisRun(earlier.remembered);
		return withExecution(earlier);
	}
	const lost = earlier?.kind === 'unknown' ? earlier : undefined;
	if (lost !== undefined && !maySendAgain(given, lost))
		return notSentAgain(place, label, lost, knownOf(given));
	const { submission, remembered, maybeSent, done } = await alreadySent.reduce(given);
	const { skipped } = submission;
	const known = { ...knownOf(given), ...(skipped.length === 0 ? {} : { skipped }) };
	try {
		if (hasNothingToSend(submission))
			return withoutExecution({
				...knownOf(given),
				status: 'skipped',
				...aboutSent(submission, []),
			});
		const record = journal.recordOf(job, label);
		const files = filesOf(submission);
		const created = await create(sender, submission, files, record, lost?.possible ?? 0);
		if (created.outcome === 'refused') return refused(place, created.refusal, known);
		if (created.outcome === 'accepted') {
			const { execution, possible } = created;
			const json = { ...aboutSent(submission, files), ...warningsOf(possible, maybeSent) };
			const started = { execution, json, remembered };
			record.accepted(started);
			return withExecution(started);
		}
		const response = lostResponseOf(created, lost);
		record.unknown(response);
		return failedUnknown(place, label, created, response, known);
	} finally {
		await done(journal.of(job, label.hash)?.kind);
	}
}

async function create(
	{ connection }: Sender,
	{ workflowId, fileUrls, content, handling }: Submission,
	files: SentDocument[],
	record: JobRecord,
	possibleBefore: number,
): Promise<Created> {
	const { createSettings } = connection;
	return createExecution(
		async (request) => connection.send(request, record),
		{ pause: connection.pause, now: time.now },
		{
			workflowId,
			body: createBody(files, fileUrls, content, createSettings),
			documents: files.length > 0 ? 'files' : fileUrls.length > 0 ? 'urls' : 'none',
			possibleBefore,
			sendAgainIfUnknown: handling.lostResponse === 'again',
			executionIdField: createSettings.executionIdField,
		},
	);
}

function maySendAgain({ handling }: Submission, { isFinal, possible }: UnknownCreate): boolean {
	return handling.lostResponse === 'again' && isFinal !== true && possible < MAX_POSSIBLE;
}

function withExecution(started: StartedCreate): Sent {
	return { ok: true, ...started };
}

function withoutExecution(json: IDataObject): Sent {
	return { ok: true, execution: undefined, json };
}

function filesOf({ documents }: Submission): SentDocument[] {
	return documents.map((document) => new SentDocument(document));
}
