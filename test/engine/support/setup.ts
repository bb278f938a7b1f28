/** Runs before each engine test file. n8n reads these settings once in each process, when n8n-core is loaded. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

process.env.N8N_USER_FOLDER ??= mkdtempSync(join(tmpdir(), 'document-workflow-engine-'));

Object.assign(process.env, {
	N8N_ENCRYPTION_KEY: 'engine-tests-only',
	// The other engine needs a native module that is not built on every machine.
	N8N_EXPRESSION_ENGINE: 'legacy',
	N8N_LOG_LEVEL: 'silent',
	N8N_DIAGNOSTICS_ENABLED: 'false',
});

const { N8N_USER_FOLDER: userFolder } = process.env;

afterAll(() => rmSync(userFolder, { recursive: true, force: true }));
