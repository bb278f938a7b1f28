import type {
	IDataObject,
	IExecuteData,
	INodeExecutionData,
	IRunExecutionData,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

import { isRecord } from '../../../service/contract';
import { getExecution } from '../../../service/executions';
import type { Reply } from '../../../service/http';
import { isPassing } from '../../../service/retry';
import { messageOf } from '../../../service/text';
import { time } from '../time';
import { connect } from '../transport';
import { onceAnswered, rejectCall } from '../webhook';
import type { AwaitedId, StoredPause } from './pause';
import { INPUT, PAUSE } from './pause';
import type { CachedPause } from './pauseCache';
import { executionKey, inTurn } from './pauseCache';

/**
 * This long before its time limit no notification resumes a pause. n8n sets its timer for a pause up to 70 s ahead, and n8n 1 does
 * not cancel it when a call resumes the n8n execution: the nodes behind would run twice.
 */
const LEFT_TO_THE_LIMIT_MILLISECONDS = 75_000;

/** Why a pause asks for another notification later. */
export const NOT_NOW = {
	unreadable: 'The service cannot be asked at the moment',
	nearLimit: 'The time limit of this n8n execution is about to be reached',
};

/** A pause counts as resumed for this long when the caller was gone before n8n answered. */
const CALLER_GONE_MILLISECONDS = 5 * 60_000;

/**
 * Answers a call of the resume address. The call itself is not trusted: it only says which execution to check first. When the service
 * says that all awaited executions have ended, n8n runs the node again with its stored input.
 */
export async function resume(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const paused = pausedIn(context);
	if (paused === undefined)
		return rejectCall(
			context,
			409,
			'This n8n execution does not wait for an execution of the service',
		);
	const { pause, waiting } = paused;
	return inTurn(pause.id, async (cached) => {
		if (cached.resumedUntil > time.now()) return { webhookResponse: { waiting: false } };
		const state = await stateOfAwaited(context, pause, cached);
		if (state === 'unknown') return rejectCall(context, 503, NOT_NOW.unreadable);
		if (state === 'running') return { webhookResponse: { waiting: true } };
		if (pause.until - time.now() < LEFT_TO_THE_LIMIT_MILLISECONDS)
			return rejectCall(context, 503, NOT_NOW.nearLimit);
		cached.resumedUntil = Infinity;
		// n8n answers when it has stored and started the run, possibly after a queue. If it fails, the pause continues.
		onceAnswered(context, (answer) => {
			if (answer === 'rejected') cached.resumedUntil = 0;
			if (answer === 'callerGone') cached.resumedUntil = time.now() + CALLER_GONE_MILLISECONDS;
		});
		const input = waiting.data[INPUT] as INodeExecutionData[][];
		delete waiting.data[INPUT];
		// n8n has disabled the node, and a disabled node only passes on its input.
		waiting.node.disabled = false;
		return { workflowData: input, webhookResponse: { waiting: false } };
	});
}

interface Paused {
	pause: StoredPause;
	waiting: IExecuteData;
}

/** The pause as n8n has stored it. n8n passes it to webhooks of paused nodes, although its types do not say so. */
function pausedIn(
	context: IWebhookFunctions & { runExecutionData?: IRunExecutionData | null },
): Paused | undefined {
	const { runExecutionData } = context;
	const waiting = runExecutionData?.executionData?.nodeExecutionStack[0];
	if (!runExecutionData || waiting?.data[INPUT] === undefined) return undefined;
	const pause = NodeHelpers.getContext(runExecutionData, 'node', context.getNode())[PAUSE] as
		StoredPause | undefined;
	return pause === undefined ? undefined : { pause, waiting };
}

type State = 'ended' | 'running' | 'unknown';

async function stateOfAwaited(
	context: IWebhookFunctions,
	{ awaited }: StoredPause,
	cached: CachedPause,
): Promise<State> {
	try {
		const { send } = await connect(context, 1, () => undefined);
		const check = async (id: AwaitedId): Promise<State> => {
			const found = await getExecution(send, id.workflowId, id.executionId);
			if (!found.ok)
				return stateOfReply(found.refusal.reply, isNotified(id, context.getBodyData()));
			return found.execution.phase === 'running' ? 'running' : 'ended';
		};
		return await checkUntilRunning(awaited, cached, context.getBodyData(), check);
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

/**
 * A final refusal counts as ended: the node reports it when it runs again. An unknown execution (404) may be yet to appear; the notified
 * one was known to the trigger just now, so its notification must come again.
 */
function stateOfReply(reply: Reply, isNotified: boolean): State {
	if (reply.kind !== 'answer' || reply.status < 400 || reply.status === 401 || isPassing(reply))
		return 'unknown';
	if (reply.status === 404) return isNotified ? 'unknown' : 'running';
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
