import type { IDataObject } from 'n8n-workflow';

import { withoutValues } from '../../../credentials/createSettings';
import type { JsonRecord, StartedExecution } from '../../../service/contract';
import { EXTERNAL_ID, isRecord, REFERENCE } from '../../../service/contract';
import type { Created, Refusal } from '../../../service/executions';
import { createExecution } from '../../../service/executions';
import type { Send } from '../../../service/http';
import { outcomeOf } from '../../../service/retry';
import type { AlreadySent } from '../documents/alreadySent';
import { openAlreadySent, SENT_BEFORE } from '../documents/alreadySent';
import { jsonBody, multipartBody } from '../documents/body';
import { describeSent } from '../documents/describe';
import { shownAddress } from '../documents/addresses';
import { SentDocument } from '../documents/open';
import type { Submission } from '../documents/submission';
import { time } from '../time';
import { failed, notKnown, NOT_KNOWN, refused, unknownOutcome } from './failures';
import type { Failure, Job, Result, Session } from './operation';
import { markOf } from './starts';
import { prepareSubmissions } from './submissions';

/**
 * What became of a submission: an execution, or an item that goes on without one. `json` tells what was sent and what was not. `leadsBack`:
 * whether what is reported of the execution leads back to this n8n execution, and not to one that is retried.
 */
export type Started =
	| { ok: true; execution: StartedExecution | undefined; json: IDataObject; leadsBack: boolean }
	| Failure;

/** One job for each submission; `check` reads what else an item asks for, `proceed` says what is done with what was started. */
export async function startJobs(
	session: Session,
	check: (itemIndex: number) => void,
	proceed: (started: Started & { ok: true }, itemIndexes: number[]) => Promise<Result>,
): Promise<Job[]> {
	const prepared = await prepareSubmissions(session, check);
	const alreadySent = openAlreadySent(session.context, session.connection.pause);
	return prepared.map((each): Job => {
		if ('failure' in each)
			return {
				key: each.key,
				itemIndexes: each.itemIndexes,
				work: whatWasStarted(session, each) ?? each.failure,
			};
		const { key, submission } = each;
		const { itemIndexes, documents } = submission;
		const fieldNames = each.isPart ? documents.map(({ fieldName }) => fieldName) : undefined;
		const work = async () => {
			const started = await start(session, alreadySent, submission, key);
			return started.ok ? goOn(started, itemIndexes, key) : started;
		};
		return { key, itemIndexes, fieldNames, work };
	});

	async function goOn(
		started: Started & { ok: true },
		itemIndexes: number[],
		key: string,
	): Promise<Result> {
		const result = await proceed(started, itemIndexes);
		if (!result.ok && result.hasFailed) session.starts.failed(key);
		return result;
	}

	/** After a pause the documents may be gone, as what they became is not. */
	function whatWasStarted(
		{ starts, resumedUntil }: Session,
		{ key, itemIndexes }: { key: string; itemIndexes: number[] },
	): Job['work'] | undefined {
		const earlier = resumedUntil === undefined ? undefined : starts.of(key);
		return earlier?.kind === 'accepted'
			? async () => goOn({ ok: true, ...earlier, leadsBack: true }, itemIndexes, key)
			: undefined;
	}
}

/**
 * Sends a submission, and keeps what the service started. What an earlier try of Retry On Fail sent for this job is not sent
 * again: its execution is given.
 */
async function start(
	session: Session,
	alreadySent: AlreadySent,
	given: Submission,
	job: string,
): Promise<Started> {
	const { context, starts } = session;
	const [itemIndex = 0] = given.itemIndexes;
	const { workflowId, handling } = given;
	const known = knownOf(given);
	// An address may be signed anew for each try.
	const sent = markOf([
		workflowId,
		given.itemIndexes,
		given.fileUrls.map(shownAddress),
		given.documents.map(({ fileName, mediaType, reference }) => [fileName, mediaType, reference]),
	]);
	const earlier = starts.of(job, sent);
	if (earlier?.kind === 'accepted')
		return {
			ok: true,
			execution: earlier.execution,
			json: earlier.json,
			leadsBack: earlier.startedIn === context.getExecutionId(),
		};
	if (earlier?.kind === 'unknown' && handling.ifUnknown === 'mark') {
		const documents = given.documents.map((document) => new SentDocument(document));
		const about = earlier.json ?? {
			documents: describeSent(documents, given.fileUrls),
			skipped: given.skipped,
		};
		return withoutExecution({ ...known, ...MARKED, ...about });
	}
	if (earlier?.kind === 'unknown' && handling.ifUnknown === 'stop') {
		return failed(
			{ context, itemIndex },
			'An earlier try of this item ended without a known outcome',
			notKnown(known),
			{ ...known, outcome: 'unknown' },
		);
	}

	const { submission, done } = await alreadySent.reduce(
		given,
		contentsIn(starts.failedBefore(job, sent)),
	);
	let isAccepted = false;
	try {
		// What was not sent before a pause is not sent after it either.
		if (hasNothingToSend(submission) || session.resumedUntil !== undefined) {
			return withoutExecution({
				...known,
				status: 'skipped',
				documents: [],
				skipped: submission.skipped,
			});
		}
		const files = submission.documents.map((document) => new SentDocument(document));
		const kept = {
			itemIndex,
			sent,
			externalId: known.externalId === undefined ? '' : JSON.stringify(known.externalId),
		};
		const created = await create(session, submission, files, job, kept, earlier !== undefined);
		const about = () => ({
			documents: describeSent(files, submission.fileUrls),
			skipped: submission.skipped,
		});
		if (!created.ok) {
			const { refusal } = created;
			const { skipped } = submission;
			const knownNow = skipped.length === 0 ? known : { ...known, skipped };
			if (refusal.outcome !== 'unknown' && earlier === undefined)
				return refused({ context, itemIndex }, refusal, knownNow);
			if (handling.ifUnknown === 'mark') {
				starts.keep(job, { kind: 'unknown', workflowId, json: about(), ...kept });
				return withoutExecution({ ...known, ...MARKED, ...about() });
			}
			return unknownOutcome({ context, itemIndex }, refusal, knownNow);
		}
		const risked = created.risked + (earlier === undefined ? 0 : 1);
		const json = { ...about(), ...(risked > 0 ? { sentAgain: risked, warning: MAY_BE_TWO } : {}) };
		starts.keep(job, { kind: 'accepted', execution: created.execution, json, ...kept });
		// What n8n knows of this run is lost if it crashes now, but for its log.
		context.logger.info(
			`Execution ${created.execution.executionId} of workflow ${workflowId} was started`,
		);
		isAccepted = true;
		return { ok: true, execution: created.execution, json, leadsBack: true };
	} finally {
		await remember(session, done, isAccepted);
	}
}

