import { join } from 'node:path';
import { output } from '../../../harness/n8n-execution';
import { DOCUMENTS, WEBHOOK_KEY, type World } from '../support';
import {
	asTemplate,
	expectNoGaps,
	expectSuccess,
	live,
	runToEnd,
	template,
	withQuickService,
	type Template,
} from '../templateRuns';

const NAME = 'send-and-continue';
const TRIGGER = 'Execution Finished';

/** The template in two halves, which a Data table and the External ID join. The other specs of templates run its first half. */
export function templatesHalvesSpec(world: () => World): void {
	it('send-and-continue runs its second half as it is imported, with its sample data', async () => {
		const execution = await runToEnd(world(), template(NAME), TRIGGER);
		expectSuccess(execution, ['Use the Data', 'Note What to Check']);
		expectNoGaps(execution, template(NAME));
		expect(output(execution, 'Use the Data').map(({ json }) => json)).toEqual([
			{
				sender: 'office@sample-agency.example.com',
				subject: 'Renewal, Sample Bakery LLC',
				policies: [expect.objectContaining({ policy_number: 'EMC-CP-1050117-26' })],
			},
		]);
	});

	it('send-and-continue finds the mail of a result in the Data table when the service calls', async () => {
		await withQuickService(world(), async (own) => {
			const { client, n8n, simulator } = own;
			const columns = { externalId: 'string', sender: 'string', subject: 'string' };
			const table = await client.createDataTable('Sent documents', columns);
			const files = join(DOCUMENTS, 'declarations-page.pdf');
			const flow = withTable(asTemplate(live(own, NAME, files, 'attachment_0')), table);
			const id = await client.createWorkflow(flow);
			await client.activate(id);
			const authentication = { type: 'api_key' as const, header: 'x-api-key', key: WEBHOOK_KEY };
			const url = `${n8n.webhookUrl}/webhook/document-workflow-continue`;
			simulator.state.workflows.change('policy-intake', { webhooks: [{ url, authentication }] });
			const first = await client.waitForExecution(await client.run(id));
			expectSuccess(first, ['Add the Row', 'Send the Attachments']);
			const { id: externalId, from: sender, subject } = mailOf(template(NAME));
			expect(await client.dataTableRows(table)).toMatchObject([{ externalId, sender, subject }]);
			expect(simulator.state.executions.all()).toMatchObject([
				{ metadata: { external_id: externalId } },
			]);

			const all = await client.executionIds(id, 2);
			const [second = ''] = all.filter((each) => each !== first.id);
			const execution = await client.waitForExecution(second);
			expectSuccess(execution, [TRIGGER]);
			expect(output(execution, 'Note What to Check').map(({ json }) => json)).toMatchObject([
				{ sender, subject, toCheck: 'Check: policy details: underwriter (no value)' },
			]);
			await client.deactivate(id);
		});
	});
}

const mailOf = ({ pinData }: Template): Record<string, unknown> =>
	pinData['New Mail']?.[0]?.json ?? {};

/** With the nodes of the Data table, which are not replaced, and a table for them. */
function withTable(flow: Template, table: string): Template {
	const tables = new Map(
		template(NAME)
			.nodes.filter(({ type }) => type.endsWith('.dataTable'))
			.map((each) => [each.name, each]),
	);
	const dataTableId = { __rl: true, mode: 'id', value: table };
	const nodes = flow.nodes.map((given) => {
		const each = tables.get(given.name);
		return each ? { ...each, parameters: { ...each.parameters, dataTableId } } : given;
	});
	return { ...flow, nodes };
}
