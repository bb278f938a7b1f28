const { join } = require('node:path');
const shared = require('../../jest.config.js').projects[0];

/** n8n's verification: slower than `npm test`, because it packs the package. */
module.exports = {
	...shared,
	displayName: 'gate',
	testMatch: [join(__dirname, '*.test.ts')],
	// Only against tests that never end.
	testTimeout: 600_000,
};
