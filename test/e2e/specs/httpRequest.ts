import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { lastRun, output } from '../../../harness/n8n-execution';
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
			expect(`${error?.message} ${error?.description ?? ''}`).toContain('sends its token to');
			expect(arrived).toEqual([]);
		});
	});

	it('sends no token to another origin that the service redirects to', async () => {
		const { client, simulator } = world();
		await withStranger(async (location, arrived) => {
			simulator.state.faults.add({
				route: 'get',
				times: 1,
				action: { type: 'redirect', location },
			});
			const url = `${simulator.productionUrl}/api/v1/workflow-builder/workflows/quick/executions/any`;
			const execution = await client.runToEnd(chain('Redirect', httpRequest(world(), url)));
			expect(execution.status).toBe('success');
			expect(arrived).toHaveLength(1);
			expect(arrived[0]).not.toHaveProperty('authorization');
		});
	});
}

/** A server of another origin, and the headers of what arrives there. */
async function withStranger(
	visit: (url: string, arrived: IncomingHttpHeaders[]) => Promise<void>,
): Promise<void> {
	const arrived: IncomingHttpHeaders[] = [];
	const stranger = createServer((request, response) => {
		arrived.push(request.headers);
		response.end('{}');
	});
	await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
	try {
		const { port } = stranger.address() as AddressInfo;
		await visit(`http://127.0.0.1:${port}/`, arrived);
	} finally {
		stranger.close();
	}
}
