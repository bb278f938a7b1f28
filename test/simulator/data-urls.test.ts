import { call, CONFIGURATION, DOCUMENT, form, ServiceClock, started, type Caller } from './support';

const clock = new ServiceClock();
let caller: Caller;
beforeEach(async () => void (caller = await started(CONFIGURATION, clock)));
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
		for (const wrong of [
			url.replace('/steps/0', '/steps/1'),
			url.replace(/expires=\d+/, 'expires=99999999999999'),
			url.split('?')[0] ?? '',
		])
			expect((await call(wrong)).status).toBe(403);
		const { state } = caller.simulator;
		expect(JSON.stringify(state.requests.all())).not.toContain('signature');
		state.executions.clear();
		expect((await call(url)).status).toBe(404);
	});

	test('returns a new URL with each answer, valid for the configured time', async () => {
		const executionId = await caller.createdId('intake', form(DOCUMENT));
		const first = stepsOf(await caller.ended('intake', executionId))[0]?.data.url ?? '';
		caller.simulator.state.settings.change({ signedUrlLifetimeSeconds: 60 });
		const second = stepsOf(await caller.ended('intake', executionId))[0]?.data.url ?? '';
		expect(second).not.toBe(first);
		expect((await call(second)).status).toBe(200);
		await clock.pass(60_000);
		expect((await call(second)).status).toBe(403);
		expect((await call(first)).status).toBe(200);
	});
});
