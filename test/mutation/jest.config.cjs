'use strict';

const { join } = require('node:path');
const shared = require('../../jest.config.js').projects[0];

/** The unit tests of one room. A mutant of a room has to be killed by them: the tests of other rooms would take too long. */
module.exports = {
	...shared,
	displayName: 'mutation',
	filter: join(__dirname, 'filter.cjs'),
	testEnvironment: join(__dirname, 'environment.cjs'),
	testRunner: join(__dirname, 'jest-circus.cjs'),
	testSequencer: join(__dirname, 'sequencer.cjs'),
	roots: [join(shared.rootDir, process.env.MUTATION_TESTS.replace(/\/[^/]*[*{].*/, ''))], // jest lists these files for each mutant
	testMatch: [join(shared.rootDir, process.env.MUTATION_TESTS)],
	// Random calls and large files take long; other tests have to notice what they would notice.
	testPathIgnorePatterns: ['\\.long\\.test\\.ts$', '/(hostile|large|properties)\\.test\\.ts$'],
	testTimeout: 30_000,
};
