import type { IDataObject } from 'n8n-workflow';
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
const checkedPaths = () => service.requests('get').map(({ path }) => path);
const EXECUTION_PATH = /^\/api\/v1\/workflow-builder\/workflows\/[^/]+\/executions\/[^/]+$/;

describe('The trigger answers 400 at once, and requests and starts nothing, for', () => {
	it.each<[string, string | Buffer | undefined]>([
		['no body', undefined],
		['text', 'workflow_id=intake&workflow_execution_id=e-1'],
		['a file', Buffer.from('%PDF-1.7\n%\xE2\xE3\xCF\xD3\n', 'latin1')],
		['random bytes', Buffer.from(Array.from({ length: 4096 }, (_, index) => (index * 7919) % 256))],
		['an ID that is an object', ids('{"id":"intake"}', '"e-1"')],
		['an ID that would leave the path', ids('"intake"', '"../../../oauth2/access_token"')],
		['an ID with a line break', ids('"intake"', '"e-1\\r\\nerror: forged"')],
		[
			'IDs that are inherited',
			'{"__proto__":{"workflow_id":"intake","workflow_execution_id":"e-1"}}',
		],
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

describe('An event', () => {
	beforeEach(() => answer(service, { steps: [] }));

	it.each<[string, string | Buffer, string]>([
		[
			'with escaped IDs that would leave the path',
			ids('"%2e%2e"', '"%2e%2e%2f"'),
			'/%252e%252e/executions/%252e%252e%252f',
		],
		[
			'with a query in its ID',
			ids('"intake"', '"e-1?admin=1#x"'),
			'/intake/executions/e-1%3Fadmin%3D1%23x',
		],
		[
			'with another URL as ID',
			ids('"intake"', '"//elsewhere.example.com/e-1"'),
			'/intake/executions/%2F%2Felsewhere.example.com%2Fe-1',
		],
	])('%s is checked at the path of its execution', async (_what, body, path) => {
		expect((await trigger.call({ body })).status).toBe(200);
		expect(checkedPaths()).toEqual([`/api/v1/workflow-builder/workflows${path}`]);
	});

	it('of 16 MB is accepted', async () => {
		const body = notification('e-1', { note: 'x'.repeat(16_000_000) });
		expect(startedJson(await trigger.call({ body }))).toHaveLength(1);
	});

	it.each(['__proto__', 'constructor', 'toString'])(
		'with %s as its names pollutes no prototype',
		async (name) => {
			const rows = `[{"${name}":{"value":1,"confidence_score":0.1}}]`;
			const steps = `[{"step_name":"${name}","data":{"data":${rows}}}]`;
			const text = `{"${name}":{"polluted":1},"metadata":{"${name}":{"polluted":1}},${ids(`"${name}"`, `"${name}"`).slice(1).replace('[]', steps)}`;
			answer(service, JSON.parse(text) as IDataObject);
			for (const output of ['simplified', 'rows', 'raw', 'selected']) {
				const parameters = {
					output,
					minimumConfidence: 0.5,
					outputOptions: { attachReport: true, includeDetails: true },
				};
				trigger.workflowId += output;
				trigger.staticData = '{}';
				const [item] = startedJson(await trigger.call({ body: text, parameters }));
				expect(item).toMatchObject({ executionId: name });
				expect(output === 'rows' ? item?.executionDetails : item).toMatchObject({
					workflowId: name,
				});
			}
			expect(({} as { polluted?: number }).polluted).toBeUndefined();
		},
	);
});

describe('Random content', () => {
	const id = fc.oneof(
		{ weight: 3, arbitrary: fc.string({ unit: anyCharacter, maxLength: 20 }) },
		fc.constantFrom(
			'.',
			'..',
			'/',
			'../x',
			'%2e%2e',
			'?',
			'#',
			'\\..\\',
			' ',
			'\ud800',
			'\u0000',
			'@elsewhere',
			'http://elsewhere/',
		),
		fc.integer(),
		fc.double(),
		fc.jsonValue(),
	);
	const names = fc.constantFrom(
		'workflow_id',
		'workflow_execution_id',
		'execution_id',
		'status',
		'metadata',
		'steps',
		'error',
		'__proto__',
		'constructor',
	);
	const row = fc.dictionary(
		fc.string(),
		fc.record({ value: fc.jsonValue(), confidence_score: fc.jsonValue() }),
	);
	const data = fc.oneof(fc.jsonValue(), fc.record({ data: fc.array(row) }));
	const step = fc.record({ step_name: id, data }, { requiredKeys: [] });
	const event = fc.record(
		{
			workflow_id: id,
			workflow_execution_id: id,
			status: fc.oneof(fc.constantFrom('completed', 'failed', 'running', 'done'), fc.jsonValue()),
			metadata: fc.oneof(
				fc.jsonValue(),
				fc.dictionary(fc.constantFrom('external_id', '__proto__'), fc.jsonValue()),
			),
			steps: fc.oneof(fc.array(step), fc.jsonValue()),
			error: fc.jsonValue(),
		},
		{ requiredKeys: [] },
	);
	const body = fc.oneof(
		event,
		fc.array(event, { maxLength: 5 }),
		fc.jsonValue(),
		fc.dictionary(names, fc.jsonValue()),
	);
	const parameters = fc.record({
		output: fc.constantFrom('simplified', 'rows', 'raw', 'selected'),
		minimumConfidence: fc.constantFrom(0, 0.5),
		outputOptions: fc.record({
			attachReport: fc.boolean(),
			includeDetails: fc.boolean(),
		}),
	});

	it('as JSON is answered, and only executions are requested', async () => {
		service.state.faults.add({
			route: 'get',
			requests: { every: 3 },
			action: { type: 'status', status: 404 },
		});
		answer(service, { steps: [] });
		await fc.assert(
			fc.asyncProperty(body, parameters, async (given, chosen) => {
				const { status, items } = await trigger.call({
					body: JSON.stringify(given),
					parameters: chosen,
				});
				expect([200, 400, 404, 503]).toContain(status);
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

	it('as bytes gets 400', async () => {
		await fc.assert(
			fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
				expect((await trigger.call({ body: Buffer.from(bytes) })).status).toBe(400);
			}),
			cases(100),
		);
		expect(service.requests()).toEqual([]);
	});
});
