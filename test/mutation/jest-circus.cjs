'use strict';

/** Runs a test file; after a test that failed on the active mutant it does not load the file. Stryker demands the name. */
const { createEmptyTestResult } = require('@jest/test-result');
const { default: run } = require('jest-circus/runner');
const { isNoticed } = require('./bail.cjs');

/** jest counts a file without a test as an error, and Stryker then does not count the mutant. */
const LEFT_OUT = {
	...{ ancestorTitles: [], title: 'left out', fullName: 'left out', status: 'pending' },
	...{ failureDetails: [], failureMessages: [], numPassingAsserts: 0 },
};

module.exports = async (globalConfig, config, environment, runtime, testFilePath) => {
	if (!isNoticed()) return run(globalConfig, config, environment, runtime, testFilePath);
	const result = createEmptyTestResult();
	return { ...result, testFilePath, numPendingTests: 1, testResults: [LEFT_OUT] };
};
