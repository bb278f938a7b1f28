import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { lastRun, output, type Execution } from '../../../harness/n8n-execution';
import type { Fault } from '../../../simulator/state/faults';
import { startWait } from '../../chaos/waits';
import { WRONG_CLIENT_SECRET } from '../../leaks/secrets';
import { chain, documentWorkflow, EARLY, readFiles } from '../flows';
import type { Scope } from '../lines';
import { LONG, NEXT, next, NODE } from '../longFlows';
import { publish } from '../published';
import { until, withOwnService, type World } from '../support';

const MINUTE = 60_000;
const SKIPS = [true, false];
const BEFORE = 'it was sent before';
const NO_RESULT = 'sent before, no result yet: another run may still wait, or was broken off';
const NOTHING_SENT = 'Nothing was sent, because the documents may have been sent before n8n crashed';

const creates = ({ simulator: { state } }: World) =>
	state.requests.all().filter(({ route, status }) => route === 'create' && status !== 422).length;

/** How a run of the node ended: its error, or what each item says. */
function endOf({ status, error, runs }: Execution): string[] {
	if (error !== undefined) return [error.message];
	expect([status, runs[NEXT]?.length]).toEqual(['success', 1]);
	return output({ status, runs } as Execution, NODE).map(({ json }) => {
		const [{ reason = '' } = {}] = json.skipped as Array<{ reason?: string }>;
		const marks = [json.needsReview === true && 'review', json.sentAgain === true && 'warning'];
		return [json.status, reason, ...marks].filter(Boolean).join(', ');
	});
}

interface Failure {
	why: string;
	/** What the service answers, until it is mended. */
	fault?: Omit<Fault, 'faultId'>;
	error: string;
	/** Creates of the run that failed, of its Retry, and of the same documents again with *Skip Already Sent*. */
	sent: [number, number, number];
	/** How the Retry ends, if not with all results. */
	retried?: string;
}

const status = (code: number) => ({ type: 'status', status: code }) as const;
const SECOND_CREATE = { route: 'create', requests: { from: 2, to: 2 } } as const;

const FAILURES: Failure[] = [
	{ why: 'credential is wrong', error: '?', sent: [0, 3, 0] },
	{
		why: 'service gives no token',
		fault: { route: 'token', action: status(503) },
		error: '?',
		sent: [0, 3, 0],
	},
	{
		why: 'service refuses a document',
		fault: { ...SECOND_CREATE, action: status(422) },
		error: '?',
		sent: [2, 1, 0],
	},
	{ why: 'execution of a document fails', error: '?', sent: [3, 1, 0] },
	{
		why: 'service may have got a document',
		fault: { ...SECOND_CREATE, action: status(503) },
		...{ error: '?', sent: [3, 0, 1], retried: '?' },
	},
];

