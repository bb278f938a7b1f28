'use strict';

/** Loads only the test files that run the place of the active mutant: Stryker selects tests by name only, and loading files takes longer than tests. */
const { readFileSync } = require('node:fs');

const { TEST_FILES_OF_MUTANTS } = process.env;

module.exports = async (files) => {
	const mutant = process.env.__STRYKER_ACTIVE_MUTANT__;
	if (mutant === undefined) return { filtered: files };
	const wanted = JSON.parse(readFileSync(TEST_FILES_OF_MUTANTS, 'utf8'))[mutant] ?? [];
	return { filtered: files.filter((file) => wanted.includes(file)) };
};
