/**
 * What is known of how long the executions of a workflow take, as a life table: the time since the start is divided into groups, and
 * of each group it is known how long executions were seen running in it and how many ended. One that still runs counts for the time
 * that it has run. Until executions have been seen, the table holds what is published.
 */
export class LifeTable {
	private readonly ended: number[] = [];

	/** Milliseconds. */
	private readonly running: number[] = [];

	/** An execution that ran at `from` still ran at `to`, both in milliseconds since its start. */
	sawRunning(from: number, to: number): void {
		for (const span of this.spans(from, to)) this.add(span, span.to - span.from, 0);
	}

	/**
	 * An execution that ran at `from` had ended at `to`, both in milliseconds since its start. When exactly is not known: the ending
	 * is shared out over the groups in between, in proportion to how likely each was by what the table knew before.
	 */
	sawEnded(from: number, to: number): void {
		let alive = 1;
		const likely = [...this.spans(from, to)].map((span) => {
			const share = -alive * Math.expm1(-span.hazard * (span.to - span.from));
			alive -= share;
			return { span, share };
		});
		const whole = likely.reduce((sum, { share }) => sum + share, 0);
		let left = 1;
		for (const { span, share } of likely) {
			const ended = share / whole;
			this.add(span, (span.to - span.from) * (left - ended / 2), ended);
			left -= ended;
		}
	}

	/** The time between two ages, in milliseconds since the start, in spans of one hazard each. */
	*spans(from: number, to: number): Generator<Span, void, undefined> {
		for (let group = groupOf(from), start = from; start < to; group++) {
			const end = Math.min(to, upperBound(group));
			if (end <= start) continue;
			yield { group, from: start, to: end, hazard: this.hazardIn(group) };
			start = end;
		}
	}

	private hazardIn(group: number): number {
		const width = PUBLISHED_WEIGHT * (upperBound(group) - lowerBound(group));
		return (
			((this.ended[group] ?? 0) + width * publishedHazard(group)) /
			((this.running[group] ?? 0) + width)
		);
	}

	private add({ group }: Span, running: number, ended: number): void {
		this.running[group] = (this.running[group] ?? 0) + running;
		this.ended[group] = (this.ended[group] ?? 0) + ended;
	}
}

/** A part of an execution's time that lies in one group. */
interface Span {
	group: number;
	/** Milliseconds since the start. */
	from: number;
	to: number;
	/** The share of the executions still running that ends in a millisecond. */
	hazard: number;
}

/** What a batch has seen of the executions of each workflow: made for one run, and shared by all of its waits. */
export class History {
	private readonly tables = new Map<string, LifeTable>();

	of(workflowId: string): LifeTable {
		const table = this.tables.get(workflowId) ?? new LifeTable();
		this.tables.set(workflowId, table);
		return table;
	}
}

/** The first group ends after a second, each further one half as late again as the one before it. */
const FIRST_BOUND_MILLISECONDS = 1_000;
const GROWTH = 1.5;

function groupOf(age: number): number {
	return Math.max(0, Math.floor(Math.log(age / FIRST_BOUND_MILLISECONDS) / Math.log(GROWTH)) + 1);
}

function upperBound(group: number): number {
	return FIRST_BOUND_MILLISECONDS * GROWTH ** group;
}

function lowerBound(group: number): number {
	return group === 0 ? 0 : upperBound(group - 1);
}

/** What is published weighs as much as so many executions that were watched through a group. */
const PUBLISHED_WEIGHT = 1;

/**
 * Most executions take 1 to 3 minutes (published). In numbers (assumed): while their age grows by 1 %, so many per cent of the
 * executions still running end. Before a minute these are more than the words say, lest short executions be noticed late.
 */
const PUBLISHED_ENDINGS = { belowOneMinute: 0.4, belowThreeMinutes: 2.5, later: 0.5 };

function publishedHazard(group: number): number {
	const age = (lowerBound(group) + upperBound(group)) / 2;
	const { belowOneMinute, belowThreeMinutes, later } = PUBLISHED_ENDINGS;
	return (age < 60_000 ? belowOneMinute : age < 180_000 ? belowThreeMinutes : later) / age;
}
