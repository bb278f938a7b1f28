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
import { connect } from '../transport';
import { onceAnswered, refuseCall } from '../trigger/answers';
import type { AwaitedId, KeptPause } from './pause';
import { INPUT, PAUSE } from './pause';
import type { SeenPause } from './seen';
import { inTurn, keyOf } from './seen';

/**
 * So long before its time limit a pause is left to the limit. n8n sets its clock for a pause up to 70 s ahead, and n8n 1 then goes on
 * whether or not a call has made it go on meanwhile: what is behind the node would run twice.
 */
const LEFT_TO_THE_LIMIT_MILLISECONDS = 75_000;

/** Why a pause asks to be told again later. */
export const NOT_NOW = {
	unreadable: 'The service cannot be asked at the moment',
	nearLimit: 'The time limit of this n8n execution is about to be reached',
};

/** For so long an n8n execution counts as woken where nobody was there any more to hear whether it was. */
const WAKING_MILLISECONDS = 5 * 60_000;

/**
 * What a paused n8n execution answers when it is notified. It goes on as soon as all executions that it waits for have ended, of which it
 * makes sure itself: the call only says where to look first. To go on means that n8n runs the node again, with the input that it had.
 */
export async function resume(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const paused = pausedIn(context);
	if (paused === undefined)
		return refuseCall(
			context,
			409,
			'This n8n execution does not wait for an execution of the service',
		);
	const { kept, waiting } = paused;
	return inTurn(kept.id, async (seen) => {
		if (seen.wokenUntil > Date.now()) return { webhookResponse: { waiting: false } };
		const outcome = await whatIsAwaited(context, kept, seen);
		if (outcome === 'unknown') return refuseCall(context, 503, NOT_NOW.unreadable);
		if (outcome === 'running') return { webhookResponse: { waiting: true } };
		if (kept.until - Date.now() < LEFT_TO_THE_LIMIT_MILLISECONDS)
			return refuseCall(context, 503, NOT_NOW.nearLimit);
		seen.wokenUntil = Infinity;
		// n8n may keep it waiting for its turn; what it could not store, or start, it answers with another status, and then the pause goes on.
		onceAnswered(
			context,
			(answer) =>
				(seen.wokenUntil =
					answer === 'accepted'
						? Infinity
						: answer === 'refused'
							? 0
							: Date.now() + WAKING_MILLISECONDS),
		);
		const input = waiting.data[INPUT] as INodeExecutionData[][];
		delete waiting.data[INPUT];
		// n8n has disabled the node, so that it would let through what it is given.
		waiting.node.disabled = false;
		return { workflowData: input, webhookResponse: { waiting: false } };
	});
}

interface Paused {
	kept: KeptPause;
	waiting: IExecuteData;
}

/** The pause as n8n has stored it. n8n hands it to webhooks of paused nodes, though its types do not say so. */
function pausedIn(
	context: IWebhookFunctions & { runExecutionData?: IRunExecutionData | null },
): Paused | undefined {
	const { runExecutionData } = context;
	const waiting = runExecutionData?.executionData?.nodeExecutionStack[0];
	if (!runExecutionData || waiting?.data[INPUT] === undefined) return undefined;
	const kept = NodeHelpers.getContext(runExecutionData, 'node', context.getNode())[PAUSE] as
		KeptPause | undefined;
	return kept === undefined ? undefined : { kept, waiting };
}

type Outcome = 'ended' | 'running' | 'unknown';

async function whatIsAwaited(
	context: IWebhookFunctions,
	{ awaited }: KeptPause,
	{ ended }: SeenPause,
): Promise<Outcome> {
	try {
		const { sendLook } = await connect(context, 1, () => undefined);
		const look = async ({ workflowId, executionId }: AwaitedId): Promise<Outcome> => {
			const found = await getExecution(sendLook, workflowId, executionId);
			if (!found.ok) return outcomeOfReply(found.refusal.reply);
			return found.execution.phase === 'running' ? 'running' : 'ended';
		};
		return await lookUpToRunning(awaited, ended, context.getBodyData(), look);
	} catch (error) {
		context.logger.warn(
			`A paused execution could not be looked at: ${error instanceof Error ? error.message : String(error)}`,
		);
		return 'unknown';
	}
}

/** Looks at those that are not known to have ended, up to the first that runs: most calls cost one look, however many are awaited. */
async function lookUpToRunning(
	awaited: AwaitedId[],
	ended: Set<string>,
	body: IDataObject,
	look: (id: AwaitedId) => Promise<Outcome>,
): Promise<Outcome> {
	for (const id of notifiedFirst(
		awaited.filter((id) => !ended.has(keyOf(id))),
		body,
	)) {
		const outcome = await look(id);
		if (outcome !== 'ended') return outcome;
		ended.add(keyOf(id));
	}
	return 'ended';
}

/** What the service refuses for good has ended as far as a wait is concerned: the node says why when it goes on. An unknown one may be yet to come. */
function outcomeOfReply(reply: Reply): Outcome {
	if (reply.kind !== 'answer' || reply.status < 400 || reply.status === 401 || isPassing(reply))
		return 'unknown';
	return reply.status === 404 ? 'running' : 'ended';
}

/** The one that the call is about, then the others from a place by chance: which of them runs longest is not known. */
function notifiedFirst(awaited: AwaitedId[], body: unknown): AwaitedId[] {
	const isNotified = ({ workflowId, executionId }: AwaitedId) =>
		isRecord(body) && body.workflowId === workflowId && body.executionId === executionId;
	const first = awaited.filter(isNotified);
	const others = awaited.filter((id) => !isNotified(id));
	const start = Math.floor(Math.random() * others.length);
	return [...first, ...others.slice(start), ...others.slice(0, start)];
}
