import type { IExecuteFunctions } from 'n8n-workflow';

import { saidBy } from '../../../../service/errors';
import { createExecution, type Refusal } from '../../../../service/executions';
import { meaningOfStatus } from '../../../../service/status';
import { plainText, withoutTags } from '../../../../service/text';
import { time } from '../../connection/time';
import { type About, isMissingInData, ruleOf, withoutUndefined } from '../../about';
import { AlreadySent, type Claim } from '../../documents/alreadySent';
import { createBody } from '../../documents/body';
import { describeSent, SentDocument } from '../../documents/sent';
import type { Place } from '../../panel/options';
import type { Failure, Job, Result, Session } from '../operation';
import { failed, placeOf, refused } from '../operation';
import { mayHaveSentBefore } from './brokenOff';
import { type CreateLabel, hashOf, labelCreate, type StartedCreate } from './journal';
import { type Preparation, prepareSubmissions, type Submission } from './prepare';

/** The result of sending: an execution, or an item that continues without one. */
export type Sent = Partial<StartedCreate> & Pick<StartedCreate, 'about'>;

interface Sender<Settings> extends Session {
	alreadySent: AlreadySent;
	/** Goes on after sending as the operation does, such as with a wait. */
	proceed: (sent: Sent, itemIndexes: number[], settings: Settings) => Promise<Result>;
}

/** Plans an operation that sends documents. `readSettings` reads its other parameters, of each item once. */
export async function sendJobs<T>(
	session: Session,
	readSettings: (place: Place) => T,
	proceed: Sender<T>['proceed'],
): Promise<Job[]> {
	const { context, connection, journal } = session;
	const { earlier } = session.pause;
	const alreadySent = new AlreadySent(context, connection.pause);
	const sender: Sender<T> = { ...session, alreadySent, proceed };
	// After a pause nothing is sent, so no document is read: the first run has sent everything.
	if (earlier !== undefined)
		return earlier.jobs.map((job) => ({
			...job,
			work: async () => {
				const sent = journal.startedBy(job.key) ?? { about: job.about ?? {} };
				return afterSending(sender, job.itemIndexes, sent, readSettings(placeOf(context, job)));
			},
		}));
	const prepared = await prepareSubmissions(session, readSettings);
	const isUncertain = !journal.isBegun() && mayHaveSentBefore(context);
	return prepared.map((each): Job => {
		const submission = isUncertain ? unlessSent(context, each) : each;
		if ('work' in submission) return submission;
		const { key, itemIndexes, fieldNames, settings } = submission;
		const work = async () => {
			const sent = await send(sender, submission);
			return 'ok' in sent ? sent : afterSending(sender, itemIndexes, sent, settings);
		};
		return { key, itemIndexes, fieldNames, work };
	});
}

/** The failure of a submission that the service may already have; nothing else says whether it has. */
function unlessSent<T>(context: IExecuteFunctions, prepared: Preparation<T>): Preparation<T> {
	if ('work' in prepared || hasNothingToSend(prepared) || prepared.handling.skipsSent)
		return prepared;
	const { key, itemIndexes, fieldNames, about } = prepared;
	const work = failed(
		placeOf(context, prepared),
		'Nothing was sent, because the documents may have been sent before n8n crashed',
		'This is a retry, and n8n has no record of what the crashed run sent. The log of your n8n server has a line "Sending to workflow …" for each request of that run, with the ID of its n8n execution and the first file names. To send all documents again, retry this n8n execution once more',
		about,
	);
	return { key, itemIndexes, fieldNames, work };
}

/** Goes on as the operation does, and records for Skip Already Sent how that ends. */
async function afterSending<T>(
	{ alreadySent, proceed }: Sender<T>,
	itemIndexes: number[],
	{ remembered, ...sent }: Sent,
	settings: T,
): Promise<Result> {
	const result = await proceed(sent, itemIndexes, settings);
	if (remembered === undefined || !result.ok) return result;
	const { status = '', timedOut, held } = result.about;
	if (timedOut === true || held === true) return result;
	const event = meaningOfStatus(status) === 'failed' ? 'forget' : 'cameOut';
	return { ...result, whenOutput: async () => alreadySent.write(event, remembered) };
}

