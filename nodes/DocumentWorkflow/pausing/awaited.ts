import type { StartedExecution } from '../../../service/contract';
import { getExecution } from '../../../service/executions';
import type { Send } from '../../../service/http';
import { retryAfterOf } from '../../../service/retry';
import { isNotFound, mayPass } from '../../../service/watching';
import { MAX_PARALLEL_CHECKS } from '../transport';
import { time } from '../time';

/** An execution that an n8n execution waits for. */
export type AwaitedId = Pick<StartedExecution, 'workflowId' | 'executionId'>;

/** A wait for an execution, as it is stored with a pause. Times are in milliseconds since 1970. */
export interface StoredWait extends AwaitedId {
	/** The status last seen; missing if no check succeeded. */
	status?: string | undefined;
	since: number;
	/** The time limit of the wait. */
	until: number;
	/** The longest interval between checks. */
	longestMilliseconds: number;
	checks: number;
	/** When the execution was seen to have ended, or was given up. It is not checked again. */
	endedAt?: number | undefined;
	/** The service was silent when the result was to be read, so the n8n execution pauses once more. */
	isUnread?: boolean;
	/** The last check was refused. If the next one is, too, the wait is given up, and the node reports why. */
	isDoubtful?: boolean;
}

/** Identifiers of executions are unique within their workflow only (published). */
export function executionKey({ workflowId, executionId }: AwaitedId): string {
	return JSON.stringify([workflowId, executionId]);
}

/** `refused`: another check would not help, as far as one answer can show. `unknown`: the service cannot be asked at the moment. */
export type State = 'ended' | 'running' | 'refused' | 'unknown';

interface Check {
	state: State;
	status?: string;
	/** The service does not know the execution (404). */
	isMissing?: boolean;
	/** From the Retry-After of the service, in milliseconds since 1970; 0 for none. */
	notBefore: number;
}

/** Checks an execution once. */
export async function checkOnce(
	send: Send,
	{ workflowId, executionId }: AwaitedId,
): Promise<Check> {
	const found = await getExecution(send, workflowId, executionId);
	if (found.ok) {
		const { phase, status } = found.execution;
		return { state: phase === 'running' ? 'running' : 'ended', status, notBefore: 0 };
	}
	const { refusal } = found;
	const { reply } = refusal;
	const now = time.now();
	const asked = retryAfterOf(reply, now);
	return {
		state: mayPass(refusal, true) ? 'unknown' : 'refused',
		isMissing: isNotFound(reply),
		notBefore: asked === undefined ? 0 : now + asked,
	};
}

/** Whether the execution has not ended, or its result was not read. */
export function isPending({ endedAt, isUnread = false }: StoredWait): boolean {
	return endedAt === undefined || isUnread;
}

/** The waits that neither have ended nor are over. */
export function openWaits(waits: StoredWait[]): StoredWait[] {
	return waits.filter(({ endedAt, until }) => endedAt === undefined && until > time.now());
}

/**
 * Checks some waits at a time, up to the first that has not ended, because all are waited for: a check of many waits usually costs
 * a few requests. Records in them what it sees. Returns when the service may be asked again (0: at any time).
 */
export async function checkWaits(send: Send, waits: StoredWait[]): Promise<number> {
	for (let start = 0; start < waits.length; start += MAX_PARALLEL_CHECKS) {
		const some = waits.slice(start, start + MAX_PARALLEL_CHECKS);
		const checks = await Promise.all(some.map(async (wait) => checkWait(send, wait)));
		if (openWaits(some).length > 0) return Math.max(...checks.map(({ notBefore }) => notBefore));
	}
	return 0;
}

async function checkWait(send: Send, wait: StoredWait): Promise<Check> {
	const check = await checkOnce(send, wait);
	wait.checks++;
	wait.status = check.status ?? wait.status;
	if (check.state === 'refused') doubt(wait);
	else if (check.state === 'ended') wait.endedAt = time.now();
	else if (check.state === 'running') delete wait.isDoubtful;
	return check;
}

/** Records a refusal. One is not believed: a service that is being changed may refuse for a moment what it knows. */
export function doubt(wait: StoredWait): void {
	if (wait.isDoubtful) wait.endedAt = time.now();
	else wait.isDoubtful = true;
}
