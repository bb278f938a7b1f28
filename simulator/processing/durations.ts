/** How long executions take. */
import type { Duration } from '../configuration';

/** Random numbers from 0 to 1 that are the same for the same seed (mulberry32). */
export function randomNumbers(seed: number): () => number {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
	};
}

/** In milliseconds: fixed, or log-normal around a median with a share of uniformly distributed long ones. */
export function durationMilliseconds(duration: Duration, random: () => number): number {
	if ('fixedSeconds' in duration) return duration.fixedSeconds * 1000;
	const { medianSeconds, sigma, tail } = duration;
	if (tail && random() < tail.share)
		return (tail.fromSeconds + random() * (tail.toSeconds - tail.fromSeconds)) * 1000;
	const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
	return medianSeconds * Math.exp(sigma * normal) * 1000;
}
