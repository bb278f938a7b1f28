import { call, DOCUMENT, form, started, until, type Caller } from './support';

let caller: Caller;
beforeEach(async () => void (caller = await started()));
afterEach(() => caller.simulator.stop());

const stepsOf = (body: Record<string, unknown>) =>
	body.steps as Array<{ step_name: string; data: { url: string } }>;

describe('a workflow that answers with data URLs', () => {
	beforeEach(() => void caller.simulator.state.workflows.change('intake', { answerFormat: 'url' }));

	test('returns a signed URL for the data of each step, which needs no token', async () => {
		const body = await caller.ended('intake', await caller.createdId('intake', form(DOCUMENT)));
		expect(body).toMatchObject({
			status: 'completed',
			steps: [
				{
					step_name: 'Policy',
					data: { url: expect.stringContaining(`${caller.simulator.productionUrl}/signed/`) },
				},
			],
		});
		const url = stepsOf(body)[0]?.data.url ?? '';
		expect(await call(url)).toMatchObject({
			status: 200,
			body: { data: [{ policy_number: { value: 'AB-1' } }] },
		});
		expect((await call(url.split('?')[0] ?? '')).status).toBe(403);
	});

	test('returns a new URL with each answer, valid for the configured time', async () => {
		const executionId = await caller.createdId('intake', form(DOCUMENT));
		const first = stepsOf(await caller.ended('intake', executionId))[0]?.data.url ?? '';
		caller.simulator.state.settings.change({ signedUrlLifetimeSeconds: 0.001 });
		const second = stepsOf(await caller.ended('intake', executionId))[0]?.data.url ?? '';
		expect(second).not.toBe(first);
		await until(async () => ((await call(second)).status === 403 ? true : undefined));
		expect((await call(first)).status).toBe(200);
	});

	test('returns no steps while the execution is running', async () => {
		caller.simulator.state.workflows.change('slow', { answerFormat: 'url' });
		const { body } = await caller.get('slow', await caller.createdId('slow', form(DOCUMENT)));
		expect(body).toMatchObject({ status: 'running' });
		expect(body).not.toHaveProperty('steps');
	});
});
