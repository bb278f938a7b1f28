/**
 * With a limit on parallel runs, n8n 1 queues a pause that is due again every minute, and then runs each entry of its queue.
 * So this process remembers which pauses it has continued, and how: another run of the same pause waits as the first does, or
 * outputs nothing. The tries of Retry On Fail are one run: n8n gives them the same entry.
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

interface Continued {
	entry: IExecuteData;
	/** When the run that continued the pause pauses until; undefined when it does not pause again. */
	next: Promise<unknown>;
}

/** By pause. */
const continued = new Map<string, Continued>();

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
	for (;;) {
		const other = typeof latest === 'number' ? continued.get(keyOf(latest)) : undefined;
		if (other === undefined || other.entry === entry) break;
		latest = await other.next;
	}
	if (latest !== checkAt) return typeof latest === 'number' ? pause.repeat(earlier, latest) : [];
	const output = work();
	const next = output.then((done) =>
		'metadata' in done && isRecord(done.metadata) ? done.metadata.checkAt : undefined,
	);
	continued.set(keyOf(checkAt), { entry, next: next.catch(() => undefined) });
	const [oldest = ''] = continued.keys();
	if (continued.size > MAX_REMEMBERED) continued.delete(oldest);
	return output;
}