/** Sends a submission, unless an earlier try has done so, or the service has all its documents. */
async function send(
	sender: Omit<Sender<unknown>, 'proceed'>,
	given: Submission,
): Promise<Sent | Failure> {
	const { context, journal, alreadySent } = sender;
	const { key, handling } = given;
	const place = placeOf(context, given);
	const label = labelCreate(given);
	const fileName = withoutTags(label.files);
	const aboutFiles = { ...given.about, ...(fileName !== '' && { fileName }) };
	const earlier = journal.of(key, label.hash);
	if (earlier !== undefined) {
		const { started, cause = NO_ANSWER } = earlier;
		if (started === undefined) {
			const { message, advice: note } = cause;
			const advice = adviceOn(label, note, NOT_AGAIN);
			return failed(place, message, advice, { ...aboutFiles, outcome: 'unknown' });
		}
		if (started.remembered !== undefined) alreadySent.belongToThisRun(started.remembered);
		return started;
	}
	const claim: Partial<Claim> = handling.skipsSent ? await alreadySent.claim(given) : {};
	const { documents = given.documents, skipped: sentBefore = [], remembered, maybeSent } = claim;
	const skipped = [...given.skipped, ...sentBefore];
	const submission = { ...given, documents, skipped };
	const aboutFailed = { ...aboutFiles, ...(skipped.length > 0 && { skipped }) };
	try {
		if (hasNothingToSend(submission)) {
			const wasSent = skipped.some((file) => ruleOf(file).wasSent);
			const review = wasSent ? {} : { needsReview: true };
			const about = { ...aboutSent(submission, []), ...review };
			return { about: { ...given.about, status: 'skipped', ...about } };
		}
		const record = journal.recordOf(key, label);
		const files = documents.map((document) => new SentDocument(document));
		const { send: sendRequest, pause, fileAccess, linkTo } = sender.connection;
		const kind = files.length > 0 ? 'files' : given.fileUrls.length > 0 ? 'urls' : 'none';
		const body = createBody(files, given.fileUrls, given.content, fileAccess);
		const request = { workflowId: given.workflowId, body, documents: kind, record } as const;
		const created = await createExecution(sendRequest, { pause, now: time.now }, request);
		if (created.outcome === 'refused') return refused(place, created.refusal, aboutFailed);
		if (created.outcome === 'accepted') {
			const execution = linkTo(created.execution);
			const about = { ...aboutSent(submission, files), ...warningOf(maybeSent) };
			const sentHash = sentHashOf(submission, files);
			const started = { execution, about, sentHash, remembered };
			record.accepted(started);
			return started;
		}
		const { fault, reply } = created.refusal;
		const note = noteOf(created.refusal);
		record.unknown({ message: fault.message, advice: note });
		const advice = adviceOn(label, note);
		return refused(
			place,
			{ fault: { ...fault, advice }, reply },
			{ ...aboutFailed, outcome: 'unknown' },
		);
	} finally {
		const last = journal.of(key, label.hash);
		await claim.done?.(last && (last.started === undefined ? 'unknown' : 'accepted'));
	}
}

/** Whether filters or earlier sendings left nothing. Text inputs alone are sent only if the panel says so. */
function hasNothingToSend({ documents, fileUrls, skipped, handling }: Submission): boolean {
	if (documents.length + fileUrls.length > 0) return false;
	return handling.withoutDocuments !== 'send' || skipped.some((file) => ruleOf(file).wasSent);
}

export function aboutSent(submission: Submission, files: SentDocument[]): About {
	const { fileUrls, skipped } = submission;
	const documents = describeSent(files, fileUrls);
	const needsReview = skipped.some(isMissingInData) ? true : undefined;
	const { externalId } = submission.about;
	return withoutUndefined({ externalId, documents, skipped, needsReview });
}

/** Whole addresses count: behind another query there may be another document. */
export function sentHashOf({ fileUrls, content }: Submission, files: SentDocument[]): string {
	return hashOf([[...fileUrls, ...files.map(({ sha256 }) => sha256)].sort(), content.textInputs]);
}

const NO_ANSWER = { message: 'An earlier attempt for this item got no response', advice: '' };
const NOT_AGAIN = 'This happened in an earlier attempt. Nothing was sent again';

/** What the service said. The advice for errors is to try again, which is wrong here. */
function noteOf({ fault, reply }: Refusal): string {
	return reply.kind === 'answer' && reply.status < 400 ? fault.advice : saidBy(reply);
}

/** What the item says when an earlier n8n execution may have sent some of its documents. */
function warningOf(maybeSent: string[] = []): About {
	if (maybeSent.length === 0) return {};
	const names = maybeSent.map((name) => plainText(name)).join(', ');
	return {
		sentAgain: true,
		needsReview: true,
		warning: `An earlier n8n execution may also have sent ${names}. Check the dashboard of the service for a second execution. The log of n8n has the ID of the earlier n8n execution`,
	};
}

/** What to do when it is unknown whether a create has started an execution: it names what to search for in the dashboard. */
function adviceOn({ files, workflowId, externalId }: CreateLabel, ...more: string[]): string {
	return [
		'It is unknown whether an execution was started: check the dashboard of the service before you send these documents again',
		files && `Documents: ${files}`,
		`Workflow: ${plainText(workflowId)}`,
		externalId && `External ID: ${externalId}`,
		...more,
	]
		.filter(Boolean)
		.join('. ');
}
