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

import { messageOf } from '../../../service/text';
import { refusedSetting } from '../../../service/tokenWords';
import { connect } from '../connection/connect';
import { afterStart } from './afterStart';
import { checkWaits, openWaits } from './awaited';
import { type RunPause, type StoredPause, waitsOf } from './pause';

export type RunOutput = INodeExecutionData[] | EngineRequest;

/** By pause: until when the run of an entry pauses, if it does. Weak, because the entry has the input with its files. */
const continuations = new Map<
	string,
	{ entry: WeakRef<IExecuteData>; next: Promise<number | undefined> }
>();

const MAX_REMEMBERED = 10_000;

/** Does the work of a run after a pause, unless this process has continued the same pause before. */
export async function runOnce(
	context: IExecuteFunctions,
	pause: RunPause,
	earlier: StoredPause,
	work: () => Promise<RunOutput>,
): Promise<RunOutput> {
	const keyOf = (checkAt: number) =>
		[earlier.execution, context.getNode().id, earlier.runIndex, checkAt].join(' ');
	const entry = context.getExecuteData();
	let { checkAt } = earlier;
	for (;;) {
		const known = continuations.get(keyOf(checkAt));
		if (known === undefined || known.entry.deref() === entry) break;
		const next = await known.next;
		if (next === undefined) return [];
		checkAt = next;
	}
	if (checkAt !== earlier.checkAt) return pause.repeat(earlier, checkAt);
	const output = work();
	const next = output.then(() => pause.checkAt).catch(() => undefined);
	continuations.set(keyOf(checkAt), { entry: new WeakRef(entry), next });
	const [oldest = ''] = continuations.keys();
	if (continuations.size > MAX_REMEMBERED) continuations.delete(oldest);
	return output;
}

/** The request for the next pause, when an execution still runs and there is time left. A crash rarely interrupts so short a check. */
export async function pauseAgain(
	context: IExecuteFunctions,
	pause: RunPause,
	earlier: StoredPause,
): Promise<EngineRequest | undefined> {
	const later = await afterStart(earlier.process);
	if (later !== undefined) return pause.repeat(earlier, later);
	const waits = openWaits(waitsOf(earlier.jobs));
	// A credential that cannot be read now is a doubtful reply.
	const { send } = await connect(context, { maxInParallel: 1 }).catch((error: unknown) => ({
		send: async () => Promise.resolve(refusedSetting(messageOf(error), '')),
	}));
	try {
		await checkWaits(send, context.logger, waits, pause.findings);
	} catch {
		// It was stopped.
		return undefined;
	}
	return openWaits(waits).length === 0 ? undefined : pause.begin(earlier.jobs);
}
