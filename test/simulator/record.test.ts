import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { record } from '../../harness/record/recording';
import { startSimulator, type Simulator } from '../../simulator';
import { CLIENT, CONFIGURATION } from './support';

describe('The answers of a service that are recorded', () => {
	let simulator: Simulator;
	let folder: string;
	let file: string;
	beforeAll(async () => {
		simulator = await startSimulator({ configuration: CONFIGURATION });
		folder = mkdtempSync(join(tmpdir(), 'document-workflow-record-'));
		file = join(folder, 'policy.txt');
		writeFileSync(file, 'Policy Number: CPP-4417-22\nPremium: $1,234.50\n');
	});
	afterAll(async () => {
		await simulator.stop();
		rmSync(folder, { recursive: true });
	});

	const wanted = (workflowId: string) => ({
		baseUrl: simulator.productionUrl,
		workflowId,
		login: CLIENT,
		everyMilliseconds: 10,
		checks: 20,
	});

	it('are the token, the create and each check that says something new, without secrets and values', async () => {
		const recorded = await record({ ...wanted('intake'), of: { file } });
		expect(recorded.map(({ name, status }) => [name.split('-')[0], status])).toEqual(
			expect.arrayContaining([
				['token', 200],
				['create', 200],
				['check', 200],
			]),
		);
		const text = JSON.stringify(recorded);
		expect(text).toContain('"status":"completed"');
		expect(text).toContain('"policy_number":{"value":"text"');
		for (const value of ['CPP-4417', '1,234', CLIENT.clientSecret, 'policy.txt'])
			expect(text).not.toContain(value);
		for (const { executionId } of simulator.state.executions.all())
			expect(text).not.toContain(executionId);
		expect(readFileSync(file, 'utf8')).toContain('CPP-4417');
	});

	it('are only that of the token where the client is rejected', async () => {
		const login = { ...CLIENT, clientSecret: 'wrong' };
		const recorded = await record({ ...wanted('intake'), login, of: { file } });
		expect(recorded.map(({ name, status }) => [name, status])).toEqual([['token', 401]]);
	});

	it('are the checks of an execution that is there', async () => {
		const [{ executionId } = { executionId: '' }] = simulator.state.executions.all();
		const recorded = await record({ ...wanted('intake'), of: { executionId } });
		expect(recorded.map(({ name }) => name)).toEqual(['token', 'check-1']);
	});

	it('are also those of an execution that fails, and of a workflow that does not exist', async () => {
		const failed = JSON.stringify(await record({ ...wanted('failing'), of: { file } }));
		expect(failed).toContain('"error_message":"text"');
		const recorded = await record({ ...wanted('none'), of: { file } });
		expect(recorded.map(({ status }) => status)).toEqual([200, 404]);
	});
});
