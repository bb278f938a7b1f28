import { answer } from './support/answers';
import { notification, startedJson } from './support/notifications';
import { useService } from './support/service';
import { useTrigger } from './support/webhook';

const service = useService();
const trigger = useTrigger(service);

describe('Filters', () => {
	const IGNORED = { status: 200, items: undefined, body: { outcome: 'ignored' } };

	it('Events uses the status of the API, not of the notification', async () => {
		answer(service, { status: 'failed', steps: [] });
		expect(
			await trigger.call({
				body: notification('e-1', { status: 'completed' }),
				parameters: { events: ['completed'] },
			}),
		).toMatchObject(IGNORED);
	});

	it('A notification of progress is ignored unless the API reports the end of the execution', async () => {
		answer(service, { status: 'running' });
		expect(
			await trigger.call({ body: notification('e-1', { status: 'reading pages' }) }),
		).toMatchObject(IGNORED);
		service.state.faults.clear();
		answer(service, { status: 'completed', steps: [] });
		for (const id of ['e-1', 'e-2'])
			expect(
				startedJson(await trigger.call({ body: notification(id, { status: 'delivered' }) })),
			).toMatchObject([{ status: 'completed' }]);
	});
});
