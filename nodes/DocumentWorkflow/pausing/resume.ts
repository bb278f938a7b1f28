import type {
	IDataObject,
	IRunExecutionData,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';
import { isRecord } from '../../../service/contract';
import { messageOf } from '../../../service/text';
import { time } from '../time';
import { connect } from '../transport';
import { onceAnswered, rejectCall } from '../webhook';
import type { AwaitedId, State } from './awaited';
import { checkOnce, executionKey, openWaits } from './awaited';
import type { StoredPause } from './pause';
import { PAUSE, waitsOf } from './pause';

/**
 * What this process knows of pauses, from the calls of their resume addresses. It saves checks and second resumes, and may be lost at
 * any time.
 */
export interface CachedPause {
	/** Keys of executions that have ended. */
	ended: Set<string>;
	/** The pause counts as resumed until then, in milliseconds since 1970. */
	resumedUntil: number;
}

interface Entry {
	cached: CachedPause;
	/** The latest work for this pause. */
	last: Promise<unknown>;
}

const MAX_PAUSES = 1_000;

const entries = new Map<string, Entry>();

/** Runs work for one pause at a time, in order, so that simultaneous notifications resume it once. */
export async function inTurn<T>(
	pauseId: string,
	work: (cached: CachedPause) => Promise<T>,
): Promise<T> {
	const entry = entries.get(pauseId) ?? {
		cached: { ended: new Set(), resumedUntil: 0 },
		last: Promise.resolve(),
	};
	// Moved to the end: the first entry is the one unused for longest.
	entries.delete(pauseId);
	entries.set(pauseId, entry);
	const [oldest] = entries.keys();
	if (entries.size > MAX_PAUSES && oldest !== undefined) entries.delete(oldest);
	const turn = entry.last.then(async () => work(entry.cached));
	entry.last = turn.catch(() => undefined);
	return turn;
}

/**
 * This long before its next check no notification resumes a pause: the node checks by itself soon. n8n sets its timer for a pause up to
 * 70 s ahead, and n8n 1 does not cancel it when a call resumes the n8n execution: the nodes behind would run twice.
 */
const LEFT_TO_THE_CHECK_MILLISECONDS = 75_000;

/** Why a pause asks for another notification later. */
export const NOT_NOW = 'The service cannot be reached at the moment';

/** A pause counts as resumed for this long when the caller was gone before n8n answered. */
const CALLER_GONE_MILLISECONDS = 5 * 60_000;

/**
 * Answers a call of the resume address. The call itself is not trusted: it only says which execution to check first. When the service
 * says that all awaited executions have ended, n8n runs the node again at once. What the service refuses is left to the next check.
 */
export async function resume(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const pause = pausedIn(context);
	if (pause === undefined)
		return rejectCall(context, 409, 'This n8n execution does not wait for the document service');
	return inTurn(`${pause.execution} ${pause.checkAt}`, async (cached) => {
		if (cached.resumedUntil > time.now()) return { webhookResponse: { waiting: false } };
		if (pause.checkAt - time.now() < LEFT_TO_THE_CHECK_MILLISECONDS)
			return { webhookResponse: { waiting: true } };
		const state = await stateOfAwaited(context, pause, cached);
		if (state === 'unknown') return rejectCall(context, 503, NOT_NOW);
		if (state !== 'ended') return { webhookResponse: { waiting: true } };
		cached.resumedUntil = Infinity;
		// n8n answers when it has stored and started the run, possibly after a queue. If it fails, the pause continues.
		onceAnswered(context, (answer) => {
			if (answer === 'rejected') cached.resumedUntil = 0;
			if (answer === 'callerGone') cached.resumedUntil = time.now() + CALLER_GONE_MILLISECONDS;
		});
		// n8n passes on this empty list instead of the output of the node, and then runs the node again.
		return { workflowData: [[]], webhookResponse: { waiting: false } };
	});
}

/** The pause as n8n has stored it. n8n passes it to webhooks of paused nodes, although its types do not say so. */
function pausedIn(
	context: IWebhookFunctions & { runExecutionData?: IRunExecutionData | null },
): StoredPause | undefined {
	const { runExecutionData } = context;
	const node = context.getNode();
	const waiting = runExecutionData?.executionData?.nodeExecutionStack[0];
	if (!runExecutionData || waiting?.node.name !== node.name) return undefined;
	return NodeHelpers.getContext(runExecutionData, 'node', node)[PAUSE] as StoredPause | undefined;
}

async function stateOfAwaited(
	context: IWebhookFunctions,
	{ jobs }: StoredPause,
	cached: CachedPause,
): Promise<State> {
	try {
		const { send } = await connect(context, 1, () => undefined);
		const check = async (id: AwaitedId): Promise<State> => {
			const { state, isMissing } = await checkOnce(send, id);
			// The trigger has just found the execution that it reports.
			return isMissing === true && isNotified(id, context.getBodyData()) ? 'unknown' : state;
		};
		return await checkUntilRunning(openWaits(waitsOf(jobs)), cached, context.getBodyData(), check);
	} catch (error) {
		context.logger.warn(`A paused execution could not be checked: ${messageOf(error)}`);
		return 'unknown';
	}
}

/** Checks up to the first execution that runs: most calls cost one check, however many are awaited. */
async function checkUntilRunning(
	awaited: AwaitedId[],
	{ ended }: CachedPause,
	body: IDataObject,
	check: (id: AwaitedId) => Promise<State>,
): Promise<State> {
	const open = awaited.filter((id) => !ended.has(executionKey(id)));
	for (const id of notifiedFirst(open, body)) {
		const state = await check(id);
		if (state !== 'ended') return state;
		ended.add(executionKey(id));
	}
	return 'ended';
}

/** The execution of the notification, then the others from a random one on, because nobody knows which runs longest. */
function notifiedFirst(awaited: AwaitedId[], body: unknown): AwaitedId[] {
	const first = awaited.filter((id) => isNotified(id, body));
	const others = awaited.filter((id) => !isNotified(id, body));
	const start = Math.floor(Math.random() * others.length);
	return [...first, ...others.slice(start), ...others.slice(0, start)];
}

function isNotified({ workflowId, executionId }: AwaitedId, body: unknown): boolean {
	return isRecord(body) && body.workflowId === workflowId && body.executionId === executionId;
}
