import type { IncomingHttpHeaders } from 'node:http';
import { lastRun, output } from '../../../harness/n8n-execution';
import { startHandler } from '../../servers';
import { chain, documentWorkflow, httpRequest, TEXT_ONLY } from '../flows';
import type { World } from '../support';

/** The credential in n8n's own HTTP Request node. */
export function httpRequestSpec(world: () => World): void {
	it('authenticates the HTTP Request node', async () => {
		const { client, simulator } = world();
		const created = await client.runToEnd(
			chain('Create', documentWorkflow(world(), 'create', 'never-ending', TEXT_ONLY)),
		);
		const executionId = String(output(created, 'Document Workflow')[0]?.json.executionId);
		simulator.state.tokens.revokeAll();
		const url = `${simulator.productionUrl}/api/v1/workflow-builder/workflows/never-ending/executions/${executionId}`;
		const execution = await client.runToEnd(chain('HTTP', httpRequest(world(), url)));
		expect(execution.status).toBe('success');
		expect(output(execution, 'HTTP Request')[0]?.json).toMatchObject({
			workflow_execution_id: executionId,
			status: 'running',
		});
	});

	it('sends nothing to another origin', async () => {
		await withStranger(async (url, arrived) => {
			const execution = await world().client.runToEnd(chain('Stranger', httpRequest(world(), url)));
			expect(execution.status).toBe('error');
			const { error } = lastRun(execution, 'HTTP Request');
			expect(`${error?.message} ${error?.description ?? ''}`).toContain('sends its token only to');
			expect(arrived).toEqual([]);
		});
	});

	it('lets the HTTP Request node follow no redirect', async () => {
		const { client, simulator } = world();
		await withStranger(async (location, arrived) => {
			simulator.state.faults.add({ route: 'get', action: { type: 'redirect', location } });
			const execution = await client.runToEnd(chain('Redirect', httpRequest(world(), own())));
			expect(execution.status).toBe('error');
			expect(lastRun(execution, 'HTTP Request').error?.message).toContain('302');
			expect(arrived).toEqual([]);
		});
	});

	it('sends nothing through a proxy that could read the token', async () => {
		await withStranger(async (proxy, arrived) => {
			const options = { proxy, allowUnauthorizedCerts: true };
			const flow = chain('Proxy', httpRequest(world(), own(), options));
			const execution = await world().client.runToEnd(flow);
			expect(execution.status).toBe('error');
			const { error } = lastRun(execution, 'HTTP Request');
			expect(`${error?.message} ${error?.description ?? ''}`).toContain(
				'The proxy in this request could read the access token',
			);
			expect(arrived).toEqual([]);
		});
	});

	const own = () =>
		`${world().simulator.productionUrl}/api/v1/workflow-builder/workflows/quick/executions/any`;
}

/** A server of another origin, and the headers of what arrives there. */
async function withStranger(
	visit: (url: string, arrived: IncomingHttpHeaders[]) => Promise<void>,
): Promise<void> {
	const arrived: IncomingHttpHeaders[] = [];
	const stranger = await startHandler((request, response) => {
		arrived.push(request.headers);
		response.end('{}');
	});
	try {
		await visit(`${stranger.url}/`, arrived);
	} finally {
		await stranger.stop();
	}
}
