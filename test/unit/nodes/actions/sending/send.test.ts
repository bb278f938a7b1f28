import type { IDataObject, IWorkflowDataProxyData } from 'n8n-workflow';
import type {
	Job,
	Result,
	Session,
	Success,
} from '../../../../../nodes/DocumentWorkflow/actions/operation';
import { toJson } from '../../../../../nodes/DocumentWorkflow/about';
import type { Sent } from '../../../../../nodes/DocumentWorkflow/actions/sending/send';
import { sendJobs } from '../../../../../nodes/DocumentWorkflow/actions/sending/send';
import { Journal } from '../../../../../nodes/DocumentWorkflow/actions/sending/journal';
import type { ServiceRequest } from '../../../../../service/http';
import type { StoredJob } from '../../../../../nodes/DocumentWorkflow/pausing/pause';
import { SentStore } from '../../../../../nodes/DocumentWorkflow/documents/sentStore';
import { contextOf, pauseOf, node } from '../../../support/context';
import { sha256 } from '../../../support/documents';
import { ProcessedData } from '../../../support/processedData';

const POLICY = {
	data: Buffer.from('Policy').toString('base64'),
	mimeType: 'text/plain',
	fileName: 'policy.txt',
};
const logger = { info: jest.fn(), debug: jest.fn(), warn: jest.fn(), error: jest.fn() };

/** A run with two items. The first has already started an execution. Counts the sent requests. */
function session(
	parameters: Record<string, unknown>,
	earlier: StoredJob[] | undefined,
	{ store, ...remembered }: { store?: ProcessedData | undefined; remembered?: string[] } = {},
): { session: Session; sent: () => number } {
	const memory = {};
	const context = contextOf({
		parameters: { workflowId: 'w', ...parameters },
		getInputData: () =>
			store === undefined ? [{ json: {} }, { json: {} }] : [{ json: {}, binary: { data: POLICY } }],
		getWorkflow: () => ({ id: 'w', active: false }),
		getMode: () => 'trigger',
		helpers: store?.helpers() ?? {},
		getWorkflowSettings: () => ({}),
		logger,
		getContext: () => memory,
		getExecutionId: () => '1',
	});
	const journal = new Journal(context);
	const record = journal.recordOf('0', {
		workflowId: 'w',
		itemIndex: 0,
		hash: 'hash',
		externalId: '',
		files: '',
	});
	record.sent();
	record.accepted({
		execution: { workflowId: 'w', executionId: 'e-0', status: 'running' },
		about: { documents: [] },
		sentHash: '',
		...remembered,
	});
	const send = jest.fn(async (request: ServiceRequest) => {
		request.record?.sent();
		const answer = { kind: 'answer', status: 200, headers: {} } as const;
		return Promise.resolve({ ...answer, body: { workflow_execution_id: 'e-new' } });
	});
	const connection = {
		fileAccess: { fields: {} },
		send,
		linkTo: <T>(ids: T) => ids,
		pause: async () => Promise.resolve(),
	};
	return {
		session: {
			context,
			journal,
			connection,
			inputs: context.getInputData(),
			pause: pauseOf(earlier),
			startedAt: 0,
		},
		sent: () => send.mock.calls.length,
	};
}

async function jobsOf(given: Session, more: Partial<Success> = {}): Promise<Job[]> {
	const proceed = async ({ execution, about }: Sent): Promise<Result> =>
		Promise.resolve({
			ok: true,
			about: {},
			items: [{ json: { ...toJson(about), executionId: execution?.executionId ?? null } }],
			...more,
		});
	return sendJobs(given, () => ({}), proceed);
}

/** The output or error message of each job. */
async function outcomes(given: Session): Promise<unknown[]> {
	const jobs = await jobsOf(given);
	const results = await Promise.all(
		jobs.map(async ({ work }) => (typeof work === 'function' ? work() : work)),
	);
	return results.map((result) => (result.ok ? result.items[0]?.json : result.error.message));
}

const TEXT_ONLY = {
	documents: 'none',
	inputs: { textInputs: [{ name: 'note', value: 'text' }] },
};
const FILES = { documents: 'files', inputDataFieldName: 'data' };

describe('a run after a pause', () => {
	const BEFORE: StoredJob[] = [
		{ key: '0', itemIndexes: [0] },
		{ key: '1', itemIndexes: [1], about: { status: 'skipped', skipped: [] } },
	];

	it.each([
		['text inputs alone', TEXT_ONLY],
		['documents that are gone', FILES],
	])(
		'continues what was started, sends nothing, and repeats what it reported of an item without an execution: %s',
		async (_what, parameters) => {
			const { session: given, sent } = session(parameters, BEFORE);
			expect(await outcomes(given)).toEqual([
				{ executionId: 'e-0', documents: [] },
				{ executionId: null, status: 'skipped', skipped: [] },
			]);
			expect(sent()).toBe(0);
		},
	);

	it('fails for missing documents only if there was no pause', async () => {
		const parameters = { ...FILES, 'documentOptions.withoutDocuments': 'fail' };
		expect(await outcomes(session(parameters, undefined).session)).toEqual([
			'The item has no documents to send',
			'The item has no documents to send',
		]);
	});
});

