import type { Fault } from '../../simulator/state/faults';
import {
	delivered,
	endedExecution,
	GET,
	notification,
	startedJson,
	notify,
} from './support/notifications';
import { expectNoSecretIn } from './support/secrets';
import { OTHER_CLIENT_ID, OTHER_CLIENT_SECRET, useService } from './support/service';
import { useTrigger, WEBHOOK_KEY } from './support/webhook';

const service = useService();
const trigger = useTrigger(service);

describe('The trigger answers 503, so that the service retries, and starts nothing,', () => {
	it('until the event is accepted', async () => {
		service.state.faults.add(GET({ type: 'status', status: 503 }, { times: 2 }));
		const { url, answers } = await trigger.listen();
		notify(service, url);
		const executionId = await endedExecution(service);
		expect(await delivered(service)).toEqual([503, 503, 200]);
		expect(answers[0]?.body).toEqual({
			message: 'Not possible at the moment. Send the event again',
		});
		expect(answers.flatMap(startedJson)).toMatchObject([{ executionId }]);
	});

	it('while n8n cannot read the credential', async () => {
		const body = notification(await endedExecution(service));
		const reading = jest.spyOn(service.store, 'getDecrypted');
		reading.mockRejectedValueOnce(new Error('The database is locked'));
		expect(await trigger.call({ body })).toMatchObject({ status: 503, items: undefined });
		trigger.restart();
		expect(await trigger.call({ body })).toMatchObject({ status: 200, body: { outcome: 'start' } });
	});

	it('for an execution that the service does not know, and logs it', async () => {
		expect(await trigger.call({ body: notification('no-such-id') })).toMatchObject({
			status: 503,
			items: undefined,
		});
		expect(trigger.logs.join()).toContain(
			'warn: Execution no-such-id (workflow intake) could not be read: Workflow "intake" has no execution "no-such-id"',
		);
	});
});

it.each(['apiKey', 'none'])(
	'When the API rejects the IDs, the trigger answers 503 (%s)',
	async (triggerAuthentication) => {
		await trigger.enterCalls({ triggerAuthentication });
		service.state.faults.add(GET({ type: 'status', status: 422, body: { detail: 'No ID' } }));
		expect(await trigger.call({ body: notification('e-1') })).toMatchObject({
			status: 503,
			items: undefined,
		});
	},
);

describe('No secret is in an answer, an item, the log or stored data', () => {
	it.each<[string, Fault | undefined]>([
		['after an event that starts the workflow', undefined],
		['after a rejected token', GET({ type: 'status', status: 401 })],
		['after a broken connection', GET({ type: 'reset', when: 'after' })],
		[
			'after a token endpoint that echoes the request',
			{
				route: 'token',
				action: { type: 'status', status: 422, body: { detail: OTHER_CLIENT_SECRET } },
			},
		],
	])('%s', async (_what, fault) => {
		const executionId = await endedExecution(service);
		// Another client has no token yet.
		await service.enter(
			fault?.route === 'token'
				? { clientId: OTHER_CLIENT_ID, clientSecret: OTHER_CLIENT_SECRET }
				: {},
		);
		if (fault !== undefined) service.state.faults.add(fault);
		const answered = await trigger.call({ body: notification(executionId) });
		expect(answered.status).toBe(fault === undefined ? 200 : 503);
		expectNoSecretIn([answered, trigger.logs, trigger.staticData], [WEBHOOK_KEY]);
	});
});
