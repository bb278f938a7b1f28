import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { lastRun, output, type Execution } from '../../../harness/n8n-execution';
import { CASE } from '../../chaos/service';
import { nameOf, startWait } from '../../chaos/waits';
import { WRONG_CLIENT_SECRET } from '../../leaks/secrets';
import { startHandler } from '../../servers';
import { chain, documentWorkflow, EARLY, node, readFiles } from '../flows';
import type { Scope } from '../lines';
import { LONG, NEXT, next, NODE, SECOND } from '../longFlows';
import { publish } from '../published';
import { until, withOwnService, type World } from '../support';

const MINUTE = 60 * SECOND;
const DONE = 'completed';
const BEFORE = 'skipped, it was sent before';
const NO_RESULT = `skipped, sent before, no result yet: another run may still wait for it, or was stopped, review`;
const IN_RETRY = `skipped, sent before, and this is a retry: its result may have been lost with the run before, review`;
const NOTHING = 'Nothing was sent, because the documents may have been sent before n8n crashed';

/** What was wrong, how it is in the credential or in the answer to the create of the second of three documents, and what the person reads before a Retry. */
const FAILURES = [
	['the credential is wrong', { clientSecret: WRONG_CLIENT_SECRET }, 'Check both in'],
	['nothing answers', { productionUrl: 'http://127.0.0.1:9' }, 'whether the service is running'],
	['the service refuses a document', 422, 'Started for item'],
	['a document may have been sent', 503, 'check the dashboard of the service before you send'],
] as const;

/** When n8n is killed, by whether the node skips: what each Retry sends and how it ends, and then the same document once more. */
const KILLED = [
	['in the node behind', true, [0, IN_RETRY], [0, BEFORE]],
	['in the node behind', false, [0, NOTHING], [1, DONE], [1, DONE]],
	['after its first pause', true, [0, DONE], [0, BEFORE]],
	['after its first pause', false, [0, DONE], [1, DONE]],
	['in the first check', true, [0, NO_RESULT], [0, NO_RESULT]],
	['in the first check', false, [0, NOTHING], [1, DONE], [1, DONE]],
	['before the answer', true, [1, `${DONE}, review, warning`], [0, BEFORE]],
	['before the answer', false, [0, NOTHING], [1, DONE], [1, DONE]],
	['before the answer, with saved progress', false, [0, NOTHING], [1, DONE], [1, DONE]],
] as const;

/** What a person does after a failure: *Retry* in n8n's list of executions, or the same documents once more. */
export function retryingSpec(world: () => World, { differencesOnly, long }: Scope): void {
	const cells = FAILURES.flatMap(([why, ...how]) =>
		[true, false].map((skips) => [why, skips, ...how] as const),
	);
	const isQuick = ([why]: (typeof cells)[number]) => why !== 'nothing answers';
	const isOnBothLines = ([why]: (typeof cells)[number]) => why === 'the service refuses a document';
	it.each(long ? cells : cells.filter(differencesOnly ? isOnBothLines : isQuick))(
		'Retry sends what was not accepted, and no other document, when %s (Skip Already Sent: %s)',
		async (why, skips, wrong, told) =>
			withOwnService(world(), async (own) => retryFailed(own, why, skips, wrong, told)),
	);
	it('The next run sends a document whose execution failed, and skips the others (Skip Already Sent)', async () =>
		withOwnService(world(), sendFailedAgain));
	const title = 'Retry after a kill gives each result, or says first what it sends again';
	if (!differencesOnly) it(title, async () => withOwnService(world(), retryKilled));
}

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

/** An n8n workflow that sends three files, one after the other. */
async function threeDocuments(
	own: World,
	name: string,
	workflowId: string,
	skipAlreadySent: boolean,
): Promise<string> {
	const folder = join(own.folder, `${name} ${Date.now()}`);
	await mkdir(folder);
	for (const number of ['1', '2', '3'])
		await writeFile(join(folder, `${number}.txt`), `Case Number: ${folder}${number}`);
	const parameters = { ...EARLY, documentOptions: { skipAlreadySent }, maximumInParallel: 1 };
	const wait = documentWorkflow(own, 'createAndWait', workflowId, parameters);
	const read = readFiles(join(folder, '*.txt'));
	return own.client.createWorkflow(chain('Failed', read, wait, next('$json.status')));
}

async function sendFailedAgain(own: World): Promise<void> {
	const { client, simulator } = own;
	const { executions, workflows } = simulator.state;
	const byName = `={{ $json.fileName === '2.txt' ? 'failing' : '${LONG}' }}`;
	const flow = await threeDocuments(own, 'fails', byName, true);
	const run = async () => endOf(await client.waitForExecution(await client.run(flow)));
	workflows.change(LONG, { duration: { fixedSeconds: 0.2 } });
	expect(await run()).toEqual([DONE, 'failed, review', DONE]);
	workflows.change('failing', { failWith: null, steps: [CASE] });
	expect(await run()).toEqual([BEFORE, DONE, BEFORE]);
	expect(executions.all().map(nameOf).sort().join('')).toBe('1223');
}

