const { join } = require('node:path');
const e2e = require('../e2e/jest.config.js');

/** One version of n8n that is no line of the e2e tests. Its installation is ready. */
module.exports = {
	...e2e,
	displayName: 'versions',
	testMatch: [join(__dirname, '*.test.ts')],
	globalSetup: undefined,
	testSequencer: undefined,
};
