/** Answers that are cut, huge, endless or strange. */
import type { Fault } from '../../simulator/state/faults';
import { TOKEN_PATH } from '../../service/contract';
import { runFlow } from './support/engine';
import { file, textOf } from './support/helper-nodes';
import { startHandler } from '../servers';
import { operation, policyItem, useService } from './support/service';
import { until } from './support/time';

const service = useService();

const items = [policyItem()];
const create = () => runFlow({ ...service, parameters: operation('create'), items });
const get = (executionId: string) =>
	runFlow({ ...service, parameters: operation('get', { executionId }) });
const fault = (fault: Fault) => service.state.faults.add(fault);
const started = () => service.state.executions.all();
/** The ID of an execution that has ended. */
const existing = async () => {
	await create();
	const [{ executionId = '' } = {}] = started();
	await until(() => service.state.executions.find(executionId)?.status !== 'running');
	return executionId;
};

/** Length of an answer to a create up to the end of its identifier. */
const TO_IDENTIFIER = '{"workflow_execution_id":"00000000-0000-0000-0000-000000000000"'.length;

describe('A create', () => {
	it.each<[string, Fault['action']]>([
		['is cut at the end of its identifier', { type: 'truncated', afterBytes: TO_IDENTIFIER - 1 }],
		['is cut behind its identifier', { type: 'truncated', afterBytes: TO_IDENTIFIER + 7 }],
		['goes on with a gigabyte of white space', { type: 'gzipBomb', megabytes: 1000 }],
	])(
		'has an unknown outcome when its answer %s, and its item, its run and the log show the identifier',
		async (_, action) => {
			fault({ route: 'create', action });
			const before = process.memoryUsage().rss;
			const continued = await runFlow({
				...service,
				parameters: operation('create'),
				items,
				settings: { onError: 'continueErrorOutput' },
			});
			expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000);
			const [{ executionId = '' } = {}] = started();
			expect(continued.outputs[1]?.[0]?.json.error).toMatchObject({
				outcome: 'unknown',
				message: expect.stringContaining(
					`Its answer begins: "{"workflow_execution_id":"${executionId}`,
				),
			});
			expect(JSON.stringify(continued.logs)).toContain(executionId);
			expect(service.requests('create')).toHaveLength(1);
			expect((await get(executionId)).error).toBeUndefined();

			fault({ route: 'create', action });
			const { error } = await create();
			expect(error?.message).toContain(started()[1]?.executionId);
			expect(error?.description).toContain('It is unknown whether an execution was started');
		},
	);

	it('keeps the reason of a refusal that comes in the middle of the upload, a moment behind its status', async () => {
		const gateway = await startHandler((request, response) => {
			if (request.url === TOKEN_PATH)
				return void response.end('{"access_token":"token-of-the-gateway"}');
			request.resume();
			response.writeHead(422, { 'content-type': 'application/json' }).flushHeaders();
			setTimeout(() => response.end('{"detail":"The document is a menu"}'), 30);
		});
		await service.enter({ productionUrl: gateway.url });
		const { error } = await runFlow({
			...service,
			parameters: operation('create'),
			items: [{ files: { data: file('large.txt', textOf(20_000_000)) } }],
		});
		await gateway.stop();
		expect(error?.description).toContain('The document is a menu');
	});
});

describe('A check', () => {
	it('fails once, in bounded memory, when its answer is a gigabyte of white space', async () => {
		const executionId = await existing();
		fault({ route: 'get', action: { type: 'gzipBomb', megabytes: 1000 } });
		const before = process.memoryUsage().rss;
		const { error } = await get(executionId);
		expect(error?.message).toMatch(/^The answer of .* is too large$/);
		expect(error?.description).toContain('up to 100 MB');
		expect(service.requests('get')).toHaveLength(1);
		expect(process.memoryUsage().rss - before).toBeLessThan(400_000_000);
	});
});
