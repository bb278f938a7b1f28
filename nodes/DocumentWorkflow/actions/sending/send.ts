import type { IDataObject } from 'n8n-workflow';

import type { Created } from '../../../../service/executions';
import { createExecution } from '../../../../service/executions';
import { time } from '../../connection/time';
import { AlreadySent } from '../../documents/alreadySent';
import { createBody } from '../../documents/body';
import { SentDocument } from '../../documents/sent';
import type { Failure, Job, Result, Session } from '../operation';
import { placeOf, refused } from '../operation';
import { mayHaveSentBefore, unlessSent } from './brokenOff';
import type { JobRecord, StartedCreate } from './journal';
import { failedUnknown, lostResponseOf, notSentAgain, warningOf } from './lostResponse';
import { isFailed, prepareSubmissions } from './prepare';
import type { Submission } from './submission';
import { aboutSent, hasNothingToSend, knownOf, labelOf } from './submission';

/** The result of sending: an execution, or an item that continues without one. */
export interface Sent extends Partial<StartedCreate> {
	/** Lists what was sent and what was not. */
	json: IDataObject;
}

/** The parts of sending that depend on the operation. */
interface SendSteps<T> {
	/** Reads the operation's other parameters of an item, at most once. */
	read: (itemIndex: number) => T;
	/** Runs after sending, such as a wait. */
	proceed: (sent: Sent, itemIndexes: number[], settings: T) => Promise<Result>;
}

interface Sender extends Session {
	alreadySent: AlreadySent;
	proceed: (sent: Sent, itemIndexes: number[]) => Promise<Result>;
}

/** Returns a job for each execution to start. */
export async function sendJobs<T>(session: Session, steps: SendSteps<T>): Promise<Job[]> {
	const known = new Map<number, T>();
	const settingsOf = (itemIndex: number) => {
		const settings = known.get(itemIndex) ?? steps.read(itemIndex);
		known.set(itemIndex, settings);
		return settings;
	};
	const sender: Sender = {
		...session,
		alreadySent: new AlreadySent(session.context, session.connection.pause),
		proceed: async (sent, itemIndexes) =>
			steps.proceed(sent, itemIndexes, settingsOf(itemIndexes[0] ?? 0)),
	};
	// After a pause nothing is sent, so no document is read: the first run has sent everything.
	if (session.earlier !== undefined)
		return session.earlier.map(({ key, itemIndexes, fieldNames, beside = {} }) => {
			const sent = session.journal.startedBy(key) ?? { json: beside };
			const work = async () => afterSending(sender, key, itemIndexes, sent);
			return { key, itemIndexes, fieldNames, work };
		});
	const prepared = await prepareSubmissions(session, settingsOf);
	const isUncertain = !session.journal.isContinued && mayHaveSentBefore(session.context);
	return prepared.map((each): Job => {
		const submission = isUncertain ? unlessSent(session, each) : each;
		if (isFailed(submission)) return submission;
		const { key, itemIndexes, fieldNames } = submission;
		const work = async () => {
			const sent = await send(sender, submission);
			return 'ok' in sent ? sent : afterSending(sender, key, itemIndexes, sent);
		};
		return { key, itemIndexes, fieldNames, work };
	});
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
async function send(sender: Sender, given: Submission): Promise<Sent | Failure> {
	const { context, journal, alreadySent } = sender;
	const { key, handling } = given;
	const place = placeOf(context, given);
	const label = labelOf(given);
	const earlier = journal.of(key, label.hash);
	if (earlier !== undefined) {
		const { execution, json = {}, remembered } = earlier;
		if (execution === undefined) return notSentAgain(place, label, earlier, knownOf(given));
		alreadySent.belongToThisRun(remembered);
		return { execution, json, remembered };
	}
	const claimed = await alreadySent.claim(given, handling.skipsSent);
	const { documents, remembered, maybeSent, done } = claimed;
	const skipped = [...given.skipped, ...claimed.skipped];
	const submission = { ...given, documents, skipped };
	const known = { ...knownOf(given), ...(skipped.length === 0 ? {} : { skipped }) };
	try {
		if (hasNothingToSend(submission)) {
			const about = aboutSent(submission, []);
			return { json: { ...knownOf(given), status: 'skipped', ...about } };
		}
		const record = journal.recordOf(key, label);
		const files = documents.map((document) => new SentDocument(document));
		const created = await create(sender, submission, files, record);
		if (created.outcome === 'refused') return refused(place, created.refusal, known);
		if (created.outcome === 'accepted') {
			const { execution } = created;
			const json = { ...aboutSent(submission, files), ...warningOf(maybeSent) };
			const started = { execution, json, remembered };
			record.accepted(started);
			return started;
		}
		record.unknown(lostResponseOf(created.refusal));
		return failedUnknown(place, label, created.refusal, known);
	} finally {
		const last = journal.of(key, label.hash);
		await done(last && (last.execution === undefined ? 'unknown' : 'accepted'));
	}
}

async function create(
	{ connection }: Sender,
	{ workflowId, fileUrls, content }: Submission,
	files: SentDocument[],
	record: JobRecord,
): Promise<Created> {
	const { createSettings } = connection;
	return createExecution(
		async (request) => connection.send(request, record),
		{ pause: connection.pause, now: time.now },
		{
			workflowId,
			body: createBody(files, fileUrls, content, createSettings),
			documents: files.length > 0 ? 'files' : fileUrls.length > 0 ? 'urls' : 'none',
			executionIdField: createSettings.executionIdField,
		},
	);
}
