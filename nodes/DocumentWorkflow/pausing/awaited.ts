import type { Logger } from 'n8n-workflow';

import type { StartedExecution } from '../../../service/contract';
import { getExecution } from '../../../service/executions';
import type { Send } from '../../../service/http';
import { retryAfterOf } from '../../../service/http';
import { meaningOfStatus } from '../../../service/status';
import { mayPass, OUTAGE_MILLISECONDS } from '../../../service/watching';
import { MAX_PARALLEL_CHECKS } from '../connection/connect';
import { SECOND, time } from '../connection/time';

/** A wait for an execution, as it is stored with a pause. Times are in milliseconds since 1970. */
export interface StoredWait extends Pick<StartedExecution, 'workflowId' | 'executionId'> {
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
	/** The last check took too long for a planned restart of n8n, so the next one may take longer. */
	isSlow?: boolean;
	/** Since when the service refuses the checks, in milliseconds since 1970. */
	refusedSince?: number | undefined;
}

/** n8n waits 30 s for what runs when it is to end, and then breaks it off. */
const SHORT_CHECK = 20 * SECOND;

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
		const notBefore = await Promise.all(some.map(async (wait) => checkWait(send, wait)));
		if (openWaits(some).length > 0) return Math.max(...notBefore);
	}
	return 0;
}

async function checkWait(send: Send, wait: StoredWait): Promise<number> {
	const limits = wait.isSlow ? {} : { timeoutMilliseconds: SHORT_CHECK };
	const found = await getExecution(send, wait.workflowId, wait.executionId, limits);
	wait.checks++;
	const isSilent = !found.ok && found.refusal.reply.kind === 'noAnswer';
	if (isSilent && !wait.isSlow) wait.isSlow = true;
	else delete wait.isSlow;
	if (found.ok) {
		wait.status = found.execution.status;
		if (found.execution.phase === 'running') delete wait.refusedSince;
		else wait.endedAt = time.now();
		return 0;
	}
	if (!mayPass(found.refusal, true)) doubt(wait);
	const now = time.now();
	const asked = retryAfterOf(found.refusal.reply, now);
	return asked === undefined ? 0 : now + asked;
}

/** Says in n8n's log that an execution has come to wait for a person. */
export function sayHeld(logger: Logger, wait: StoredWait, before: string | undefined): void {
	const { workflowId, executionId, status = '' } = wait;
	if (status === before || meaningOfStatus(status) !== 'held') return;
	logger.warn(
		`Execution ${executionId} of workflow ${workflowId} has the status "${status}": it goes on once a person acts in the service`,
	);
}

/**
 * Records a refusal. One is not believed, and of an execution that was found none for half an hour: a service that is being changed may
 * refuse what it knows. Then the wait is given up, and the node reports why.
 */
export function doubt(wait: StoredWait): void {
	const now = time.now();
	const { refusedSince = now, status } = wait;
	const isBelieved = status === undefined || now - refusedSince >= OUTAGE_MILLISECONDS;
	if (wait.refusedSince !== undefined && isBelieved) wait.endedAt = now;
	wait.refusedSince = refusedSince;
}
