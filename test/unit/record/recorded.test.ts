import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Recorded } from '../../../harness/record/recording';
import { shapeOf } from '../../../harness/record/shape';
import { readExecution, readStarted } from '../../../service/reading';

const FOLDER = join(__dirname, '../../fixtures/recorded');
const files = existsSync(FOLDER) ? readdirSync(FOLDER) : [];
const steps = [{ name: 'policies', data: { policy_number: 'PN-1' } }];
const made = { execution_id: 'e-1', status: 'completed', steps };
const answers = [
	...['made-create', 'made-check-1'].map((file) => [file, 200, shapeOf(made)] as const),
	...files.map((file) => {
		const { status, body } = JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as Recorded;
		return [file, status, body] as const;
	}),
].filter(([file, status]) => status < 300 && !file.includes('-token'));

describe('A recorded answer of the service', () => {
	it.each(answers)('is read, as %s', (file, _status, body) => {
		const ids = { workflowId: 'w-1', executionId: 'e-1' };
		const read = file.includes('-create') ? readStarted(body, 'w-1') : readExecution(body, ids);
		expect(read?.status).toEqual(expect.stringMatching(/./));
	});
});
