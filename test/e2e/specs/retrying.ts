import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { lastRun, output, type Execution } from '../../../harness/n8n-execution';
import { nameOf, startWait } from '../../chaos/waits';
import { WRONG_CLIENT_SECRET } from '../../leaks/secrets';
import { chain, documentWorkflow, EARLY, node, readFiles } from '../flows';
import type { Scope } from '../lines';
import { LONG, NEXT, next, NODE, SECOND } from '../longFlows';
import { publish } from '../published';
import { logFromNow, until, withOwnService, type World } from '../support';

const MINUTE = 60 * SECOND;
const SKIPS = [true, false];
const ASIDE = 'Aside';

const DONE = 'completed';
const BEFORE = 'skipped, it was sent before';
const NO_RESULT = `skipped, sent before, no result yet: another run may still wait, or was broken off, review`;
const IN_RETRY = `skipped, sent before, and this is a retry: its result may have been lost with the run before, review`;
const NOTHING = 'Nothing was sent, because the documents may have been sent before n8n crashed';

/** How a run of the node ended: with its error, or what each item says. */
function endOf(execution: Execution): string[] {
	const { status, error, runs } = execution;
	if (error !== undefined) return [error.message];
	expect([status, runs[NEXT]?.length]).toEqual(['success', 1]);
	return output(execution, NODE).map(({ json }) => {
		const [{ reason = '' } = {}] = json.skipped as Array<{ reason?: string }>;
		const marks = [json.needsReview === true && 'review', json.sentAgain === true && 'warning'];
		return [json.status, reason, ...marks].filter(Boolean).join(', ');
	});
}

interface Failure {
	why: string;
	/** What is wrong with the credential, or with the answer to the create of the second of three documents. */
	credential?: Record<string, unknown>;
	answer?: number;
	/** What the person reads before the Retry. */
	told: string;
	/** Where a Retry does not help: how it ends, and how the same documents with *Skip Already Sent* do. */
	instead?: { retried: string[]; skipped: RegExp };
}

const FAILURES: Failure[] = [
	{
		why: 'the credential is wrong',
		credential: { clientSecret: WRONG_CLIENT_SECRET },
		told: 'Check both.',
	},
	{
		why: 'the service cannot be reached',
		credential: { productionUrl: 'http://127.0.0.1:9' },
		told: 'whether the service is running',
	},
	{ why: 'the service refuses a document', answer: 422, told: 'Started for item' },
	{ why: 'an execution fails', told: "n8n's Retry sends only failed documents again" },
	{
		why: 'the service may have a document',
		answer: 503,
		told: 'check the dashboard of the service before you send these documents again',
		instead: {
			retried: ['The service answered with status 503'],
			skipped: /^(completed|skipped, sent before, no result yet.*, review|completed, warning)$/,
		},
	},
];

/** When n8n is killed, by whether the node skips: what each Retry sends and how it ends, and then the same document once more. */
const KILLED = [
	['after its first pause', true, [0, DONE], [0, BEFORE]],
	['after its first pause', false, [0, DONE], [1, DONE]],
	['in the first check', true, [0, NO_RESULT], [0, NO_RESULT]],
	['in the first check', false, [0, NOTHING], [1, DONE], [1, DONE]],
	['before the answer', true, [1, `${DONE}, warning`], [0, BEFORE]],
	['before the answer', false, [0, NOTHING], [1, DONE], [1, DONE]],
	['in the node behind', true, [0, IN_RETRY], [0, BEFORE]],
	['in the node behind', false, [0, NOTHING], [1, DONE], [1, DONE]],
] as const;

/** What a person does after a failure: *Retry* in n8n's list of executions, or the same documents once more. */
export function retryingSpec(world: () => World, { differencesOnly }: Scope): void {
	const quick = FAILURES.filter(({ told }) => !differencesOnly || !told.includes('running'));

	it.each(quick)(
		'sends what was not accepted by Retry, and no other document, when $why',
		async (failure) => {
			for (const skips of SKIPS)
				await withOwnService(world(), async (own) => retryFailed(own, failure, skips));
		},
	);

	const killed = 'gives each result by Retry after a kill, or says first what it sends again';
	if (!differencesOnly) it(killed, async () => withOwnService(world(), retryKilled), 5 * MINUTE);
}

