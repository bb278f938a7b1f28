/** How one execution was watched, in seconds. */
export interface Sighting {
	duration: number;
	/** How long after its end it was seen to have ended. */
	lag: number;
	looks: number;
}

export interface Measures {
	/** Of an execution, on average. */
	looks: number;
	/** Seconds, on average. */
	lag: number;
	/** The mean lag divided by the mean duration. */
	lagToDuration: number;
	/** The mean of what each lag is of its own duration: here a short execution weighs as much as a long one. */
	ownLag: number;
}

export function measure(sightings: readonly Sighting[]): Measures {
	const mean = (value: (sighting: Sighting) => number) =>
		sightings.reduce((sum, each) => sum + value(each), 0) / sightings.length;
	const lag = mean((each) => each.lag);
	return {
		looks: mean((each) => each.looks),
		lag,
		lagToDuration: lag / mean((each) => each.duration),
		ownLag: mean((each) => each.lag / each.duration),
	};
}
