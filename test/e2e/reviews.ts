import { randomUUID } from 'node:crypto';
import { withCredential } from '../../harness/example-workflows';
import { output, type Item } from '../../harness/n8n-execution';
import type { WorkflowJson } from '../../harness/n8n-rest';
import { withOwnService, type World } from './support';
import { template } from './templateRuns';

export const REVIEWER = 'Reviewed by';
export const SETTLED = 'Is everything else settled?';

/** The name of a step that n8n, HTML or a browser could change, too. */
export const STEP = 'policy <b>{{ 6 * 7 }}</b> $& "x"';

/** Values that n8n, HTML or a browser could change on the way through a form. */
export const AWKWARD = {
	markup: '<b>Müller</b> & "Söhne" \'x\' &lt;i&gt; &amp;lt;',
	dollars: "$& $1 $$ $' {{ $json.x }} {{{ y }}}",
	lines: '\nfirst\r\nsecond\n\nthird \\n \\ \t end ',
	number: -1234.5,
	flag: false,
	nothing: null,
	empty: '',
	emptied: 'x',
	count: 7,
};

interface Settings {
	/** The extracted values, all with low confidence, in place of those of the service. */
	values?: Partial<typeof AWKWARD>;
	/** How the example waits for the service. */
	waiting?: Record<string, unknown>;
	/** The seconds that the service takes. */
	seconds?: number;
}

export interface ReviewExample {
	/** The address of the form that starts it. */
	url: string;
	/** Whether its only n8n execution pauses for the service, so that it has not come to its loop with the form. */
	isPaused: () => Promise<boolean>;
	/** The items behind its loop, once the n8n execution has ended. */
	reviewed: () => Promise<Item[]>;
}

/** Publishes the example with the form, as a user imports it, beside a service of its own. */
export async function withReviewExample(
	outer: World,
	{ values = {}, waiting = { firstCheckSeconds: 1 }, seconds = 0.5 }: Settings,
	work: (example: ReviewExample) => Promise<void>,
): Promise<void> {
	await withOwnService(outer, async (world) => {
		const { client, n8n, simulator } = world;
		simulator.state.workflows.change('policy-intake', { duration: { fixedSeconds: seconds } });
		if (Object.keys(values).length > 0) {
			const row = Object.fromEntries(
				Object.entries(values).map(([name, value]) => [name, { value, confidence_score: 0.5 }]),
			);
			const steps = [{ step_name: STEP, data: { schema: {}, data: [row], metadata: {} } }];
			const body = { status: 'completed', metadata: {}, steps };
			simulator.state.faults.add({ route: 'get', action: { type: 'status', status: 200, body } });
		}
		const path = randomUUID();
		const flow = exampleAt(world, path, waiting);
		const id = await client.createWorkflow(flow);
		await client.activate(id);
		const executionId = async () => (await client.executionIds(id, 1))[0] ?? '';
		try {
			await work({
				url: `${n8n.webhookUrl}/form/${path}`,
				isPaused: async () => {
					const { status, runs } = await client.execution(await executionId());
					return status === 'waiting' && !(loopOf(flow) in runs);
				},
				reviewed: async () => {
					const execution = await client.waitForExecution(await executionId());
					expect(`${execution.status} ${JSON.stringify(execution.error ?? '')}`).toMatch(
						/^success/,
					);
					return output(execution, loopOf(flow));
				},
			});
		} finally {
			await client.deactivate(id);
		}
	});
}

/** The example as a user imports it, with a path of its own. Its nodes are found by what they do, not by their names. */
function exampleAt({ credential }: World, path: string, waiting: object): WorkflowJson {
	const flow = withCredential(template('review'), credential);
	const nodes = flow.nodes.map((each) => {
		const parameters = each.parameters as Record<string, unknown>;
		if (each.type === 'n8n-nodes-base.formTrigger') return { ...each, webhookId: path };
		if (parameters.operation !== 'createAndWait') return { ...each, parameters };
		return { ...each, parameters: { ...parameters, waiting } };
	});
	return { ...flow, nodes };
}

function loopOf({ nodes }: WorkflowJson): string {
	return nodes.find(({ type }) => type === 'n8n-nodes-base.splitInBatches')?.name ?? '';
}
