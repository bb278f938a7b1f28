import { setTimeout as sleep } from 'node:timers/promises';
import { chain, documentWorkflow, node } from '../flows';
import { CASE, SECOND } from '../longFlows';
import { withTrigger } from '../notifying';
import { publish } from '../published';
import { completeOutsideN8n, expectedOf, until, type World } from '../support';
import { startRegister } from './survival';

const MINUTE = 60_000;
const WAITS = 3;
const DOCUMENT = 'declarations-page';

/** For an n8n that runs one n8n execution at a time. n8n 1 then queues a pause that is due again every minute. */
export function limitedSpec(world: () => World): void {
	const ended = async (id: string, count: number, status = 'success') =>
		until(
			async () => (await world().client.countExecutions(id, status)) === count,
			4 * MINUTE,
			SECOND,
		);

	/** An n8n workflow that takes the only place for 50 seconds. */
	const publishHolding = async () => {
		const hold = node('Hold', 'n8n-nodes-base.wait', 1.1, { amount: 50 });
		return publish(world(), chain('Holding', hold), 'onReceived');
	};

	it(
		'starts the workflow once when an event is sent again while n8n has not started it for minutes',
		async () => {
			const { client, clock } = world();
			const { workflowId } = expectedOf(DOCUMENT);
			const holding = await publishHolding();
			await withTrigger(world(), { workflowIds: [] }, async (notified) => {
				const { executionId } = await completeOutsideN8n(world(), workflowId, `${DOCUMENT}.pdf`);
				const event = { workflow_id: workflowId, workflow_execution_id: executionId };
				const send = async () => notified.call({ ...event, status: 'completed' });
				await holding.call({});
				const first = send();
				await sleep(5 * SECOND); // until it waits in n8n's queue
				await clock.move(10 * MINUTE);
				const second = send();
				await ended(holding.id, 1);
				await Promise.all([first, second]);
				expect(await send()).toMatchObject({ status: 200, data: { outcome: 'duplicate' } });
				expect(await client.executionIds(notified.id)).toHaveLength(1);
			});
		},
		5 * MINUTE,
	);

	it(
		'runs the next node once for each of three pauses that fall due while the only place is taken',
		async () => {
			const { simulator, clock } = world();
			const { executions } = simulator.state;
			const register = await startRegister();
			const number = "{{ $('Start').item.json.body.number }}";
			const textInputs = [{ name: 'Case Number', value: `=CASE-${number}` }];
			const wait = documentWorkflow(world(), 'createAndWait', 'never-ending-cases', {
				...{ ...CASE, inputs: { textInputs } },
				waiting: { firstCheckSeconds: 1, pauseAfterSeconds: 5 },
			});
			const url = `=${register.url}/${number}`;
			const take = node('Take', 'n8n-nodes-base.httpRequest', 4.2, { url, options: {} });
			const flow = await publish(world(), chain('Limited', wait, take), 'onReceived');
			const holding = await publishHolding();
			try {
				for (let each = 0; each < WAITS; each++) await flow.call({ number: each });
				await ended(flow.id, WAITS, 'waiting');
				await holding.call({});
				for (const { executionId } of executions.all())
					await executions.finish(executionId, { status: 'completed' });
				for (let minute = 0; minute < 4; minute++) {
					await clock.move(MINUTE);
					await clock.look();
				}
				await ended(holding.id, 1);
				await ended(flow.id, WAITS);
				await sleep(20 * SECOND); // what n8n has queued besides
				expect([...register.taken.values()].map(({ length }) => length)).toEqual([1, 1, 1]);
			} finally {
				await register.stop();
			}
		},
		12 * MINUTE,
	);
}
