import type { Result, Session } from '../../../../nodes/DocumentWorkflow/actions/operation';
import type { Started } from '../../../../nodes/DocumentWorkflow/actions/start';
import { startJobs } from '../../../../nodes/DocumentWorkflow/actions/start';
import { openStarts } from '../../../../nodes/DocumentWorkflow/actions/starts';
import { CREATE_FIELDS } from '../../../../service/contract';
import { Lane } from '../../../../service/pace';
import { contextOf } from '../../support/context';

const accepted = {
	kind: 'accepted',
	execution: { workflowId: 'w', executionId: 'e-0', status: 'running' },
	json: { documents: [] },
	itemIndex: 0,
	sent: 'mark',
	externalId: '',
} as const;

const logger = { info: jest.fn(), debug: jest.fn(), warn: jest.fn(), error: jest.fn() };

/** A run for two items, of which the first has started an execution before; counts what is sent. */
function session(
	parameters: Record<string, unknown>,
	resumedUntil: number | undefined,
): { session: Session; sent: () => number } {
	const context = contextOf({
		parameters: { workflowId: 'w', ...parameters },
		getInputData: () => [{ json: {} }, { json: {} }],
		logger,
		getContext: () => ({}),
		getExecutionId: () => '1',
		evaluateExpression: () => 0,
	});
	const starts = openStarts(context);
	starts.keep('0', accepted);
	const sendCreate = jest.fn(async () =>
		Promise.resolve({
			kind: 'answer',
			status: 200,
			headers: {},
			body: { workflow_execution_id: 'e-new' },
		} as const),
	);
	const connection = {
		createSettings: { names: CREATE_FIELDS, fileAccess: {} },
		sendCreate,
		sendLook: sendCreate,
		sealer: { clientId: '', clientSecret: '' },
		fetching: new Lane(1),
		pause: async () => Promise.resolve(),
	};
	return {
		session: {
			context,
			starts,
			connection,
			inputs: context.getInputData(),
			resumedUntil,
			reference: undefined,
		},
		sent: () => sendCreate.mock.calls.length,
	};
}

/** What comes of each job; what was started is put out as it is. */
async function outcomes(given: Session): Promise<unknown[]> {
	const proceed = async ({ execution, json, leadsBack }: Started & { ok: true }): Promise<Result> =>
		Promise.resolve({
			ok: true,
			items: [{ json: { ...json, executionId: execution?.executionId ?? null, leadsBack } }],
		});
	const jobs = await startJobs(given, () => undefined, proceed);
	const results = await Promise.all(
		jobs.map(async ({ work }) => (typeof work === 'function' ? work() : work)),
	);
	return results.map((result) => (result.ok ? result.items[0]?.json : result.error.message));
}

const TEXT_ONLY = { documents: 'none', textInputs: { pairs: [{ name: 'note', value: 'text' }] } };
const FILES = { documents: 'files', inputDataFieldName: 'data' };

describe('after a pause', () => {
	const until = Date.now() + 3_600_000;

	it('nothing is sent: what was not started before is not started any more', async () => {
		const { session: given, sent } = session(TEXT_ONLY, until);
		expect((await outcomes(given))[1]).toMatchObject({ status: 'skipped', executionId: null });
		expect(sent()).toBe(0);
	});

	it('what was started is gone on with, though its documents are not there any more', async () => {
		const { session: given, sent } = session(FILES, until);
		expect(await outcomes(given)).toEqual([
			expect.objectContaining({ executionId: 'e-0', documents: [], leadsBack: true }),
			expect.stringContaining('no file'),
		]);
		expect(sent()).toBe(0);
	});

	it('and only then: without a pause documents that are not there are refused', async () => {
		expect(await outcomes(session(FILES, undefined).session)).toEqual([
			expect.stringContaining('no file'),
			expect.stringContaining('no file'),
		]);
	});
});

it('What is created in this n8n execution leads back to it, and is told to the log', async () => {
	const { session: given, sent } = session(TEXT_ONLY, undefined);
	expect((await outcomes(given))[1]).toMatchObject({ executionId: 'e-new', leadsBack: true });
	expect(sent()).toBeGreaterThan(0);
	expect(logger.info).toHaveBeenCalledTimes(sent());
	expect(logger.info).toHaveBeenCalledWith('Execution e-new of workflow w was started');
});
