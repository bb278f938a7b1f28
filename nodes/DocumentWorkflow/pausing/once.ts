/**
 * With a limit on parallel runs, n8n 1 queues a pause that is due again every minute, and then runs each entry of its
 * queue. Without a limit it may continue a pause twice, if many are due at the same time. So this process remembers
 * which pauses it has continued, and how: another run of the same pause waits as the first does, or outputs nothing.
 * The tries of Retry On Fail are one run: n8n gives them the same entry.
 */
import type {
	EngineRequest,
	IExecuteData,
	IExecuteFunctions,
	INodeExecutionData,
} from 'n8n-workflow';

import { isRecord } from '../../../service/contract';
import type { Pause } from './pause';

type Output = INodeExecutionData[] | EngineRequest;

/** By pause: when the run that continued it pauses until; undefined when it does not pause again. */
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
	const { earlier } = pause;
	const entry = context.getExecuteData();
	if (earlier === undefined) return work();
	const { execution, runIndex, checkAt } = earlier;
	const keyOf = (time: number) => [execution, context.getNode().id, runIndex, time].join(' ');
	let latest: unknown = checkAt;
	while (typeof latest === 'number' && ownPause.get(entry) !== keyOf(latest)) {
		const next = continued.get(keyOf(latest));
		if (next === undefined) break;
		latest = await next;
	}
	if (latest !== checkAt) return typeof latest === 'number' ? pause.repeat(earlier, latest) : [];
	const output = work();
	const next = output.then((done) =>
		'metadata' in done && isRecord(done.metadata) ? done.metadata.checkAt : undefined,
	);
	ownPause.set(entry, keyOf(checkAt));
	continued.set(
		keyOf(checkAt),
		next.catch(() => undefined),
	);
	const [oldest = ''] = continued.keys();
	if (continued.size > MAX_REMEMBERED) continued.delete(oldest);
	return output;
}
