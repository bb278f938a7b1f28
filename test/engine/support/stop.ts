/** n8n's Stop button. */
import type { Outcome, Running } from './engine';
import { time, until } from './time';

/** Stops a run as soon as something has happened. `stopMilliseconds`: how long it then went on, by its clock. */
export async function stopWhen(
	running: Running,
	hasHappened: () => boolean,
): Promise<Outcome & { stopMilliseconds: number }> {
	await until(hasHappened);
	const stoppedAt = time.now();
	running.stop();
	const outcome = await running.outcome;
	return { ...outcome, stopMilliseconds: time.now() - stoppedAt };
}
