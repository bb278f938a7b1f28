const { join } = require('node:path');
const daily = require('../../jest.config.js');

const { transform, ...engine } = daily.projects.find(({ displayName }) => displayName === 'engine');

/** What the built package costs, compared with what it cost before. Without coverage, which would be measured too. */
module.exports = {
	...engine,
	displayName: 'costs',
	testMatch: [join(__dirname, '*.test.ts')],
	transform: Object.fromEntries(
		Object.entries(transform).filter(([pattern]) => !pattern.includes('dist')),
	),
	// Only against tests that never end.
	testTimeout: 600_000,
};
