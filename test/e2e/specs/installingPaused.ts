import { installPackage, openPackages } from '../../../harness/gestures';
import type { Line } from '../../../harness/install';
import { output } from '../../../harness/n8n-execution';
import { chain, numbers, split } from '../flows';
import { casesOf, longWait, next, NEXT, startAndPause } from '../longFlows';
import { cardOf, remove, update, withoutPackage } from '../packages';
import { logFromNow, storeCredential, until } from '../support';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const WORKFLOW = 'Wait for a case';
const [FIRST, SECOND] = ['1.0.0', '1.1.0'];

/** n8n executions that are paused while the package changes. */
export function installingPausedSpec(line: Line): void {
	it(`gives paused n8n executions their results after an update, one that a crash broke off by Retry, and after it is installed again, also to one that was due without it, in ${line}`, async () => {
		await withoutPackage(
			line,
			async ({ client, clock, editor, log, publish, restart, simulator }) => {
				const { page } = editor;
				const { executions, faults, requests } = simulator.state;
				/** The service ends all executions, and n8n checks them. */
				const checkAll = async () => {
					for (const { executionId } of executions.all())
						await executions.finish(executionId, { status: 'completed' });
					await clock.move(HOUR);
					await clock.look();
				};
				const endsWithResult = async (id: string) => {
					const execution = await client.waitForExecution(id);
					expect([execution.status, execution.error?.message]).toEqual(['success', undefined]);
					expect(output(execution, NEXT).map(({ json }) => json)).toEqual(casesOf(0));
				};
				await publish(FIRST);
				await openPackages(editor);
				await installPackage(page);
				await cardOf(page, FIRST).waitFor();
				const credential = await storeCredential(client, simulator);
				const wait = longWait({ credential }, {}, {}, 'never-ending-cases');
				const flow = chain(WORKFLOW, numbers(1), split(), wait, next());

				const broken = await startAndPause({ client }, flow);
				requests.clear();
				faults.add({ route: 'get', action: { type: 'delay', milliseconds: MINUTE } });
				await clock.move(HOUR);
				await clock.look();
				await until(() => requests.all().some(({ route }) => route === 'get'));
				await restart('SIGKILL');
				faults.clear();
				await until(async () => (await client.execution(broken)).status === 'crashed');

				const first = await startAndPause({ client }, flow);
				await publish(SECOND);
				await openPackages(editor);
				await update(page, WORKFLOW);
				await cardOf(page, SECOND).waitFor();
				await checkAll();
				await endsWithResult(first);
				await endsWithResult(await client.retryExecution(broken));

				const second = await startAndPause({ client }, flow);
				await openPackages(editor);
				await remove(page, WORKFLOW);
				await installPackage(page);
				await cardOf(page, SECOND).waitFor();
				await checkAll();
				await endsWithResult(second);

				const third = await startAndPause({ client }, flow);
				await openPackages(editor);
				await remove(page, WORKFLOW);
				const logged = logFromNow(log);
				await checkAll();
				await until(() => logged().includes('Unrecognized node type'));
				await installPackage(page);
				await cardOf(page, SECOND).waitFor();
				const count = executions.all().length;
				if (line === 'n8n-2') {
					await clock.look();
					await endsWithResult(third);
				} else {
					await restart(); // only then does n8n 1 know that it does not run
					await endsWithResult(await client.retryExecution(third));
				}
				expect(executions.all()).toHaveLength(count);
			},
		);
	});
}