/** What a person does after a failure: Retry in n8n's list of executions, or the same documents once more. */
export function retryingSpec(world: () => World, { long }: Scope): void {
	describe.each(FAILURES)('When the $why', ({ why, fault, error, sent, retried }) => {
		it.each(SKIPS)(
			'a Retry sends what was not accepted, and no other document (Skip Already Sent: %s)',
			async (skipAlreadySent) => {
				await withOwnService(world(), async (own) => {
					const { client, credential, simulator } = own;
					const { faults, workflows } = simulator.state;
					const { id, ...stored } = credential;
					if (fault !== undefined) faults.add(fault);
					if (why.startsWith('credential'))
						await client.updateCredential(id, {
							...stored,
							data: { ...stored.data, clientSecret: WRONG_CLIENT_SECRET },
						});
					const folder = join(own.folder, `retried ${why} ${skipAlreadySent}`);
					await mkdir(folder);
					for (const name of ['1', '2', '3'])
						await writeFile(join(folder, `${name}.txt`), `Case Number: ${name} ${folder}`);
					const workflowId = why.startsWith('execution')
						? "={{ $json.fileName === '2.txt' ? 'failing' : 'quick' }}"
						: 'quick';
					const flow = await client.createWorkflow(
						chain(
							'Retried',
							readFiles(join(folder, '*.txt')),
							documentWorkflow(own, 'createAndWait', workflowId, {
								...EARLY,
								documentOptions: { skipAlreadySent },
								maximumInParallel: 1,
							}),
							next('$json.executionId'),
						),
					);
					const run = async (start: () => Promise<string>) => {
						const before = creates(own);
						const ended = await client.waitForExecution(await start());
						return { ended, sent: creates(own) - before };
					};
					const failed = await run(async () => client.run(flow));
					console.log(why, skipAlreadySent, failed.sent, JSON.stringify(lastRun(failed.ended, NODE).error?.description), endOf(failed.ended));
					faults.clear();
					workflows.change('failing', { failWith: null });
					await client.updateCredential(id, stored);

					const again = await run(async () => client.retryExecution(failed.ended.id));
					console.log(again.sent, endOf(again.ended), JSON.stringify(lastRun(again.ended, NODE).error?.description));
					const same = await run(async () => client.run(flow));
					console.log(same.sent, endOf(same.ended));
				});
			},
		);
	});

	/** When n8n is killed, by whether the node skips: the creates and the end of each Retry, and then of the same document again. */
	const KILLED = [
		['after its first pause', true, ['0: completed', `0: skipped, ${BEFORE}`]],
		['after its first pause', false, ['0: completed', '1: completed']],
		['in the first check', true, [`0: skipped, ${NO_RESULT}, review`, `0: skipped, ${NO_RESULT}, review`]],
		['in the first check', false, [`0: ${NOTHING_SENT}`, '1: completed', '1: completed']],
		['before the answer', true, ['1: completed, warning', `0: skipped, ${BEFORE}`]],
		['before the answer', false, [`0: ${NOTHING_SENT}`, '1: completed', '1: completed']],
	] as const;

	it(
		'after a kill, a Retry gives each result, or says that it is missing before a document is sent again',
		async () => {
			await withOwnService(world(), async (own) => {
				const { client, clock, n8n, simulator } = own;
				const { executions, faults, requests, workflows } = simulator.state;
				const waits = KILLED.map(async ([moment, skipAlreadySent]) => {
					const wait = documentWorkflow(own, 'createAndWait', LONG, {
						documentOptions: { skipAlreadySent },
						waiting: { firstCheckSeconds: 1, pauseAfterSeconds: 5 },
					});
					const flow = await publish(own, chain('Killed', wait, next('$json.executionId')), 'onReceived');
					const name = `${moment} ${skipAlreadySent}`;
					const ids = async (count: number) => (await client.executionIds(flow.id, count)).at(-1) ?? '';
					return { flow, moment, name, ids };
				});
				const all = await Promise.all(waits);
				const begin = async (wanted: string) =>
					Promise.all(
						all
							.filter(({ moment }) => moment === wanted)
							.map(async ({ flow, name }) => startWait(flow, name)),
					);
				const open = () => requests.all().filter(({ finishedAt }) => finishedAt === null).length;
				const slow = { type: 'delay', milliseconds: MINUTE } as const;
				const paused = await begin('after its first pause');
				for (const wait of paused)
					await until(async () => (await client.execution(wait?.id ?? '')).status === 'waiting', MINUTE);
				faults.add({ route: 'get', action: slow });
				await clock.move(20 * MINUTE);
				await clock.look();
				await begin('in the first check');
				await until(() => open() === 4, MINUTE);
				faults.add({ route: 'create', action: slow });
				await begin('before the answer');
				await until(() => open() === 6, MINUTE);
				await sleep(2_000); // until n8n has written its log of events
				await n8n.main.end('SIGKILL');
				faults.clear();
				workflows.change(LONG, { duration: { fixedSeconds: 0.2 } });
				for (const { executionId } of executions.all())
					await executions.finish(executionId, { status: 'completed' });
				await n8n.main.start();

				const ends: unknown[] = [];
				for (const [index, [moment, skips, expected]] of KILLED.entries()) {
					const wait = all[index];
					if (wait === undefined) throw new Error();
					const ended = [];
					await until(async () => (await client.execution(await wait.ids(1))).status === 'crashed', MINUTE);
					for (let count = 1; count <= expected.length; count++) {
						const before = creates(own);
						if (count < expected.length)
							void client.retryExecution(await wait.ids(count)).catch(() => undefined);
						else await startWait(wait.flow, wait.name, count + 1);
						const id = await wait.ids(count + 1);
						const isOver = async () => {
							const { status } = await client.execution(id);
							if (status === 'waiting') {
								await clock.move(3 * MINUTE); // what is continued soon after a start pauses once more
								await clock.look();
							}
							return !['new', 'running', 'waiting'].includes(status);
						};
						await until(isOver, 2 * MINUTE, 500);
						const end = endOf(await client.waitForExecution(id));
						ended.push(`${creates(own) - before}: ${end.join()}`);
					}
					ends.push([moment, skips, ended]);
				}
				expect(ends).toEqual(KILLED);
			});
		},
		5 * MINUTE,
	);
}
