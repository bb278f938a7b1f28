import { getExecution } from '../../../service/executions';
import type { Reply, Send } from '../../../service/http';
import { isPassing } from '../../../service/retry';
import type { AwaitedId } from './pause';

export type State = 'ended' | 'running' | 'unknown' | 'notFound';

/** Checks an awaited execution once. A final refusal counts as ended: the node reports it when it runs as a whole. */
export async function stateOf(send: Send, { workflowId, executionId }: AwaitedId): Promise<State> {
	const found = await getExecution(send, workflowId, executionId);
	if (found.ok) return found.execution.phase === 'running' ? 'running' : 'ended';
	return stateOfReply(found.refusal.reply);
}

function stateOfReply(reply: Reply): State {
	if (reply.kind !== 'answer' || reply.status < 400 || reply.status === 401 || isPassing(reply))
		return 'unknown';
	return reply.status === 404 ? 'notFound' : 'ended';
}

/** Those that still run, or whose state cannot be read at the moment. */
export async function stillRunning(send: Send, awaited: AwaitedId[]): Promise<AwaitedId[]> {
	const states = await Promise.all(awaited.map(async (id) => stateOf(send, id)));
	return awaited.filter((_id, index) => ['running', 'unknown'].includes(states[index] ?? ''));
}
