/**
 * n8n 1 may continue a pause more than once when many are due, or when parallel runs are limited. So this process remembers
 * how it has continued a pause: another run of it waits as the first does, or outputs nothing.
 */
import type {
	EngineRequest,
	IExecuteData,
	IExecuteFunctions,
	INodeExecutionData,
} from 'n8n-workflow';

import { isRecord } from '../../../service/contract';
import { messageOf } from '../../../service/text';
import { connect } from '../connection/connect';
import { isStopped } from '../connection/time';
import { afterStart } from './afterStart';
import { checkWaits, doubt, openWaits } from './awaited';
import { type Pause, waitsOf } from './pause';

export type Output = INodeExecutionData[] | EngineRequest;

/** By pause: until when the run that continued it pauses; undefined when it does not pause again. */
const continued = new Map<string, Promise<unknown>>();

/** The pause that the run of an entry has continued. Holds no entry, because these have the input with its files. */
const ownPause = new WeakMap<IExecuteData, string>();

const MAX_REMEMBERED = 10_000;

/** Does the work of a run, unless this process has continued the same pause before. */
export async function once(
	context: IExecuteFunctions,
	pause: Pause,
	work: () => Promise<Output>,
): Promise<Output> {
	if (pause.earlier === undefined) return work();
	const { execution, runIndex, checkAt } = pause.earlier;
	const keyOf = (time: unknown) => [execution, context.getNode().id, runIndex, time].join(' ');
	const own = ownPause.get(context.getExecuteData());
	let latest: unknown = checkAt;
	while (keyOf(latest) !== own && continued.has(keyOf(latest)))
		latest = await continued.get(keyOf(latest));
	if (latest !== checkAt) return typeof latest === 'number' ? (pause.repeat(latest) ?? []) : [];
	const output = work();
	const next = output.then((done) => {
		const { metadata } = Array.isArray(done) ? {} : done;
		return isRecord(metadata) ? metadata.checkAt : undefined;
	});
	ownPause.set(context.getExecuteData(), keyOf(checkAt));
	continued.set(
		keyOf(checkAt),
		next.catch(() => undefined),
	);
	const [oldest = ''] = continued.keys();
	if (continued.size > MAX_REMEMBERED) continued.delete(oldest);
	return output;
}

/** The request for the next pause, when an execution still runs and there is time left. A crash rarely interrupts so short a check. */
export async function pauseAgain(
	context: IExecuteFunctions,
	pause: Pause,
): Promise<EngineRequest | undefined> {
	if (pause.earlier === undefined) return undefined;
	const { jobs, process } = pause.earlier;
	const later = await afterStart(process);
	if (later !== undefined) return pause.repeat(later);
	const waits = openWaits(waitsOf(jobs));
	try {
		const { send } = await connect(context, { maxInParallel: 1 });
		await checkWaits(send, context.logger, waits, pause.reading);
	} catch (error) {
		if (isStopped(context)) return undefined;
		const message = messageOf(error);
		for (const wait of waits) doubt(wait, message);
		context.logger.warn(`A long wait could not be checked: ${message}`);
	}
	return openWaits(waits).length === 0 ? undefined : pause.begin(jobs);
}