/** Hashes of the documents that were sent. */
function contentsIn({ documents }: IDataObject = {}): ReadonlySet<unknown> {
	return new Set(
		Array.isArray(documents)
			? documents.map((document) => (isRecord(document) ? document.sha256 : undefined))
			: [],
	);
}

function withoutExecution(json: IDataObject): Started {
	return { ok: true, execution: undefined, json, leadsBack: false };
}

const MARKED = { status: 'unknown', outcome: 'unknown', advice: NOT_KNOWN };

const MAY_BE_TWO =
	'The outcome of an earlier sending was not known, and the documents were sent again: look into the dashboard for a second execution';

/** While a create is on its way, and when its answer is lost, it is kept as unknown. */
async function create(
	{ connection, starts, reference }: Session,
	{ workflowId, fileUrls, accompaniment: given, handling }: Submission,
	files: SentDocument[],
	job: string,
	kept: { itemIndex: number; sent: string; externalId: string },
	isUnknown: boolean,
): Promise<Created> {
	const { names, fileAccess } = connection.createSettings;
	const accompaniment =
		reference === undefined
			? given
			: { ...given, metadata: { ...given.metadata, [REFERENCE]: reference(workflowId) } };
	const body =
		fileUrls.length > 0
			? jsonBody(
					fileUrls,
					{ ...accompaniment, additional: { ...accompaniment.additional, ...fileAccess } },
					names,
				)
			: multipartBody(files, accompaniment, names);
	const onLeave = () => starts.keep(job, { kind: 'unknown', workflowId, ...kept });
	let mayHaveStarted = isUnknown;
	const send: Send = async (request) => {
		const reply = await connection.sendCreate({ ...request, onLeave });
		mayHaveStarted ||= outcomeOf(reply) !== 'refused';
		if (!mayHaveStarted) starts.forget(job);
		return reply;
	};
	try {
		const waiting = { pause: connection.pause, now: time.now };
		const created = await createExecution(send, waiting, {
			workflowId,
			body,
			sendAgainIfUnknown: handling.ifUnknown === 'again',
		});
		return created.ok
			? created
			: { ok: false, refusal: withoutFileAccess(created.refusal, fileAccess) };
	} finally {
		for (const file of files) file.close();
	}
}

/** What was accepted is accepted, whether or not n8n can remember its documents. */
async function remember(
	{ context }: Session,
	done: (isAccepted: boolean) => Promise<void>,
	isAccepted: boolean,
): Promise<void> {
	try {
		await done(isAccepted);
	} catch (error) {
		context.logger.warn(
			`n8n could not remember which documents were sent: ${error instanceof Error ? error.message : String(error)}`,
		);
	}
}

/** Filters, or what was sent before, have left nothing. Text inputs alone are sent only where that was asked for. */
function hasNothingToSend({ documents, fileUrls, skipped, handling }: Submission): boolean {
	if (documents.length + fileUrls.length > 0) return false;
	return (
		handling.withoutDocuments !== 'send' || skipped.some(({ reason }) => SENT_BEFORE.has(reason))
	);
}

/** The service may quote what was wrong with the fields that are kept as secret as the client secret. */
function withoutFileAccess(refusal: Refusal, fileAccess: JsonRecord): Refusal {
	const { message, advice } = refusal.words;
	return {
		...refusal,
		words: {
			message: withoutValues(message, fileAccess),
			advice: withoutValues(advice, fileAccess),
		},
	};
}

function knownOf({ workflowId, accompaniment }: Submission): IDataObject {
	const externalId = accompaniment.metadata[EXTERNAL_ID];
	return externalId === undefined ? { workflowId } : { workflowId, externalId };
}
