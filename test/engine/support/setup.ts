/** Runs before each engine test file, before n8n-core is loaded, because n8n reads these settings only once. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const userFolder = mkdtempSync(join(tmpdir(), 'document-workflow-engine-'));

Object.assign(process.env, {
	N8N_USER_FOLDER: userFolder,
	N8N_ENCRYPTION_KEY: 'engine-tests-only',
	// The other engine needs a native module that is not built on every machine.
	N8N_EXPRESSION_ENGINE: 'legacy',
	N8N_LOG_LEVEL: 'silent',
	N8N_DIAGNOSTICS_ENABLED: 'false',
});

// n8n looks for unused connections once a minute, without end. All that n8n is would stay in memory for each test file.
const everyInterval: NodeJS.Timeout[] = [];
const { setInterval } = globalThis;
globalThis.setInterval = Object.assign((...given: Parameters<typeof setInterval>) => {
	const interval = setInterval(...given);
	everyInterval.push(interval);
	return interval;
}, setInterval);

afterAll(() => {
	everyInterval.forEach(clearInterval);
	rmSync(userFolder, { recursive: true, force: true });
});