async function retryFailed(
	own: World,
	why: string,
	skipAlreadySent: boolean,
	wrong: number | object,
	told: string,
): Promise<void> {
	const { client, simulator, credential } = own;
	const { executions, faults, workflows } = simulator.state;
	const flow = await threeDocuments(own, `${why} ${skipAlreadySent}`, LONG, skipAlreadySent);
	const run = async (id: Promise<string>) => client.waitForExecution(await id);
	const sent = () => executions.all().map(nameOf).sort().join('');
	workflows.change(LONG, { duration: { fixedSeconds: 0.2 } });
	const second = { route: 'create', requests: { from: 2, to: 2 } } as const;
	if (wrong === 422 || wrong === 503)
		faults.add({ ...second, action: { type: 'status', status: wrong } });
	else {
		const data = { ...credential.data, ...(wrong as object) };
		await client.updateCredential(credential.id, { ...credential, data });
	}
	const failed = await run(client.run(flow));
	expect(lastRun(failed, NODE).error?.description).toContain(told);
	const before = sent();
	await client.updateCredential(credential.id, credential);

	const again = await run(client.retryExecution(failed.id));
	if (wrong === 503)
		expect([sent(), endOf(again)]).toEqual([before, ['The service answered with status 503']]);
	else expect([sent(), endOf(again)]).toEqual(['123', [DONE, DONE, DONE]]);
	const after = sent();
	const ends = endOf(await run(client.run(flow)));
	if (!skipAlreadySent) {
		expect(ends).toEqual([DONE, DONE, DONE]);
		expect(sent()).toBe([...after, '1', '2', '3'].sort().join(''));
	} else if (wrong === 503) {
		expect(ends).toContain(`${DONE}, review, warning`);
		expect([sent(), ends.filter((end) => end === NO_RESULT).length]).toEqual(['123', after.length]);
	} else expect([sent(), ends]).toEqual([after, [BEFORE, BEFORE, BEFORE]]);
}

async function retryKilled(own: World): Promise<void> {
	const { client, clock, n8n, simulator } = own;
	const { executions, faults, requests, workflows } = simulator.state;
	let [calls, isKilled] = [0, false];
	const { url, stop } = await startHandler(
		(_, answer) => void (isKilled ? answer.end('{}') : (calls += 1)),
	);
	const publishOne = async ([moment, skipAlreadySent, ...expected]: (typeof KILLED)[number]) => {
		const wait = documentWorkflow(own, 'createAndWait', LONG, {
			documentOptions: { skipAlreadySent },
			waiting: { firstCheckSeconds: 1, pauseAfterSeconds: 5 },
		});
		const behind = node('Behind', 'n8n-nodes-base.httpRequest', 4.2, { url, options: {} });
		const saveExecutionProgress = moment.endsWith('saved progress');
		const settings = { executionOrder: 'v1', saveExecutionProgress };
		const json = { ...chain('Killed', wait, behind, next('$json.status')), settings };
		const flow = await publish(own, json, 'onReceived');
		return { flow, moment, name: `${moment} ${skipAlreadySent}`, tries: expected.length };
	};
	const waits = await Promise.all(KILLED.map(publishOne));
	const begin = async (wanted: string) => {
		const begun = waits.filter(({ moment }) => moment.startsWith(wanted));
		return Promise.all(begun.map(async ({ flow, name }) => startWait(flow, name)));
	};
	const isOpen = ({ finishedAt }: { finishedAt: number | null }) => finishedAt === null;
	const areOpen = async (count: number) =>
		until(() => requests.all().filter(isOpen).length === count);
	const statusOf = async (id = '') => (await client.execution(id)).status;
	const slow = { type: 'delay', milliseconds: MINUTE } as const;

	workflows.change(LONG, { duration: { fixedSeconds: 0.2 } });
	await begin('in the node behind');
	await until(() => calls === 2);
	workflows.change(LONG, { duration: { fixedSeconds: 1_000 } });
	for (const wait of await begin('after its first pause'))
		await until(async () => (await statusOf(wait?.id)) === 'waiting');
	faults.add({ route: 'get', action: slow });
	await clock.move(20 * MINUTE);
	await clock.look();
	await begin('in the first check');
	await areOpen(4);
	faults.add({ route: 'create', action: slow });
	await begin('before the answer');
	await areOpen(7);
	await sleep(2 * SECOND); // until n8n has written its log of events
	const recoveries = () => n8n.log().split('Found unfinished executions').length;
	const recovered = recoveries();
	await n8n.main.end('SIGKILL');
	isKilled = true;
	faults.clear();
	await areOpen(0);
	workflows.change(LONG, { duration: { fixedSeconds: 0.2 } });
	for (const { executionId } of executions.all())
		await executions.finish(executionId, { status: 'completed' });
	await n8n.main.start();
	// With saved progress, n8n moves the files of a run just after it has marked the run as crashed.
	await until(() => recoveries() > recovered, MINUTE);

	const ends = waits.map(async ({ flow, name, tries }) => {
		const ended = [];
		for (let count = 1; count <= tries; count++) {
			const sent = () => executions.all().filter((each) => nameOf(each) === name).length;
			const before = sent();
			const last = (await flow.executionIds(count)).at(-1) ?? '';
			if (count === 1) await until(async () => (await statusOf(last)) === 'crashed');
			if (count === tries) await startWait(flow, name, count + 1);
			else void client.retryExecution(last).catch((error: unknown) => console.warn(String(error)));
			const id = (await flow.executionIds(count + 1)).at(-1) ?? '';
			const isOver = async () => {
				const status = await statusOf(id);
				if (status !== 'waiting') return !['new', 'running'].includes(status);
				await clock.move(MINUTE); // what is continued soon after a start pauses once more
				await clock.look();
				return false;
			};
			await until(isOver, 3 * MINUTE, SECOND);
			ended.push([sent() - before, endOf(await client.waitForExecution(id)).join()]);
		}
		return ended;
	});
	const table = (await Promise.all(ends)).map((each, index) => [
		...(KILLED[index] ?? []).slice(0, 2),
		...each,
	]);
	await stop();
	expect(table).toEqual(KILLED);
}
