/**
 * Documents are posted to the balancer, as forms with several files. The webhook processes put them into the `database` store, and the
 * workers send them and wait. Meanwhile two workers are killed, and started again as an orchestrator would. Then the steps of
 * docs/waiting.md are done.
 */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { output, type Execution, type Item } from '../../../harness/n8n-execution';
import type { Worker } from '../../../harness/n8n-queue';
import { chain, documentWorkflow, EARLY } from '../../e2e/flows';
import { startCounter } from '../../e2e/counter';
import { importContinuing, publish } from '../../e2e/published';
import { until, type QueueWorld } from '../../e2e/support';
import { reconcile, type ShownDocument } from '../reconcile';
import { CASE, slowDown, withService, inTurns } from '../service';
import { enqueuedIn, MINUTE, SECOND, seconds, type PartOptions, type Section } from '../print';

const WORKFLOW = 'queued';
const NODE = 'Document Workflow';
const DOCUMENTS_OF_A_FORM = 10;
const FORMS_AT_ONCE = 4;
/** When so large a share has been started. A worker that is replaced has no files of the one before, as in a new container. */
const KILLS = [
	{ share: 1 / 3, isReplaced: false },
	{ share: 2 / 3, isReplaced: true },
];
const RESTARTED_AFTER = 10 * SECOND;
/** n8n notices after a minute and a half, and waits for half a minute more. */
const NOTICED_AFTER = 150 * SECOND;
const ENDED_WITHIN = 15 * MINUTE;
const OPEN = ['new', 'running', 'waiting'];

export async function executions(given: QueueWorld, options: PartOptions): Promise<Section> {
	const { seed, log, report } = options;
	const workflow = { workflowId: WORKFLOW, duration: { medianSeconds: 1 }, steps: [CASE] };
	const counter = await startCounter();
	const configuration = { seed, workflows: [workflow] };
	return withService<QueueWorld, Section>(given, configuration, async (world) => {
		slowDown(world, 'create');
		await importContinuing(world, counter, 1);
		const names = Array.from({ length: options.documents }, (_, index) => `q${seed}-${index}`);
		const post = await poster(world, log);
		const from = log().length;
		const begin = Date.now();
		const posting = post(names);
		const kills: Kill[] = [];
		for (const { share, isReplaced } of KILLS) {
			const started = () => world.simulator.state.executions.all().length;
			await until(() => started() >= share * names.length, ENDED_WITHIN);
			const met = kills.flatMap((kill) => kill.met);
			kills.push(await killOne(world, isReplaced, met));
			report(`A worker was killed while it ran ${kills.at(-1)?.met.length} n8n executions`);
		}
		const ids = await posting;
		await untilEnded(world, ids);
		const took = seconds(Date.now() - begin);
		const lastKill = Math.max(...kills.map(({ at }) => at));
		// n8n may run an n8n execution again whose worker is gone.
		await sleep(lastKill + NOTICED_AFTER - Date.now());
		const ended = await untilEnded(world, ids);
		// The example "Retry after a crash of n8n" looks every minute, and waits for a minute.
		const brokenOff = ended.filter(({ status }) => ['crashed', 'error'].includes(status));
		const unnamed = () => {
			const mails = counter.counted().messages.map(({ text }) => text);
			const isNamed = (id: string) =>
				mails.some((text) => new RegExp(`n8n execution ${id}\\b`).test(text));
			return brokenOff.filter(({ id }) => !isNamed(id));
		};
		await until(() => unnamed().length === 0, 4 * MINUTE, SECOND).catch(() => undefined);
		const itemsOfAll = itemsByName(ended);
		const lines = log().slice(from).split('\n');
		const shown = names.map((name): ShownDocument => {
			const about = lines.filter((line) => line.includes(`(${fileOf(name)})`));
			return { name, workflowId: WORKFLOW, item: itemsOfAll.get(name)?.json, lines: about };
		});
		const { found, lost, doubled, ...counted } = await reconcile(world, shown, {
			nameOf: ({ files }) => files[0]?.fileName.replace(/\.txt$/, '') ?? '',
			sendAgain: async (left) => {
				const items = itemsByName(await untilEnded(world, await post(left)));
				return left.map((name) => items.get(name) ?? { json: {} });
			},
		});
		const met = new Set(kills.flatMap((kill) => kill.met));
		const rest = ended.filter(({ id }) => !met.has(id)).map(fateOf);
		const ofKills = await Promise.all(kills.map(rowsOf));
		const withoutData = counted.documents - counted.withOwnData;
		return {
			title: `Documents, ${DOCUMENTS_OF_A_FORM} in each n8n execution, and two workers that are killed`,
			rows: [
				['documents', counted.documents],
				['n8n executions', ended.length],
				...ofKills.flat(),
				...indented('others', rest),
				['  crashed or failed, and named in a mail', brokenOff.length - unnamed().length],
				['all n8n executions had ended', `${took} after the first call`],
				['executions that the service had started before the steps', counted.started],
				['  found in the output of n8n', found.output],
				["  found in n8n's log", found.log],
				['  found by the search for the file name', found.search],
				['  lost', lost.length],
				['documents that had not been sent, and were sent afterwards', counted.sentAfterwards],
				['documents that were started twice', doubled.length],
				['documents with their own data at the end', counted.withOwnData],
			],
			findings: [
				...unnamed().map(({ id }) => `not named in a mail: n8n execution ${id}`),
				...lost.map((each) => `lost: ${each}`),
				...doubled.map((each) => `started twice: ${each}`),
				...(withoutData > 0 ? [`${withoutData} documents do not have their own data`] : []),
			],
		};
	}).finally(counter.stop);
}

