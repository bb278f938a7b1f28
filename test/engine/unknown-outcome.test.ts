import type { INode, INodeParameters } from 'n8n-workflow';
import type { Fault } from '../../simulator/state/faults';
import { runFlow } from './support/engine';
import { operation, POLICY, policyItem, sha256, useService, WORKFLOW_ID } from './support/service';

const service = useService();

type OnLostResponse = 'fail' | 'again';
const RETRY: Partial<INode> = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
const byItem: INodeParameters = {
	workflowId: { __rl: true, mode: 'id', value: '={{ $json.workflow }}' },
};
const itemsOf = (...workflows: string[]) =>
	workflows.map((workflow) => ({ json: { workflow }, ...policyItem() }));
const run = (
	lostResponse: OnLostResponse,
	settings: Partial<INode> = {},
	workflows = [WORKFLOW_ID],
	name: 'create' | 'createAndWait' = 'create',
) =>
	runFlow({
		...service,
		parameters: operation(name, {
			...byItem,
			lostResponse,
			inputs: { metadata: [{ name: 'external_id', value: 'CASE-1' }] },
			...(name === 'create' ? {} : { waiting: { firstCheckSeconds: 0.1 } }),
		}),
		items: itemsOf(...workflows),
		settings,
	});
/** The execution is started, and the answer is lost. */
const loseAnswers = (more: Partial<Fault> = {}) =>
	service.state.faults.add({ route: 'create', action: { type: 'reset', when: 'after' }, ...more });
/** The service fails and allows an immediate retry. */
const fail = (more: Partial<Fault> = {}) =>
	service.state.faults.add({
		route: 'create',
		action: { type: 'status', status: 500, retryAfter: 0 },
		...more,
	});

const NOT_KNOWN =
	'It is unknown whether an execution was started: check the dashboard of the service before you send these documents again';
const WHICH = `Documents: policy.txt. Workflow: ${WORKFLOW_ID}. External ID: "CASE-1"`;
const WITH_ID = `${NOT_KNOWN}. ${WHICH}`;
const TWO =
	'2 executions may have been started: check the dashboard of the service before you send these documents again';
const DOCUMENT = {
	fileName: 'policy.txt',
	mediaType: 'text/plain',
	bytes: 43,
	sha256: sha256(POLICY),
	itemIndex: 0,
	fieldName: 'data',
};
const SECOND_MAY_EXIST =
	'The documents were sent again after a lost response. Check the dashboard of the service for a second execution';

describe('On Lost Response, Fail', () => {
	it('fails the item, says what to check, and lists it as unknown', async () => {
		loseAnswers();
		const { error, status } = await run('fail');
		expect(status).toBe('error');
		expect(error?.message).toContain('The connection to the service broke or timed out');
		expect(error?.description).toBe(
			`${WITH_ID}. Possibly started: item 0 (policy.txt), External ID "CASE-1", workflow ${WORKFLOW_ID}`,
		);
		expect(service.requests('create')).toHaveLength(1);
	});

	it('adds the external ID to the item on the Error output', async () => {
		loseAnswers();
		const { outputs } = await run('fail', { onError: 'continueErrorOutput' });
		expect(outputs[1]?.[0]?.json.error).toMatchObject({
			workflowId: WORKFLOW_ID,
			externalId: 'CASE-1',
			outcome: 'unknown',
			description: WITH_ID,
		});
	});

	it('sends nothing again with Retry On Fail', async () => {
		loseAnswers();
		const { error } = await run('fail', RETRY);
		expect(service.requests('create')).toHaveLength(1);
		expect(error?.message).toBe('The connection to the service broke or timed out (ECONNRESET)');
		expect(error?.description).toContain(
			`${WITH_ID}. This happened in an earlier attempt. Nothing was sent again`,
		);
	});

	it('leaves only the documents under way unknown: the others are sent once the service answers again', async () => {
		const down = { type: 'status', status: 503 } as const;
		service.state.faults.add({ route: 'create', times: 1, action: down });
		service.state.faults.add({ route: 'get', times: 1, action: down });
		const { outputs } = await runFlow({
			...service,
			parameters: operation('create', { maximumInParallel: 1 }),
			items: itemsOf(...Array<string>(4).fill(WORKFLOW_ID)),
			settings: { onError: 'continueErrorOutput' },
		});
		expect(outputs[0]).toHaveLength(3);
		expect(outputs[1]).toHaveLength(1);
		expect(service.requests('create').map(({ status }) => status)).toEqual([503, 200, 200, 200]);
		expect(service.requests('get').map(({ status }) => status)).toEqual([503, 404]);
	});

	it('shows for each item what came instead of an identifier', async () => {
		for (const [index, workflowId] of [WORKFLOW_ID, 'failing', 'never-ending'].entries())
			service.state.faults.add({
				route: 'create',
				workflowId,
				action: { type: 'status', status: 200, body: { job: `job-${index}` } },
			});
		const { error } = await run('fail', {}, [WORKFLOW_ID, 'failing', 'never-ending']);
		const shown = `${error?.message} ${error?.description}`;
		for (const job of ['job-0', 'job-1', 'job-2']) expect(shown.split(job)).toHaveLength(2);
	});

	it('shows in each try of Retry On Fail what the service said first', async () => {
		service.state.faults.add({
			route: 'create',
			action: { type: 'status', status: 500, body: { detail: 'Storage is full' } },
		});
		const { error } = await run('fail', RETRY);
		expect(service.requests('create')).toHaveLength(1);
		expect(error?.message).toBe('The service answered with status 500');
		expect(error?.description).toContain(`${WITH_ID}. The service said: "Storage is full".`);
	});
});

