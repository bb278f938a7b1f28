import type { IncomingMessage, ServerResponse } from 'node:http';
import { TOKEN_PATH } from '../../service/contract';
import { runFlow } from './support/engine';
import { file, textOf } from './support/helper-nodes';
import { startHandler } from '../servers';
import { operation, useService } from './support/service';

const service = useService();

const create = (sizes: number[]) =>
	runFlow({
		...service,
		parameters: operation('create', { maximumInParallel: 4 }),
		items: sizes.map((bytes, index) => ({
			files: { data: file(`${index}.bin`, textOf(bytes), 'application/octet-stream') },
		})),
		settings: { onError: 'continueErrorOutput' },
	});

describe('An upload that ends before its last byte has left', () => {
	it.each([
		['before the service reads the request', { type: 'reset', when: 'before' }],
		['in the middle', { type: 'reset', when: 'during', afterBytes: 1_000_000 }],
	] as const)(
		'is sent again after the connection broke %s, and starts one execution',
		async (_when, action) => {
			service.state.faults.add({ route: 'create', times: 2, action });
			const { outputs } = await create([8_000_000]);
			expect(service.requests('create').map(({ status }) => status)).toEqual([null, null, 200]);
			expect(service.state.executions.all()).toHaveLength(1);
			expect(outputs[0]?.[0]?.json).not.toHaveProperty('sentAgain');
		},
	);
});

describe('A gateway that refuses a create and closes the connection before it has read the body', () => {
	const SIZES = [1_000, 40_000, 300_000, 1_000_000];
	const DOCUMENTS = 12;

	/** Refuses each document once with one of the statuses, and reads only what it accepts. */
	async function startGateway(statuses: number[]) {
		const refused = new Set<string>();
		const accepted: string[] = [];
		const name = (head: string) => /filename="(?<name>[^"]+)"/.exec(head)?.groups?.name;
		const refuse = (request: IncomingMessage, response: ServerResponse) => {
			response.writeHead(statuses[refused.size % statuses.length] ?? 422, {
				connection: 'close',
				'content-type': 'application/json',
			});
			response.end('{"detail":"Not now"}', () => request.socket.destroy());
		};
		const gateway = await startHandler((request, response) => {
			if (request.url === TOKEN_PATH)
				return void response.end('{"access_token":"token-of-the-gateway","expires_in":3600}');
			let head: string | undefined;
			request.on('error', () => undefined);
			request.on('data', (chunk: Buffer) => {
				if (head !== undefined) return;
				head = name(chunk.toString('latin1'));
				if (head === undefined || refused.has(head)) return;
				refused.add(head);
				request.pause();
				refuse(request, response);
			});
			request.on('end', () => {
				accepted.push(head ?? '');
				response.end(`{"workflow_execution_id":"e-${head}","status":"running"}`);
			});
		});
		return { ...gateway, refused, accepted };
	}

	it('leaves no create unknown: it is sent again, and no document is accepted twice', async () => {
		const gateway = await startGateway([429, 503, 500]);
		await service.enter({ productionUrl: gateway.url });
		const { outputs } = await create(
			Array.from({ length: DOCUMENTS }, (_, index) => SIZES[index % SIZES.length] ?? 0),
		);
		await gateway.stop();
		// About eight are unknown where their last pieces are not held back.
		expect(outputs[1]).toEqual([]);
		expect(gateway.refused.size).toBe(DOCUMENTS);
		expect(new Set(gateway.accepted).size).toBe(DOCUMENTS);
		expect(gateway.accepted).toHaveLength(DOCUMENTS);
	});
});
