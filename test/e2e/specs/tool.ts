import { output } from '../../../harness/n8n-execution';
import { startHandler, textOf } from '../../servers';
import { chain, documentWorkflow, node, TEXT_ONLY } from '../flows';
import type { World } from '../support';

const TOOL = 'Look up execution';

/** The node as a tool of an AI agent. The language model is a server of this test that calls the tool once. */
export function toolSpec(world: () => World): void {
	it('gives an AI agent that calls the node as a tool the status of an execution', async () => {
		const { client, simulator } = world();
		const created = await client.runToEnd(
			chain('Create', documentWorkflow(world(), 'create', 'never-ending', TEXT_ONLY)),
		);
		const executionId = String(output(created, 'Document Workflow')[0]?.json.executionId);
		simulator.state.requests.clear();
		await withModel(executionId, async (url, toolResults) => {
			const id = await client.createCredential({
				name: 'Model',
				type: 'openAiApi',
				data: { apiKey: 'made-up', url },
			});
			const flow = chain(
				'Agent',
				node('Agent', '@n8n/n8n-nodes-langchain.agent', 1.7, {
					promptType: 'define',
					text: 'Where does my document stand?',
					options: {},
				}),
			);
			const model = {
				...node('Model', '@n8n/n8n-nodes-langchain.lmChatOpenAi', 1, {
					model: 'gpt-4o-mini',
					options: {},
				}),
				credentials: { openAiApi: { id, name: 'Model' } },
			};
			const parameters = {
				executionId: "={{ $fromAI('executionId', 'The execution to look up') }}",
			};
			const tool = {
				...documentWorkflow(world(), 'get', 'never-ending', parameters),
				...{ id: 'tool', name: TOOL, type: 'n8n-nodes-document-workflow.documentWorkflowTool' },
			};
			const execution = await client.runToEnd({
				...flow,
				nodes: [...flow.nodes, model, tool],
				connections: {
					...flow.connections,
					Model: { ai_languageModel: [[{ node: 'Agent', type: 'ai_languageModel', index: 0 }]] },
					[TOOL]: { ai_tool: [[{ node: 'Agent', type: 'ai_tool', index: 0 }]] },
				},
			});
			expect(`${execution.status} ${JSON.stringify(execution.error ?? '')}`).toMatch(/^success/);
			expect(output(execution, 'Agent')[0]?.json).toMatchObject({
				output: 'It is being processed.',
			});
			expect(
				simulator.state.requests
					.all()
					.map(({ route, status, executionId: asked }) => [route, status, asked]),
			).toEqual([['get', 200, executionId]]);
			expect(toolResults.join()).toContain('running');
		});
	});
}

/** A language model that calls its first tool, and answers once it has the result; `results` collects what the tool returned. */
async function withModel(
	executionId: string,
	visit: (url: string, results: string[]) => Promise<void>,
): Promise<void> {
	const returned: string[] = [];
	const server = await startHandler((request, response) => {
		void textOf(request).then((body) => {
			const { messages, tools } = JSON.parse(body) as {
				messages: Array<{ role: string; content: string }>;
				tools?: Array<{ function: { name: string } }>;
			};
			const results = messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
			returned.push(...results);
			const call = {
				index: 0,
				id: 'call-1',
				type: 'function',
				function: { name: tools?.[0]?.function.name, arguments: JSON.stringify({ executionId }) },
			};
			const delta =
				results.length > 0
					? { role: 'assistant', content: 'It is being processed.' }
					: { role: 'assistant', content: null, tool_calls: [call] };
			response.setHeader('content-type', 'text/event-stream');
			for (const choice of [
				{ index: 0, delta, finish_reason: null },
				{ index: 0, delta: {}, finish_reason: results.length > 0 ? 'stop' : 'tool_calls' },
			]) {
				response.write(
					`data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'gpt-4o-mini', choices: [choice] })}\n\n`,
				);
			}
			response.end('data: [DONE]\n\n');
		});
	});
	try {
		await visit(`${server.url}/v1`, returned);
	} finally {
		await server.stop();
	}
}
