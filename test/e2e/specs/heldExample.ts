import { connect } from '../../../harness/n8n-rest';
import { output, type Execution } from '../../../harness/n8n-execution';
import { node } from '../flows';
import { postForm } from '../forms';
import { until, withOwnService, type World } from '../support';
import { POLICY, publishForm, template, withNode, withProbes, withService } from '../templateRuns';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const LINK = 'https://app.example.com/workflows/{workflowId}/executions/{executionId}';

/** A document that the service holds, and the n8n execution that waits for its result. */
interface Held {
	id: string;
	executionId: string;
}

/** The example of documents on hold, as a user imports it. */
export function heldExampleSpec(world: () => World): void {
	let ahead = 0;
	beforeEach(() => void (ahead = world().clock.now() - Date.now()));
	// A month ahead, the sessions of other tests would be over.
	afterEach(async () => world().clock.move(ahead + Date.now() - world().clock.now()));

	it('documents-on-hold makes rows of a document that is released after three days, and of one that nobody releases', async () => {
		await withOwnService(world(), async (one) =>
			withOwnService(world(), async (other) => {
				const { client, clock, n8n } = one;
				const released = await hold(one);
				const forgotten = await hold(other);
				await clock.move(HOUR);
				for (const { id } of [released, forgotten])
					await until(async () => (await client.execution(id)).status === 'waiting');
				const { executionId } = released;
				expect(output(await client.execution(released.id), 'Tell the Reviewer')).toMatchObject([
					{ json: { text: expect.stringContaining(`/policy-intake/executions/${executionId}`) } },
				]);

				one.simulator.state.faults.clear();
				const { waitTill } = await client.execution(forgotten.id);
				await clock.move(3 * DAY);
				await clock.look();
				expect(await rowsOf(one, await client.waitForExecution(released.id))).toMatchObject([
					{ executionId, policy_number: 'EMC-CP-1050117-26', needsReview: false, whatToDo: '' },
				]);
				const isCheckedAgain = async () => {
					const now = await client.execution(forgotten.id);
					return now.status === 'waiting' && now.waitTill !== waitTill;
				};
				await until(isCheckedAgain);

				await clock.move(28 * DAY);
				// n8n ends a session after a week.
				const later = { ...other, client: await connect(n8n, client.login) };
				await clock.look();
				expect(
					await rowsOf(later, await later.client.waitForExecution(forgotten.id)),
				).toMatchObject([
					{
						...{ executionId: forgotten.executionId, needsReview: true },
						whatToDo: 'There is no row: see the reason in toReview',
						toReview: expect.stringMatching(/720 hours: the service waits for a person/),
					},
				]);
			}),
		);
	});
}

/** Sends a document by the form of the example, to a service that holds it, until *Wait for the Result* has checked it. */
async function hold(own: World): Promise<Held> {
	const { client, credential, n8n, simulator } = own;
	const { executions, faults, requests } = simulator.state;
	const data = { ...credential.data, executionLink: LINK };
	await client.updateCredential(credential.id, { ...credential, data });
	const body = { status: 'on_hold' };
	faults.add({ route: 'get', action: { type: 'status', status: 200, body } });
	const { id: workflow, path } = await publishForm(own, exampleFor(own));
	const form = new FormData();
	form.append('field-0', new Blob([POLICY]), 'policy.txt');
	expect(await postForm(`${n8n.url}/form/${path}`, form)).toMatchObject({ status: 200 });
	await until(() => requests.all().filter(({ route }) => route === 'get').length > 1);
	const [id = ''] = await client.executionIds(workflow, 1);
	const [{ executionId } = { executionId: '' }] = executions.all();
	return { id, executionId };
}

const TABLE = ['Make the Table', 'Add the Rows'];
/** The newest versions that n8n 1 has. */
const OF_N8N_1: Record<string, number> = {
	'n8n-nodes-base.set': 3.4,
	'n8n-nodes-base.formTrigger': 2.3,
};

/** On n8n 1, which cannot make tables, nothing stands in the place of these nodes. */
function exampleFor(own: World): ReturnType<typeof template> {
	const example = withProbes(withService(own, template('documents-on-hold')));
	if (own.n8n.line === 'n8n-2') return example;
	const nothing = node('Nothing', 'n8n-nodes-base.noOp', 1, {});
	const { nodes, ...rest } = TABLE.reduce((flow, name) => withNode(flow, name, nothing), example);
	const typeVersionOf = ({ type, typeVersion }: (typeof nodes)[number]) =>
		OF_N8N_1[type] ?? typeVersion;
	return {
		...rest,
		nodes: nodes.map((each) => ({ ...each, typeVersion: typeVersionOf(each) })),
	};
}

/** What an n8n execution has put into the table. */
async function rowsOf({ client, n8n }: World, execution: Execution): Promise<unknown[]> {
	expect(`${execution.status} ${execution.error?.message ?? ''}`).toBe('success ');
	const rows = output(execution, 'Choose the Columns').map(({ json }) => json);
	if (n8n.line === 'n8n-1') return rows;
	const [{ json } = { json: {} }] = output(execution, 'Make the Table');
	const stored = await client.dataTableRows(String(json.id));
	return stored.filter((row) => rows.some(({ documentRow }) => documentRow === row.documentRow));
}
