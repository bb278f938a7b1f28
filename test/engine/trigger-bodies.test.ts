import { answer } from './support/answers';
import { notification, startedJson } from './support/notifications';
import { useService } from './support/service';
import { useTrigger } from './support/webhook';
import { anyCharacter, cases, fc } from '../properties';

const service = useService();
const trigger = useTrigger(service);

const ids = (workflowId: string, executionId: string) =>
	`{"workflow_id":${workflowId},"workflow_execution_id":${executionId},"status":"completed","steps":[]}`;
const EVENT = ids('"intake"', '"e-1"');
const nested = (depth: number, open: string, close: string) =>
	open.repeat(depth) + close.repeat(depth);
const EXECUTION_PATH = /^\/api\/v1\/workflow-builder\/workflows\/[^/]+\/executions\/[^/]+$/;

describe('The trigger answers 400 at once, and requests and starts nothing, for', () => {
	it.each<[string, string | Buffer | undefined]>([
		['no body', undefined],
		['16 MB of one text', `"${'x'.repeat(16_000_000)}"`],
		['16 MB of a text that never ends', `"${'x'.repeat(16_000_000)}`],
		['16 MB of zeros', Buffer.alloc(16_000_000)],
		['16 MB of opening brackets', '['.repeat(16_000_000)],
		['16 MB of closing brackets', ']'.repeat(16_000_000)],
		['16 MB of empty objects', `[${'{},'.repeat(5_000_000)}{}]`],
		['lists nested 1,000,000 deep', nested(1_000_000, '[', ']')],
		['objects nested 1,000,000 deep', nested(1_000_000, '{"a":', '}')],
		['an event that is nested 10,000 deep inside', EVENT.replace('[]', nested(10_000, '[', ']'))],
	])('%s', async (_what, body) => {
		const memory = process.memoryUsage().heapUsed;
		const answered = await trigger.call({ body });
		expect(answered).toEqual({
			status: 400,
			body: { message: expect.stringMatching(/^(The body|An event must name)/) },
			items: undefined,
		});
		expect(process.memoryUsage().heapUsed - memory).toBeLessThan(600_000_000);
		expect(service.requests()).toEqual([]);
		expect(trigger.logs).toEqual([]);
	});
});

it('An event of 16 MB is accepted', async () => {
	answer(service, { steps: [] });
	const body = notification('e-1', { note: 'x'.repeat(16_000_000) });
	expect(startedJson(await trigger.call({ body }))).toHaveLength(1);
});

it('Random JSON is answered, and only executions are requested', async () => {
	const id = fc.oneof(fc.string({ unit: anyCharacter, maxLength: 20 }), fc.jsonValue());
	const event = fc.record(
		{
			workflow_id: id,
			workflow_execution_id: id,
			status: fc.oneof(fc.constantFrom('completed', 'failed', 'running'), fc.jsonValue()),
		},
		{ requiredKeys: [] },
	);
	answer(service, { steps: [] });
	await fc.assert(
		fc.asyncProperty(fc.oneof(event, fc.jsonValue()), async (given) => {
			const { status, items } = await trigger.call({ body: JSON.stringify(given) });
			expect([200, 400]).toContain(status);
			if (status !== 200) expect(items).toBeUndefined();
		}),
		cases(1_000),
	);
	const asked = service.requests().filter(({ route }) => route !== 'token');
	expect(asked.length).toBeGreaterThan(3);
	expect(
		asked.filter(({ method, path }) => method !== 'GET' || !EXECUTION_PATH.test(path)),
	).toEqual([]);
});