async function retryFailed(own: World, failure: Failure, skipAlreadySent: boolean): Promise<void> {
	const { why, credential = {}, answer, told, instead } = failure;
	const { client, simulator } = own;
	const { executions, faults, workflows } = simulator.state;
	const { id, ...stored } = own.credential;
	const fails = answer === undefined && failure.credential === undefined;
	const folder = join(own.folder, `${why} ${skipAlreadySent} ${Date.now()}`);
	await mkdir(folder);
	for (const name of ['1', '2', '3'])
		await writeFile(join(folder, `${name}.txt`), `Case Number: ${folder}${name}`);
	const byName = `={{ $json.fileName === '2.txt' && ${fails} ? 'failing' : '${LONG}' }}`;
	const parameters = { ...EARLY, documentOptions: { skipAlreadySent }, maximumInParallel: 1 };
	const wait = documentWorkflow(own, 'createAndWait', byName, parameters);
	const read = readFiles(join(folder, '*.txt'));
	const flow = await client.createWorkflow(chain('Failed', read, wait, next('$json.status')));
	workflows.change(LONG, { duration: { fixedSeconds: 0.2 } });
	if (answer !== undefined)
		faults.add({
			...{ route: 'create', requests: { from: 2, to: 2 } },
			action: { type: 'status', status: answer },
		});
	await client.updateCredential(id, { ...stored, data: { ...stored.data, ...credential } });
	const failed = await client.waitForExecution(await client.run(flow));
	expect(lastRun(failed, NODE).error?.description).toContain(told);
	await client.updateCredential(id, stored);
	workflows.change('failing', { failWith: null });

	const sent = () => executions.all().map(nameOf).sort().join('');
	const before = sent();
	const again = await client.waitForExecution(await client.retryExecution(failed.id));
	expect([sent(), endOf(again)]).toEqual([
		instead ? before : fails ? '1223' : '123',
		instead?.retried ?? [DONE, DONE, DONE],
	]);
	const after = sent();
	const same = await client.waitForExecution(await client.run(flow));
	if (skipAlreadySent) expect(sent()).toBe(instead ? '123' : after);
	else expect(sent()).toBe([...after, '1', '2', '3'].sort().join(''));
	const end = skipAlreadySent
		? (instead?.skipped ?? /^skipped, it was sent before$/)
		: /^completed$/;
	expect(endOf(same)).toEqual(Array(3).fill(expect.stringMatching(end)));
}

async function retryKilled(own: World): Promise<void> {
	const { client, clock, n8n, simulator } = own;
	const { executions, faults, requests, workflows } = simulator.state;
	const long = clock.now() + 10 * MINUTE;
	const waits = await Promise.all(
		KILLED.map(async ([moment, skipAlreadySent, ...expected]) => {
			const isBehind = moment === 'in the node behind';
			const wait = documentWorkflow(own, 'createAndWait', isBehind ? 'cases' : LONG, {
				documentOptions: { skipAlreadySent },
				waiting: { firstCheckSeconds: 1, pauseAfterSeconds: isBehind ? 60 : 5 },
			});
			const amount = isBehind ? `={{ Date.now() < ${long} ? 60 : 0 }}` : 0;
			const aside = node(ASIDE, 'n8n-nodes-base.wait', 1.1, { amount });
			const json = chain('Killed', wait, aside, next('$json.status'));
			const flow = await publish(own, json, 'onReceived');
			const name = `${moment} ${skipAlreadySent}`;
			return { flow, moment, name, expected };
		}),
	);
	const begin = async (wanted: string) => {
		const begun = waits.filter(({ moment }) => moment === wanted);
		return Promise.all(begun.map(async ({ flow, name }) => startWait(flow, name)));
	};
	const areOpen = async (count: number) =>
		until(
			() => requests.all().filter(({ finishedAt }) => finishedAt === null).length === count,
			MINUTE,
		);
	const slow = { type: 'delay', milliseconds: MINUTE } as const;
	for (const wait of await begin('after its first pause'))
		await until(async () => (await client.execution(wait?.id ?? '')).status === 'waiting', MINUTE);
	const logged = logFromNow(n8n.log);
	workflows.change('cases', { duration: { fixedSeconds: 0.2 } });
	await begin('in the node behind');
	await until(() => logged().split(`Running node "${ASIDE}" started`).length === 3, MINUTE);
	faults.add({ route: 'get', action: slow });
	await clock.move(20 * MINUTE);
	await clock.look();
	await begin('in the first check');
	await areOpen(4);
	faults.add({ route: 'create', action: slow });
	await begin('before the answer');
	await areOpen(6);
	await sleep(2 * SECOND); // until n8n has written its log of events
	await n8n.main.end('SIGKILL');
	faults.clear();
	await areOpen(0);
	workflows.change(LONG, { duration: { fixedSeconds: 0.2 } });
	for (const { executionId } of executions.all())
		await executions.finish(executionId, { status: 'completed' });
	await n8n.main.start();

	const runs = waits.map(async ({ flow, name, expected }) => {
		const [first = ''] = await flow.executionIds(1);
		await until(async () => (await client.execution(first)).status === 'crashed', MINUTE);
		const ends = [];
		for (let count = 1; count <= expected.length; count++) {
			const sent = () => executions.all().filter((each) => nameOf(each) === name).length;
			const before = sent();
			const last = (await flow.executionIds(count)).at(-1) ?? '';
			if (count === expected.length) await startWait(flow, name, count + 1);
			else void client.retryExecution(last).catch(() => undefined);
			const id = (await flow.executionIds(count + 1)).at(-1) ?? '';
			const isOver = async () => {
				const { status } = await client.execution(id);
				if (status === 'waiting') await clock.move(MINUTE); // what is continued soon after a start
				if (status === 'waiting') await clock.look();
				return !['new', 'running', 'waiting'].includes(status);
			};
			await until(isOver, 2 * MINUTE, SECOND);
			ends.push([sent() - before, endOf(await client.waitForExecution(id)).join()]);
		}
		return ends;
	});
	const ends = await Promise.all(runs);
	const table = KILLED.map(([moment, skips], index) => [moment, skips, ...(ends[index] ?? [])]);
	expect(table).toEqual(KILLED);
}
