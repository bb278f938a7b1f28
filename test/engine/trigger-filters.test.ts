import type { INodeParameters } from 'n8n-workflow';

import { answer, POLICY_STEPS } from './support/answers';
import { notification, outputOfGet, startedJson } from './support/notifications';
import { useService, WORKFLOW_ID } from './support/service';
import { useTrigger } from './support/webhook';

const service = useService();
const trigger = useTrigger(service);

const NOTIFICATION = { dataFrom: 'notification' };
const withOptions = (
	options: Record<string, string | number | boolean>,
	more: INodeParameters = {},
) => ({ ...more, options });

describe('Filters', () => {
	const IGNORED = { status: 200, items: undefined, body: { started: false } };

	it.each([
		[['completed'], 'completed', true],
		[['completed'], 'failed', false],
		[['failed'], 'failed', true],
		[['failed'], 'completed', false],
		[[], 'completed', false],
	])('Events %j starts the workflow for the status %s: %s', async (events, status, isStarted) => {
		for (const dataFrom of ['api', 'notification']) {
			service.state.faults.clear();
			answer(service, { status, steps: [] });
			const answered = await trigger.call({
				body: notification(`of ${dataFrom}`, { status }),
				parameters: { dataFrom, events },
			});
			if (isStarted) expect(startedJson(answered)).toMatchObject([{ status }]);
			else expect(answered).toMatchObject(IGNORED);
		}
	});

	it('Events uses the status of the API, not of the notification', async () => {
		answer(service, { status: 'failed', steps: [] });
		expect(
			await trigger.call({
				body: notification('e-1', { status: 'completed' }),
				parameters: { events: ['completed'] },
			}),
		).toMatchObject(IGNORED);
	});

	it('A notification of progress is ignored unless the API reports the end of the execution', async () => {
		answer(service, { status: 'running' });
		expect(
			await trigger.call({ body: notification('e-1', { status: 'reading pages' }) }),
		).toMatchObject(IGNORED);
		service.state.faults.clear();
		answer(service, { status: 'completed', steps: [] });
		expect(
			startedJson(await trigger.call({ body: notification('e-2', { status: 'reading pages' }) })),
		).toMatchObject([{ status: 'completed' }]);
	});

	it.each([
		['', true],
		[WORKFLOW_ID, true],
		[`claims, ${WORKFLOW_ID}`, true],
		['claims', false],
		[WORKFLOW_ID.slice(1), false],
	])('Only Workflows "%s" starts the workflow: %s', async (onlyWorkflows, isStarted) => {
		answer(service, { steps: [] });
		const answered = await trigger.call({
			body: notification('e-1'),
			parameters: withOptions({ onlyWorkflows }),
		});
		if (isStarted) expect(startedJson(answered)).toMatchObject([{ workflowId: WORKFLOW_ID }]);
		else expect(answered).toMatchObject(IGNORED);
	});

	it('Only Workflows ignores an event of another workflow without reading it', async () => {
		const body = [notification('e-1'), notification('e-2', { workflow_id: 'claims' })];
		answer(service, { steps: [] });
		const answered = await trigger.call({
			body,
			parameters: withOptions({ onlyWorkflows: WORKFLOW_ID }),
		});
		expect(startedJson(answered)).toMatchObject([{ executionId: 'e-1' }]);
		expect(service.requests('get')).toHaveLength(1);
	});

	describe.each(['simplified', 'rows', 'raw', 'selected'])('Needs Review Only (%s)', (output) => {
		const detailsOf = (answered: Parameters<typeof startedJson>[0]) =>
			startedJson(answered).map((item) => (output === 'rows' ? item.executionDetails : item));
		const call = (minimumConfidence: number, status = 'completed') => {
			answer(service, status === 'completed' ? { steps: POLICY_STEPS } : { status, steps: [] });
			return trigger.call({
				body: notification('e-1', { status }),
				parameters: withOptions(
					{ onlyReview: true },
					{ output, minimumConfidence, outputOptions: { includeDetails: true } },
				),
			});
		};

		it('starts for values below the minimum', async () => {
			expect(startedJson(await call(0.5))).toMatchObject([{ needsReview: true }]);
		});

		it('ignores an execution without values below the minimum', async () => {
			expect(await call(0.3)).toMatchObject(IGNORED);
		});

		it('ignores an execution without a minimum too, because it needs no review', async () => {
			expect(await call(0)).toMatchObject(IGNORED);
		});

		it('never ignores a failed execution', async () => {
			expect(detailsOf(await call(0.3, 'failed'))).toMatchObject([{ status: 'failed' }]);
		});
	});

	it.each(['simplified', 'rows'])('Needs Review Only keeps Set to Null (%s)', async (output) => {
		answer(service, { steps: POLICY_STEPS });
		const given = { minimumConfidence: 0.5, output, outputOptions: { below: 'blank' } };
		const items = startedJson(
			await trigger.call({
				body: notification('e-1'),
				parameters: withOptions({ onlyReview: true }, given),
			}),
		);
		const all = await outputOfGet(service, 'e-1', given);
		expect(JSON.stringify(all)).toContain('"paid":null');
		expect(items).toEqual(
			output === 'rows' ? all.filter(({ needsReview }) => needsReview === true) : all,
		);
	});

	it.each([
		['was removed for its size', []],
		[
			'is at a URL that is not fetched',
			[{ step_name: 'policy', data: { url: 'https://data.example.com/1' } }],
		],
	])('Needs Review Only does not ignore a notification whose data %s', async (_what, steps) => {
		const parameters = withOptions(
			{ onlyReview: true },
			{ ...NOTIFICATION, minimumConfidence: 0.3, outputOptions: { skipDownload: true } },
		);
		expect(
			startedJson(await trigger.call({ body: notification('e-1', { steps }), parameters })),
		).toMatchObject([{ executionId: 'e-1' }]);
	});
});
