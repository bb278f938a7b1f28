import type { EngineRequest, IExecuteFunctions } from 'n8n-workflow';

import { isRecord } from '../../../../service/contract';
import { messageOf } from '../../../../service/text';
import { checkWaits, doubt, openWaits, sayHeld } from '../../pausing/awaited';
import type { Pause, StoredJob } from '../../pausing/pause';
import { waitsOf } from '../../pausing/pause';
import { isStopped, SECOND, STOPPED } from '../../connection/time';
import { connect } from '../../connection/connect';
import { failed, placeOf } from '../operation';
import type { Job, Result } from '../operation';

/** After a pause: the request for the next one, when an execution still runs and there is time left. */
export async function pauseAgain(
	context: IExecuteFunctions,
	pause: Pause,
): Promise<EngineRequest | undefined> {
	if (pause.earlier === undefined) return undefined;
	const { jobs } = pause.earlier;
	const waits = openWaits(waitsOf(jobs));
	const before = waits.map(({ status }) => status);
	let notBefore = 0;
	try {
		const stopReason = () => (isStopped(context) ? STOPPED : undefined);
		const { send } = await connect(context, { maxInParallel: 1 }, stopReason);
		notBefore = await checkWaits(send, waits);
		waits.forEach((wait, index) => sayHeld(context.logger, wait, before[index]));
	} catch (error) {
		if (isStopped(context)) return undefined;
		waits.forEach(doubt);
		context.logger.warn(`A long wait could not be checked: ${messageOf(error)}`);
	}
	return openWaits(waits).length === 0 ? undefined : pause.begin(jobs, notBefore);
}

/** Returns the request for a pause, when a wait is open. */
export function requestPause(
	context: IExecuteFunctions,
	pause: Pause,
	jobs: Job[],
	results: Result[],
): EngineRequest | undefined {
	const stored = jobs.map(({ key, itemIndexes, fieldNames }, number): StoredJob => {
		const result = results[number];
		const job = { key, itemIndexes, fieldNames };
		if (result === undefined) return job;
		if (!result.ok) {
			const { message, description } = result.error;
			return { ...job, failure: { message, description: description ?? '', json: result.json } };
		}
		const { wait, about } = result;
		// The journal has what was sent with an execution.
		return wait === undefined ? { ...job, beside: about } : { ...job, wait };
	});
	const request = pause.begin(stored, 0);
	if (request !== undefined && pause.earlier === undefined) warnOfTimeout(context, stored);
	return request;
}

/** n8n counts the pause, and says nothing when it cancels. */
function warnOfTimeout(context: IExecuteFunctions, jobs: StoredJob[]): void {
	const timeout = timeoutOf(context) * SECOND;
	if (timeout > 0 && waitsOf(jobs).some(({ since, until }) => until - since > timeout))
		context.logger.warn(
			`n8n will cancel this n8n execution ${timeout / SECOND} s after its start, also while it is paused. 'Maximum Wait (Hours)' is longer. Change 'Timeout Workflow' in the settings of the n8n workflow, or EXECUTIONS_TIMEOUT`,
		);
}

/** In seconds. Many n8n do not let a node see their environment. */
function timeoutOf(context: IExecuteFunctions): number {
	const { executionTimeout } = context.getWorkflowSettings();
	try {
		const $env: unknown = context.getWorkflowDataProxy(0).$env;
		return Number(executionTimeout ?? (isRecord($env) ? $env.EXECUTIONS_TIMEOUT : 0)) || 0;
	} catch {
		return 0;
	}
}

/** What failed before the pause is not tried again after it. */
export function withFailuresBeforePause(
	context: IExecuteFunctions,
	pause: Pause,
	jobs: Job[],
): Job[] {
	const before = new Map(pause.earlier?.jobs.map(({ key, failure }) => [key, failure]));
	return jobs.map((job) => {
		const failure = before.get(job.key);
		return failure === undefined
			? job
			: {
					...job,
					work: failed(placeOf(context, job), failure.message, failure.description, failure.json),
				};
	});
}
