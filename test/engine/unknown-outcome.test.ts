import type { INode } from 'n8n-workflow';
import { runFlow } from './support/engine';
import { Agent } from './support/helper-nodes';
import { operation, policyItem, useService, WORKFLOW_ID } from './support/service';

const service = useService();

/** A run whose execution is started, and whose answer is lost. */
const run = async (settings: Partial<INode> = {}) => {
	service.state.faults.add({ route: 'create', action: { type: 'reset', when: 'after' } });
	return runFlow({
		...service,
		parameters: operation('create', {
			inputs: { metadata: [{ name: 'external_id', value: 'CASE-1' }] },
		}),
		items: [policyItem()],
		settings,
	});
};

const WITH_ID = `It is unknown whether an execution was started: check the dashboard of the service before you send these documents again. Documents: policy.txt. Workflow: ${WORKFLOW_ID}. External ID: "CASE-1"`;

describe('A lost response', () => {
	it('fails the item, says what to check, and lists it as unknown', async () => {
		const { error, status } = await run();
		expect(status).toBe('error');
		expect(error?.message).toContain('broke or timed out (ECONNRESET)');
		expect(error?.description).toBe(
			`${WITH_ID}. Possibly started: item 0 (policy.txt), External ID "CASE-1", workflow ${WORKFLOW_ID}`,
		);
		expect(service.requests('create')).toHaveLength(1);
	});

	it('sends nothing again with Retry On Fail', async () => {
		const { error } = await run({ retryOnFail: true, maxTries: 3, waitBetweenTries: 1 });
		expect(service.requests('create')).toHaveLength(1);
		expect(error?.message).toMatch(/^The connection to .* broke or timed out \(ECONNRESET\)$/);
		expect(error?.description).toContain(
			`${WITH_ID}. This happened in an earlier attempt. Nothing was sent again`,
		);
	});

	it('sends nothing again for an AI agent either where the tool continues on an error', async () => {
		service.state.faults.add({ route: 'create', action: { type: 'reset', when: 'after' } });
		const textInputs = [{ name: 'case', value: 'CASE-1' }];
		await runFlow({
			...service,
			parameters: operation('create', { documents: 'none', inputs: { textInputs } }),
			settings: { onError: 'continueRegularOutput' },
			agent: new Agent([{}, {}]),
		});
		expect(service.requests('create')).toHaveLength(1);
	});

	it('sends nothing again for an AI agent that repeats the call of its tool, and says so in the message', async () => {
		service.state.faults.add({ route: 'create', action: { type: 'reset', when: 'after' } });
		const textInputs = [{ name: 'case', value: '={{ $json.case }}' }];
		const { run: ended } = await runFlow({
			...service,
			parameters: operation('create', { documents: 'none', inputs: { textInputs } }),
			agent: new Agent([{ case: 'CASE-1' }, { case: 'CASE-1' }, { case: 'CASE-2' }]),
		});
		expect(service.requests('create')).toHaveLength(2);
		const calls = ended.data.resultData.runData['Document Workflow'];
		const told = 'It is unknown whether an execution was started: check the dashboard';
		expect(calls?.map(({ error }) => error?.message)).toEqual([
			expect.stringContaining(told),
			expect.stringMatching(`${told}.*Nothing was sent again`),
			expect.stringContaining(told),
		]);
	});
});
