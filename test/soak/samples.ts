/** What is measured of a running n8n: every few seconds what is cheap, and every minute what is not. */
import { readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import axios from 'axios';
import { binaryDataBytes, databaseBytes } from '../../harness/disk';
import type { N8n } from '../../harness/n8n';

export interface Measure {
	title: string;
	unit: string;
	/** A sample is divided by it, to be in `unit`. */
	divisor?: number;
	/** The most that it may grow in an hour of work, in `unit`. */
	growth?: number;
	/** The most that it may have grown from rest to rest, in `unit`. */
	left?: number;
}

const MEGABYTE = 1_000_000;

/**
 * In the order in which they are printed. Where nothing leaks, slopes of half an hour were seen to differ from zero by up to 45 MB for the
 * heap, 12 MB for all memory, and 3 for the others; at rest, nothing was left. 20 MB more at rest are 8 kB for each document of half an hour.
 */
export const MEASURES = {
	heap: {
		title: 'heap after garbage collection',
		unit: 'MB',
		divisor: MEGABYTE,
		growth: 90,
		left: 20,
	},
	resident: { title: 'resident memory', unit: 'MB', divisor: MEGABYTE, growth: 150 },
	handles: { title: 'active handles of Node', unit: '', growth: 20, left: 10 },
	files: { title: 'open file descriptors', unit: '', growth: 20, left: 10 },
	sockets: { title: 'of these, sockets', unit: '', growth: 20, left: 10 },
	lag: { title: 'lag of the event loop (99 %)', unit: 'ms', divisor: 0.001 },
	database: { title: 'database', unit: 'MB', divisor: MEGABYTE },
	binaryData: { title: 'files of n8n executions', unit: 'MB', divisor: MEGABYTE },
} satisfies Record<string, Measure>;

export type MeasureName = keyof typeof MEASURES;
export type Samples = Record<MeasureName, Sample[]>;

const OFTEN = 5_000;
const MINUTE = 60_000;
/** n8n needs about a second to collect its garbage. */
const COLLECTED_AFTER = 3_000;

interface Sampler {
	samples: Samples;
	stop: () => Promise<void>;
}

/** Takes samples until it is stopped. */
export function startSampler(n8n: N8n): Sampler {
	const samples: Samples = {
		heap: [],
		resident: [],
		handles: [],
		files: [],
		sockets: [],
		lag: [],
		database: [],
		binaryData: [],
	};
	const stopped = new AbortController();
	const take = async () => {
		for (let next = Date.now(), minute = next; !stopped.signal.aborted; next += OFTEN) {
			const isMinute = Date.now() >= minute;
			if (isMinute) minute += MINUTE;
			const taken = isMinute ? await thorough(n8n) : await cheap(n8n);
			for (const [name, value] of entriesOf(taken)) samples[name].push({ at: Date.now(), value });
			await sleep(Math.max(0, next + OFTEN - Date.now()), undefined, {
				signal: stopped.signal,
			}).catch(() => undefined);
		}
	};
	const taking = take();
	taking.catch(() => undefined); // `stop` raises it
	return {
		samples,
		stop: async () => {
			stopped.abort();
			await taking;
		},
	};
}

type Taken = Partial<Record<MeasureName, number>>;

const entriesOf = (taken: Taken) => Object.entries(taken) as Array<[MeasureName, number]>;

/** All measures but the lag, after n8n has collected its garbage. */
export async function thorough(n8n: N8n): Promise<Taken> {
	process.kill(n8n.main.pid(), 'SIGUSR2');
	await sleep(COLLECTED_AFTER);
	const { heap, taken } = await fromN8n(n8n);
	const { userFolder } = n8n;
	return {
		...taken,
		heap,
		database: databaseBytes(userFolder),
		binaryData: binaryDataBytes(userFolder),
	};
}

/** Without the heap, which is full of garbage at any time. */
async function cheap(n8n: N8n): Promise<Taken> {
	const { lag, taken } = await fromN8n(n8n);
	return { ...taken, lag };
}

async function fromN8n(n8n: N8n): Promise<{ heap: number; lag: number; taken: Taken }> {
	const { data } = await axios.get<string>(`${n8n.url}/metrics`, {
		proxy: false,
		timeout: MINUTE,
	});
	const metric = (name: string) => {
		const value = new RegExp(`^n8n_nodejs_${name} (\\S+)$`, 'm').exec(data)?.[1];
		if (value === undefined) throw new Error(`n8n has no metric ${name}.`);
		return Number(value);
	};
	return {
		heap: metric('heap_size_used_bytes'),
		lag: metric('eventloop_lag_p99_seconds'),
		taken: {
			resident: n8n.memory(),
			handles: metric('active_handles_total'),
			...descriptors(n8n.main.pid()),
		},
	};
}

/** Open file descriptors of a process (proc_pid_fd(5)). */
function descriptors(pid: number): Taken {
	const folder = `/proc/${pid}/fd`;
	const targets = readdirSync(folder).map((name) => targetOf(join(folder, name)));
	return {
		files: targets.length,
		sockets: targets.filter((target) => target.startsWith('socket:')).length,
	};
}

function targetOf(descriptor: string): string {
	try {
		return readlinkSync(descriptor);
	} catch {
		return ''; // closed at this moment
	}
}

/** What a series of samples says: where it began and ended, and how it grew. */

export interface Sample {
	/** Milliseconds since 1970. */
	at: number;
	value: number;
}

export interface Trend {
	start: number;
	end: number;
	highest: number;
	/** Of the straight line through the samples, by least squares. */
	perHour: number;
	/** Standard error of `perHour`, as if each sample stood for itself. */
	error: number;
}

const HOUR = 3_600_000;
/** Start and end are the medians of this share of the samples. */
const EDGE = 0.1;

/** The trend of three samples or more, in the order of time. */
export function trendOf(samples: readonly Sample[]): Trend {
	const values = samples.map(({ value }) => value);
	const edge = Math.max(1, Math.round(samples.length * EDGE));
	return {
		start: medianOf(values.slice(0, edge)),
		end: medianOf(values.slice(-edge)),
		highest: Math.max(...values),
		...lineThrough(samples),
	};
}

function lineThrough(samples: readonly Sample[]): Pick<Trend, 'perHour' | 'error'> {
	const count = samples.length;
	const points = samples.map(({ at, value }) => ({ hours: at / HOUR, value }));
	const middle = points.reduce((sum, { hours }) => sum + hours, 0) / count;
	const mean = points.reduce((sum, { value }) => sum + value, 0) / count;
	const sumOf = (of: (fromMiddle: number, fromMean: number) => number) =>
		points.reduce((sum, { hours, value }) => sum + of(hours - middle, value - mean), 0);
	const width = sumOf((x) => x * x);
	const perHour = sumOf((x, y) => x * y) / width;
	const offLine = sumOf((x, y) => (y - perHour * x) ** 2);
	return { perHour, error: Math.sqrt(offLine / (count - 2) / width) };
}

function medianOf(values: readonly number[]): number {
	const sorted = [...values].sort((a, b) => a - b);
	const middle = (sorted.length - 1) / 2;
	return ((sorted[Math.floor(middle)] ?? NaN) + (sorted[Math.ceil(middle)] ?? NaN)) / 2;
}
