const { join } = require('node:path');
const shared = require('../../jest.config.js').projects[0];

/** The packed package in a real n8n. */
module.exports = {
	...shared,
	displayName: 'e2e',
	testMatch: [join(__dirname, '*.test.ts')],
	testPathIgnorePatterns: ['\\.long\\.test\\.ts$'],
	testSequencer: join(__dirname, 'sequencer.js'),
	globalSetup: join(__dirname, 'setup.ts'),
	setupFilesAfterEnv: [join(__dirname, 'secondAttempt.ts')],
	// Only against tests that never end: a busy machine takes three times as long.
	testTimeout: 600_000,
};