interface Kill {
	at: number;
	isReplaced: boolean;
	/** The n8n executions that the worker ran. */
	met: string[];
	/** How these ended, and when. */
	ended: Promise<{ fates: string[]; at: number }>;
}

/** Kills the busiest worker and starts it again. */
async function killOne(world: QueueWorld, isReplaced: boolean, metBefore: string[]): Promise<Kill> {
	const { worker, running: met } = busiest(world.n8n.workers, metBefore);
	const at = Date.now();
	await worker.end('SIGKILL');
	const ended = untilEnded(world, met).then((all) => ({ fates: all.map(fateOf), at: Date.now() }));
	await sleep(RESTARTED_AFTER);
	if (isReplaced) removeEventLog(worker);
	await worker.start();
	return { at, isReplaced, met, ended };
}

/** In it a worker that starts finds what the one before it did not finish. */
function removeEventLog({ userFolder }: Worker): void {
	const folder = join(userFolder, '.n8n');
	for (const name of readdirSync(folder))
		if (name.startsWith('n8nEventLog')) rmSync(join(folder, name));
}

async function rowsOf({ isReplaced, at, met, ended }: Kill): Promise<Section['rows']> {
	const end = await ended;
	const how = isReplaced ? 'replaced by a new one' : 'started again';
	return [
		[`  met by the kill of a worker that is ${how}`, met.length],
		...indented('ended', end.fates),
		['    the last of them', `${seconds(end.at - at)} after the kill`],
	];
}

const indented = (what: string, texts: string[]): Section['rows'] =>
	countsOf(texts).map(([text, count]) => [`    ${what}: ${text}`, count]);

/** Publishes the n8n workflow; returns what posts documents to it in forms, and returns the ids of the n8n executions. */
async function poster(
	world: QueueWorld,
	log: () => string,
): Promise<(names: string[]) => Promise<string[]>> {
	const sending = documentWorkflow(world, 'createAndWait', WORKFLOW, {
		groupBy: 'document',
		...EARLY,
	});
	const flow = await publish(world, chain('Documents', sending), 'onReceived');
	return async (names) => {
		const forms: string[][] = [];
		for (let at = 0; at < names.length; at += DOCUMENTS_OF_A_FORM)
			forms.push(names.slice(at, at + DOCUMENTS_OF_A_FORM));
		const from = log().length;
		await inTurns(forms, FORMS_AT_ONCE, async (some) => void (await flow.call(formOf(some))));
		// n8n 1 answers a moment before.
		const ids = () => enqueuedIn(log().slice(from));
		await until(() => ids().length >= forms.length);
		return ids();
	};
}

function formOf(names: string[]): FormData {
	const form = new FormData();
	for (const [index, name] of names.entries())
		form.append(`document_${index}`, new Blob([`Case Number: ${name}\n`]), fileOf(name));
	return form;
}

const fileOf = (name: string) => `${name}.txt`;

/** The worker that runs most n8n executions. Those that an earlier kill has met do not count. */
function busiest(workers: Worker[], metBefore: string[]): { worker: Worker; running: string[] } {
	const [most] = workers
		.map((worker) => {
			const idsIn = (event: string) =>
				[...worker.log().matchAll(new RegExp(`Worker ${event} execution (\\d+) `, 'g'))].map(
					([, id = '']) => id,
				);
			const over = new Set([...idsIn('finished'), ...metBefore]);
			return { worker, running: idsIn('started').filter((id) => !over.has(id)) };
		})
		.sort((a, b) => b.running.length - a.running.length);
	if (!most) throw new Error('There is no worker');
	return most;
}

/** The n8n executions once all have ended. n8n notices a killed worker after a minute or two. */
async function untilEnded({ client }: QueueWorld, ids: string[]): Promise<Execution[]> {
	const ended = new Map<string, Execution>();
	const end = Date.now() + ENDED_WITHIN;
	while (ended.size < ids.length) {
		for (const id of ids.filter((each) => !ended.has(each))) {
			const execution = await client.execution(id);
			if (!OPEN.includes(execution.status)) ended.set(id, execution);
		}
		if (Date.now() > end) throw new Error(`${ids.length - ended.size} n8n executions do not end`);
		await sleep(SECOND);
	}
	return [...ended.values()];
}

function itemsByName(ended: Execution[]): Map<string, Item> {
	const items = ended
		.filter(({ status }) => status === 'success')
		.flatMap((execution) => output(execution, NODE));
	return new Map(
		items.map((item) => {
			const [document] = item.json.documents as Array<{ fileName: string }>;
			return [document?.fileName.replace(/\.txt$/, '') ?? '', item];
		}),
	);
}

/** The status, and the first sentence of the error. */
const fateOf = ({ status, error }: Execution) =>
	[status, ...(error ? [error.message.split('. ', 1)] : [])].join(': ');

function countsOf(texts: string[]): Array<[string, number]> {
	const counts = new Map<string, number>();
	for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
	return [...counts];
}