describe('a retry of a run that n8n crashed in before it had stored anything', () => {
	let executions = 0;
	const retried = (
		parameters: Record<string, unknown>,
		memory: IDataObject,
		store?: ProcessedData,
	) => {
		const execution = `retry ${++executions}`;
		const given = session(parameters, undefined, { store });
		const $items = () => [{ json: { isArtificialRecoveredEventItem: true } }];
		const context = {
			...given.session.context,
			getMode: () => 'retry' as const,
			getExecutionId: () => execution,
			getContext: () => memory,
			getExecuteData: () => ({ node, data: {}, source: null }),
			getWorkflowDataProxy: () => ({ $items }) as unknown as IWorkflowDataProxyData,
		};
		return { ...given, session: { ...given.session, context, journal: new Journal(context) } };
	};

	it('sends nothing and says so, and all when it is retried once more', async () => {
		const memory: IDataObject = {};
		const first = retried(TEXT_ONLY, memory);
		const message = 'Nothing was sent, because the documents may have been sent before n8n crashed';
		expect(await outcomes(first.session)).toEqual([message, message]);
		expect(first.sent()).toBe(0);
		const second = retried(TEXT_ONLY, memory);
		expect(await outcomes(second.session)).toMatchObject([
			{ executionId: 'e-new' },
			{ executionId: 'e-new' },
		]);
	});

	it('fails each document with its own file only', async () => {
		const { session: given } = retried({ ...FILES, groupBy: 'document' }, {}, new ProcessedData());
		expect(await jobsOf(given)).toMatchObject([{ fieldNames: ['data'], work: { ok: false } }]);
	});

	it('goes on for items that have nothing to send', async () => {
		const skipping = { ...FILES, 'documentOptions.withoutDocuments': 'skip' };
		const { session: given } = retried(skipping, {});
		expect(
			await outcomes({
				...given,
				context: { ...given.context, addExecutionHints: () => undefined },
			}),
		).toMatchObject([
			{ status: 'skipped', needsReview: true },
			{ status: 'skipped', needsReview: true },
		]);
	});
});

it('An execution that is created is logged', async () => {
	logger.info.mockClear();
	const { session: given, sent } = session(TEXT_ONLY, undefined);
	expect((await outcomes(given))[1]).toMatchObject({ executionId: 'e-new' });
	expect(sent()).toBeGreaterThan(0);
	expect(logger.info).toHaveBeenCalledWith(
		'Execution e-new (workflow w) was started: item 1, n8n execution 1',
	);
});

it.each([
	['completed', {}, 'cameOut'],
	['failed', { status: 'cancelled' }, 'new'],
	['did not end in time', { status: 'running', timedOut: true }, 'accepted'],
])(
	'The document of an execution that %s, with %j, is then known as %s',
	async (_, about, state) => {
		const store = new ProcessedData();
		const sentStore = new SentStore(contextOf({ helpers: store.helpers() }));
		await sentStore.ask(['w a']);
		await sentStore.write('accepted', ['w a']);
		const sent = { store, remembered: ['w a'] };
		const { session: given } = session(TEXT_ONLY, [{ key: '0', itemIndexes: [0] }], sent);
		const [job] = await jobsOf(given, { about });
		const done = typeof job?.work === 'function' ? await job.work() : job?.work;
		expect(await sentStore.ask(['w a'])).toEqual(new Map([['w a', 'accepted']]));
		if (done?.ok) await done.whenOutput?.();
		expect(await sentStore.ask(['w a'])).toEqual(new Map([['w a', state]]));
	},
);

it('A document that an earlier try has sent in another way is skipped with a review, and has no result after that', async () => {
	const store = new ProcessedData();
	const name = `w ${sha256('Policy')}`;
	const sentStore = new SentStore(contextOf({ helpers: store.helpers() }));
	await sentStore.ask([name]);
	await sentStore.write('accepted', [name]);
	const parameters = { ...FILES, 'documentOptions.skipAlreadySent': true };
	const remembered = [name];
	const { session: given, sent } = session(parameters, undefined, { store, remembered });
	const [job] = await jobsOf(given);
	const result = typeof job?.work === 'function' ? await job.work() : undefined;
	expect(result).toMatchObject({ items: [{ json: { status: 'skipped', needsReview: true } }] });
	if (result?.ok) await result.whenOutput?.();
	expect([sent(), await sentStore.ask([name])]).toEqual([0, new Map([[name, 'accepted']])]);
});
