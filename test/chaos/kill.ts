/**
 * Ends a real n8n again and again while waits send, check, pause and continue: with SIGKILL, also at its starts, or with SIGTERM as a
 * planned restart does. The example "Retry after a crash of n8n" is active. Then it counts how each wait came out.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { startCounter, type Counter } from '../e2e/counter';
import { importContinuing } from '../e2e/published';
import { until, type World } from '../e2e/support';
import { between, numbersFor } from './plan';
import { slowDown, withService } from './service';
import {
	momentsOf,
	publishWaits,
	SERVICE,
	startWait,
	MOMENTS,
	nameOf,
	type Wait,
	type Moment,
} from './waits';

interface EndOptions {
	seed: number;
	/** How many waits are to be met. */
	rounds: number;
	signal: 'SIGKILL' | 'SIGTERM';
	report: (sentence: string) => void;
}

export interface EndFigures extends Outcomes {
	/** Of n8n, and how many of them within half a minute of a start. */
	ends: number;
	atStarts: number;
	mails: number;
	seconds: number;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** Of each workflow of the service, in each life of n8n. */
const STARTED_IN_A_LIFE = 5;
/** From the last start of a wait to the end of n8n: while it sends, checks for the first time, pauses, and after a look of the example. */
const LIVES = [SECOND, 8 * SECOND, 40 * SECOND, 110 * SECOND];
/** Then every pause is over. */
const LONG_DOWN = 20 * MINUTE;
const START = 30 * SECOND;
/** In n8n's log. In between, n8n 1 serves calls already, and runs again each that it has noted and not begun. */
const [STARTS, STARTED] = ['Initializing n8n process', 'Editor is now accessible'];
/** Minutes. */
const LOOKS_EVERY = 1;
/** After a start, the example waits for a minute, and what another process had paused for up to two and a half. */
const SETTLES = 160 * SECOND;
const LONGEST_SETTLING = 8;
/** In which the example looks once more, so that a result that came twice would come. */
const AFTERWARDS = 100 * SECOND;

/** A kill meets many pauses only if they begin soon. A planned restart is to do no harm to a wait with its default options. */
const WAITING = {
	SIGKILL: [{ firstCheckSeconds: 1, pauseAfterSeconds: 6 }, 'responseNode'],
	SIGTERM: [{}, 'onReceived'],
} as const;

export async function runEnds(given: World, options: EndOptions): Promise<EndFigures> {
	const begin = Date.now();
	const { seed, signal, report } = options;
	const random = numbersFor(seed, signal);
	const waits: Wait[] = [];
	const figures = { ends: 0, atStarts: 0 };
	const met = () => waits.filter((wait) => wait.met !== undefined).length;
	return withService(given, { ...SERVICE, seed }, async (world) => {
		const { client, clock, n8n } = world;
		const { main } = n8n;
		const counter = await startCounter();
		await importContinuing(world, counter, LOOKS_EVERY);
		const [waiting, answer] = WAITING[signal];
		const flows = await publishWaits(world, counter, waiting, answer);
		slowDown(world, 'create', 'get');
		const startAgain = async () => {
			await main.start();
			const lastOf = (line: string) => main.log().lastIndexOf(line);
			await until(() => lastOf(STARTED) > lastOf(STARTS), 2 * MINUTE);
			await until(async () => client.executionIds('none').then(Boolean, () => false), 2 * MINUTE);
		};
		/** Ends n8n again while it starts, when all pauses are over. */
		const endAtStart = async () => {
			await clock.move(LONG_DOWN);
			const starting = main.start().catch(() => undefined);
			await sleep(between(random, SECOND, START));
			await main.end('SIGKILL');
			await starting;
			for (const wait of waits) {
				const isOver = wait.isOver ?? counter.counts.has(wait.name);
				if (!isOver && wait.met === 'paused') wait.met = 'starting';
			}
			figures.atStarts++;
		};
		try {
			while (met() < options.rounds) {
				for (let number = 0; number < STARTED_IN_A_LIFE; number++)
					for (const flow of flows) {
						const started = Math.floor(waits.length / flows.length) + 1;
						const wait = await startWait(flow, `w${seed}-${waits.length}`, started);
						if (wait !== undefined) waits.push(wait);
					}
				await sleep(between(random, 0, LIVES[between(random, 0, LIVES.length - 1)] ?? 0));
				if (random() < 0.6) {
					await moveOn(world, 4 * MINUTE);
					await sleep(between(random, 0, SECOND));
				}
				for (const [wait, moment] of await momentsOf(world, waits)) wait.met = moment;
				await main.end(signal);
				figures.ends++;
				if (signal === 'SIGKILL' && random() < 0.5) await endAtStart();
				await startAgain();
				report(`n8n was ended ${figures.ends} times and met ${met()} of ${waits.length} waits`);
			}
			report('n8n continues what is left');
			await settle(world, () => outcomesOpen(waits, counter));
			const outcomes = await outcomesOf(world, waits, counter);
			const mails = counter.counted().messages.length;
			return { ...outcomes, ...figures, mails, seconds: (Date.now() - begin) / SECOND };
		} finally {
			await counter.stop();
		}
	});
}

/** A pause that has just begun is not over at once, as it never is by a clock that goes on. */
async function moveOn({ clock }: World, milliseconds: number): Promise<void> {
	await sleep(5 * SECOND);
	await clock.move(milliseconds);
	await clock.look();
}

/** All executions of the service end, and n8n gets time to continue. */
async function settle(world: World, openWaits: () => number): Promise<void> {
	const { executions, faults } = world.simulator.state;
	faults.clear();
	for (let number = 0; number < LONGEST_SETTLING && openWaits() > 0; number++) {
		for (const { executionId, status } of executions.all())
			if (status === 'running') await executions.finish(executionId, { status: 'completed' });
		await moveOn(world, LONG_DOWN);
		await until(async () => openWaits() === 0, SETTLES, 5 * SECOND).catch(() => undefined);
	}
	await sleep(AFTERWARDS);
}

/**
 * `by itself`: its n8n execution has ended with its result, and nobody acted. `carried on`: Retry did it. `named`: a mail of the example
 * "Retry after a crash of n8n" has its document. `lost`: everything else.
 */
export const OUTCOMES = ['by itself', 'carried on', 'named', 'lost'] as const;
export type Outcome = (typeof OUTCOMES)[number];

export type Named = Map<Outcome, string[]>;

interface Outcomes {
	/** The waits by what they did when n8n ended, the last time for those that were met twice. */
	met: Map<Moment, Named>;
	/** Those that no end has met. */
	unmet: Named;
	lost: string[];
	/** Whose document was sent twice, or for which the next node ran twice. */
	doubled: string[];
}

async function outcomesOf(
	{ client, n8n, simulator }: World,
	waits: Wait[],
	counter: Counter,
): Promise<Outcomes> {
	const found: Outcomes = {
		met: new Map(MOMENTS.map((moment) => [moment, new Map()])),
		unmet: new Map(),
		lost: [],
		doubled: [],
	};
	const started = simulator.state.executions.all().map(nameOf);
	for (const { name, id, met } of waits) {
		const { status } = await client.execution(id);
		const times = counter.counts.get(name) ?? 0;
		const sent = started.filter((each) => each === name).length;
		const isNamed = isNamedIn(counter, name);
		const about = `${name} (n8n execution ${id}, ${status}, met while ${met ?? 'nothing'}): next node ${times}, sent ${sent}`;
		let outcome: Outcome = isNamed ? 'named' : 'lost';
		if (times > 0 && status === 'success') outcome = 'by itself';
		else if (times > 0 && !isNamed) outcome = 'carried on';
		if (outcome === 'lost') found.lost.push(about);
		if (times > 1 || sent > 1) {
			const lines = n8n.main.log().split('\n');
			const ofWait = lines.filter((line) => line.includes(`${name}.txt`));
			found.doubled.push([about, ...ofWait].join('\n  '));
		}
		const counted = met === undefined ? found.unmet : found.met.get(met);
		counted?.set(outcome, [...(counted.get(outcome) ?? []), name]);
	}
	return found;
}

/** How many have neither a result nor a mail. */
function outcomesOpen(waits: Wait[], counter: Counter): number {
	return waits.filter(({ name }) => !counter.counts.has(name) && !isNamedIn(counter, name)).length;
}

const isNamedIn = (counter: Counter, name: string) =>
	counter.counted().messages.some(({ text }) => new RegExp(`\\b${name}\\.txt\\b`).test(text));
