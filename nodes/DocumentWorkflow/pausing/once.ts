/**
 * With a limit on parallel runs, n8n 1 queues a pause that is due again every minute, and then runs each entry of its queue.
 * So this process remembers which pauses it has continued, and how: another run of the same pause waits as the first does, or
 * outputs nothing.
 */
import type { EngineRequest, INodeExecutionData } from 'n8n-workflow';

import { isRecord } from '../../../service/contract';
import type { Pause } from './pause';

type Output = INodeExecutionData[] | EngineRequest;

/** By pause: when the run that continued it pauses until; undefined when it does not pause again. */
const continued = new Map<string, Promise<unknown>>();

const MAX_REMEMBERED = 10_000;

/** Does the work of a run, unless this process has continued the same pause before. */
export async function once(
	node: string,
	pause: Pause,
	work: () => Promise<Output>,
): Promise<Output> {
	const { earlier } = pause;
	if (earlier === undefined) return work();
	const { execution, runIndex, checkAt } = earlier;
	const keyOf = (time: number) => [execution, node, runIndex, time].join(' ');
	let latest: unknown = checkAt;
	while (typeof latest === 'number' && continued.has(keyOf(latest)))
		latest = await continued.get(keyOf(latest));
	if (latest !== checkAt) return typeof latest === 'number' ? pause.repeat(earlier, latest) : [];
	const output = work();
	const next = output.then((done) =>
		'metadata' in done && isRecord(done.metadata) ? done.metadata.checkAt : undefined,
	);
	continued.set(
		keyOf(checkAt),
		next.catch(() => undefined),
	);
	const [oldest = ''] = continued.keys();
	if (continued.size > MAX_REMEMBERED) continued.delete(oldest);
	return output;
}
