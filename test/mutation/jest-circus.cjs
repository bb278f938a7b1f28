'use strict';

/** Runs a test file; after a test that failed on the active mutant it does not load the file. Stryker demands the name. */
const { createEmptyTestResult } = require('@jest/test-result');
const { default: run } = require('jest-circus/runner');
const { isNoticed } = require('./bail.cjs');

module.exports = async (globalConfig, config, environment, runtime, testFilePath) => {
	if (isNoticed()) return { ...createEmptyTestResult(), testFilePath };
	return run(globalConfig, config, environment, runtime, testFilePath);
};
