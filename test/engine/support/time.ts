/**
 * The clock of the engine tests, for the built package and for the simulated service. It stands while a request or a file is in progress,
 * and then goes at once to the end of the next sleep. So waits take no time, and intervals are exact on a machine of any speed. jest runs
 * this file before each test file.
 */
import { Agent, type ClientRequest } from 'node:http';
import { join } from 'node:path';
import { setImmediate as turn, setTimeout as sleepReally } from 'node:timers/promises';
import type { time as Time } from '../../../nodes/DocumentWorkflow/connection/time';
import type { Clock } from '../../../simulator/clock';
import './package';

/** The module of the built package that all waiting goes through. */
export const TIME: string = join(
	__dirname,
	'../../../dist/nodes/DocumentWorkflow/connection/time.js',
);

export const timeModule = jest.requireActual<{ time: typeof Time }>(TIME);
export const { time } = timeModule;

/** How long the package holds back the last piece of a document (documents/sent.ts): in the middle of a request, when this clock stands. */
const HELD_BACK_MILLISECONDS = 20;

/** The clock goes on after so many turns of the event loop in which nothing was in progress. */
const QUIET_TURNS = 3;

interface Sleep {
	until: number;
	wake: () => void;
	/** Only the service sleeps: the clock goes on to this, but not because of it. */
	isPassive: boolean;
	/** Whether a request waits for it. */
	holdsRequest: () => boolean;
}

let at = Date.now();
let sleeps: Sleep[] = [];
let isRunning = false;
let worksInProgress = 0;

/** Requests of this process whose answer is not read yet. */
const requests = new Set<ClientRequest>();
/** Node calls this for each request, before anything of it is sent. Not in Node's types. */
const agents = Agent.prototype as unknown as Record<'addRequest', (...given: unknown[]) => void>;
const { addRequest } = agents;
function addCountedRequest(this: unknown, request: ClientRequest, ...more: unknown[]): void {
	requests.add(request);
	request.once('close', () => requests.delete(request));
	addRequest.call(this, request, ...more);
}

/** The time of the package, with which tests can wait too. */
const packageTime: typeof Time = {
	now: () => at,
	age: () => Infinity, // n8n has started
	sleep: async (milliseconds) => {
		if (milliseconds <= 0) return inProgress(turn());
		if (milliseconds !== HELD_BACK_MILLISECONDS || requests.size === 0)
			return sleepUntil(milliseconds, { isPassive: false, holdsRequest: () => false });
		const end = endOf(milliseconds);
		await inProgress(holdBack(milliseconds));
		at = Math.max(at, end);
	},
};

/** The time of the simulated service. */
export const serviceClock: Clock = {
	now: () => at,
	sleep: async (milliseconds, ended, isAwaited) => {
		if (milliseconds <= 0) return turn();
		const holdsRequest = isAwaited ?? (() => false);
		return sleepUntil(milliseconds, { isPassive: isAwaited === undefined, holdsRequest }, ended);
	},
};

/** The clock stands meanwhile. */
async function inProgress(work: Promise<void>): Promise<void> {
	worksInProgress++;
	await work;
	worksInProgress--;
}

/** Not in one piece: a machine that stops this process meanwhile would not let the other end of the connection work. */
async function holdBack(milliseconds: number): Promise<void> {
	for (let left = milliseconds; left > 0; left--) await sleepReally(1);
}

async function sleepUntil(
	milliseconds: number,
	more: Pick<Sleep, 'isPassive' | 'holdsRequest'>,
	ended?: AbortSignal,
): Promise<void> {
	return new Promise((resolve) => {
		const sleep: Sleep = { until: endOf(milliseconds), wake: resolve, ...more };
		sleeps.push(sleep);
		ended?.addEventListener('abort', () => {
			sleeps = sleeps.filter((other) => other !== sleep);
			resolve();
		});
		void run();
	});
}

/** Waits on this clock until something has happened. */
export async function until(hasHappened: () => boolean): Promise<void> {
	while (!hasHappened()) await time.sleep(50);
}

/** The same for what happens while a request is in progress, when this clock stands. */
export async function untilInRequest(hasHappened: () => boolean): Promise<void> {
	while (!hasHappened()) await sleepReally(1);
}

/** In whole milliseconds, as a clock has them. */
function endOf(milliseconds: number): number {
	return at + Math.ceil(milliseconds);
}

async function run(): Promise<void> {
	if (isRunning) return;
	isRunning = true;
	for (await quiet(); sleeps.some(movesClock); await quiet()) {
		at = Math.max(at, Math.min(...sleeps.map((sleep) => sleep.until)));
		const due = sleeps.filter((sleep) => sleep.until <= at);
		sleeps = sleeps.filter((sleep) => sleep.until > at);
		for (const { wake } of due) wake();
	}
	isRunning = false;
}

/** The service holds an answer for an endless time until its fault is removed. */
function movesClock({ until: end, isPassive, holdsRequest }: Sleep): boolean {
	return Number.isFinite(end) && (!isPassive || holdsRequest());
}

async function quiet(): Promise<void> {
	for (let turns = 0; turns < QUIET_TURNS; turns++) {
		await turn();
		while (isBusy()) {
			turns = 0;
			await sleepReally(1);
		}
	}
}

function isBusy(): boolean {
	const held = sleeps.filter(({ holdsRequest }) => holdsRequest()).length;
	return (
		worksInProgress > 0 ||
		requests.size !== held ||
		process.getActiveResourcesInfo().some(isFileRequest)
	);
}

function isFileRequest(name: string): boolean {
	return name.startsWith('FSReq');
}

beforeAll(() => {
	Object.assign(time, packageTime);
	agents.addRequest = addCountedRequest as typeof addRequest;
});
/** Each test begins at the real time, because tests seal, sign and store with the real time. */
beforeEach(() => {
	at = Date.now();
	sleeps = [];
	requests.clear();
});
afterAll(() => void (agents.addRequest = addRequest));