describe('On Lost Response, Send Again', () => {
	const HINT =
		'1 of 1 executions were sent again after a lost response. A second execution may exist';

	it('sends the documents again, and says that there may be two executions', async () => {
		loseAnswers({ times: 1 });
		const { outputs, hints } = await run('again');
		expect(service.state.executions.all()).toHaveLength(2);
		expect(outputs[0]?.[0]?.json).toMatchObject({
			executionId: service.state.executions.all()[1]?.executionId,
			sentAgain: 1,
			warning: SECOND_MAY_EXIST,
			documents: [DOCUMENT],
		});
		expect(hints).toEqual([HINT]);
	});

	it('says nothing about a second execution when the first answer arrived', async () => {
		const { outputs, hints } = await run('again');
		expect(Object.keys(outputs[0]?.[0]?.json ?? {})).toEqual([
			'needsReview',
			'executionId',
			'status',
			'workflowId',
			'externalId',
			'documents',
			'skipped',
		]);
		expect(hints).toEqual([]);
	});

	it.each([{}, RETRY])(
		'sends them once more and not again, says that there may be two executions, and why (%j)',
		async (settings) => {
			loseAnswers();
			const { error } = await run('again', settings);
			expect(service.requests('create')).toHaveLength(2);
			expect(error?.message).toBe('The connection to the service broke or timed out (ECONNRESET)');
			expect(error?.description).toContain(`${TWO}. ${WHICH}`);
		},
	);

	it('starts at most two executions of each document when every answer is lost, with Retry On Fail', async () => {
		loseAnswers();
		await run('again', RETRY, Array<string>(4).fill(WORKFLOW_ID));
		const started = service.state.executions.all().length;
		expect(started).toBeGreaterThan(4);
		expect(started).toBeLessThanOrEqual(8);
		expect(service.requests('create')).toHaveLength(started);
	});

	it.each([{}, RETRY])(
		'never sends again what the service accepted without naming an execution (%j)',
		async (settings) => {
			service.state.faults.add({
				route: 'create',
				action: { type: 'status', status: 202, body: { job: 'x' } },
			});
			const { error } = await run('again', settings);
			expect(service.requests('create')).toHaveLength(1);
			expect(error?.message).toContain('The answer of the service has no identifier');
			expect(error?.description).toContain(WITH_ID);
			expect(error?.description).toContain("'Field for Execution ID'");
		},
	);

	it.each([{}, RETRY])(
		'never sends again what the service accepted with an answer that breaks off (%j)',
		async (settings) => {
			service.state.faults.add({
				route: 'create',
				action: { type: 'truncated', afterBytes: 10 },
			});
			const { error } = await run('again', settings);
			expect(service.requests('create')).toHaveLength(1);
			expect(error?.message).toBe('The connection to the service broke or timed out (ECONNRESET)');
			expect(error?.description).toContain(NOT_KNOWN);
		},
	);

	it('keeps the outcome unknown when a later try is rejected', async () => {
		fail({ times: 1 });
		service.state.faults.add({ route: 'create', action: { type: 'status', status: 422 } });
		const { outputs } = await run('again', { onError: 'continueErrorOutput' });
		expect(outputs[1]?.[0]?.json.error).toMatchObject({
			outcome: 'unknown',
			message: 'The service answered with status 500',
			description: expect.stringMatching(/^It is unknown.*Last attempt: .*422/),
		});
	});

	it('sends again with Retry On Fail, and still says that there may be two executions', async () => {
		fail({ requests: { to: 1 } });
		const rejected = { type: 'status', status: 422 } as const;
		service.state.faults.add({ route: 'create', times: 1, action: rejected });
		const { outputs, hints, error } = await run('again', RETRY);
		expect(error).toBeUndefined();
		expect(service.requests('create').map(({ status }) => status)).toEqual([500, 422, 200]);
		expect(outputs[0]?.[0]?.json).toMatchObject({ status: 'running', warning: SECOND_MAY_EXIST });
		expect(hints).toEqual([HINT]);
	});

	it('counts the possible executions of all items', async () => {
		fail();
		const { error } = await run('again', {}, [WORKFLOW_ID, 'failing']);
		expect(service.requests('create')).toHaveLength(4);
		expect(error?.description).toContain(
			`Possibly started: 4 in all, 2 for item 0 (policy.txt), External ID "CASE-1", workflow ${WORKFLOW_ID}, 2 for item 1 (policy.txt)`,
		);
	});
});
