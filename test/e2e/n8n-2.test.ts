import { browserSpec } from './specs/browser';
import { credentialSpec } from './specs/credential';
import { executionSpec } from './specs/execution';
import { httpRequestSpec } from './specs/httpRequest';
import { renewalSpec } from './specs/renewal';
import { stopSpec } from './specs/stop';
import { uploadSpec } from './specs/upload';
import { quiet, startWorld, type World } from './support';

describe('in n8n 2', () => {
	let current: World | undefined;
	const world = (): World => {
		if (!current) throw new Error('n8n has not been started');
		return current;
	};
	beforeAll(async () => {
		current = await startWorld('n8n-2');
	});
	beforeEach(() => quiet(world()));
	afterAll(async () => current?.stop());

	credentialSpec(world);
	executionSpec(world);
	renewalSpec(world);
	uploadSpec(world);
	stopSpec(world);
	httpRequestSpec(world);
	browserSpec(world);
});
