import { answer } from './support/answers';
import { notification, startedJson } from './support/notifications';
import { useService, WORKFLOW_ID } from './support/service';
import { useTrigger, type Answered } from './support/webhook';

const service = useService();
const trigger = useTrigger(service);

const call = (executionId: string, more: Record<string, unknown> = {}) =>
	trigger.call({ body: notification(executionId, more) });
const outcomeOf = ({ body }: Answered) => (body as { outcome: string }).outcome;

/** Advances the clock and then holds it. */
function later(milliseconds: number): void {
	const now = Date.now() + milliseconds;
	jest.spyOn(Date, 'now').mockReturnValue(now);
}

beforeEach(() => answer(service, { steps: [] }));
afterEach(() => void jest.spyOn(Date, 'now').mockRestore());

describe('A repeated event', () => {
	it('is a duplicate however its IDs are spelled, when the API gives back one spelling', async () => {
		service.state.faults.clear();
		answer(service, { workflow_id: WORKFLOW_ID, workflow_execution_id: 'e-1', steps: [] });
		const spellings = ['e-1', 'E-1', 'e-1'].map((id) => [id, WORKFLOW_ID] as const);
		const answered = [];
		for (const [id, workflow_id] of [...spellings, ['E-1', WORKFLOW_ID.toUpperCase()] as const])
			answered.push(await call(id, { workflow_id }));
		expect(answered.map(outcomeOf)).toEqual(['start', 'duplicate', 'duplicate', 'duplicate']);
	});
});

it('An event that was ignored starts the workflow once its status is chosen under Events and it is sent again', async () => {
	service.state.faults.clear();
	answer(service, { status: 'failed' });
	const sent = { body: notification('e-1', { status: 'failed' }) };
	const before = await trigger.call({ ...sent, parameters: { events: ['completed'] } });
	const after = await trigger.call({ ...sent, parameters: { events: ['failed'] } });
	expect([before, after].map(outcomeOf)).toEqual(['ignored', 'start']);
});

it.each(['delivered', 'processing'])(
	'After an event of progress, each end that is called %s starts the workflow once',
	async (word) => {
		const outcomes = [];
		for (const status of ['processing', 'failed', 'completed', 'completed']) {
			service.state.faults.clear();
			answer(service, { status, steps: [] });
			outcomes.push(outcomeOf(await call('e-1', { status: word })));
		}
		expect(outcomes).toEqual(['ignored', 'start', 'start', 'duplicate']);
	},
);

it('An end that is called completed starts the workflow, also after one of an unknown or a partial status', async () => {
	const outcomes = [];
	for (const status of ['extracted', 'completed_with_warnings', 'completed', 'completed']) {
		service.state.faults.clear();
		answer(service, { status, steps: [{ step_name: 's', data: [{ a: 1 }] }] });
		outcomes.push(outcomeOf(await call('e-1', { status })));
	}
	expect(outcomes).toEqual(['start', 'start', 'start', 'duplicate']);
});

describe('At the same moment', () => {
	it('the same event is read and starts the workflow once: the second call waits for the first and is a duplicate', async () => {
		const answered = await Promise.all([call('e-1'), call('e-1')]);
		expect(answered.map(({ status }) => status)).toEqual([200, 200]);
		expect(answered.map(outcomeOf)).toEqual(['start', 'duplicate']);
		expect(service.requests('get')).toHaveLength(1);
	});

	it('50 events start the workflow, others get 503 and start it when they are sent again; all are duplicates later, although each call overwrites the stored data', async () => {
		const ids = Array.from({ length: 120 }, (_, index) => `e-${index}`);
		const started = [];
		for (let left = ids; left.length > 0; left = left.slice(50)) {
			const answered = await Promise.all(left.map((id) => call(id)));
			expect(answered.map(({ status }) => status)).toEqual(
				left.map((_, n) => (n < 50 ? 200 : 503)),
			);
			started.push(...answered.filter(({ status }) => status === 200).flatMap(startedJson));
		}
		expect(started).toHaveLength(120);
		later(60_000);
		for (const id of ids) expect(outcomeOf(await call(id))).toBe('duplicate');
	});
});
