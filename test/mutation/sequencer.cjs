'use strict';

/** Test files that run fewer mutants first: they are more likely to notice the one that is active. */
const { readFileSync } = require('node:fs');
const Sequencer = require('@jest/test-sequencer').default;

const { TEST_FILES_OF_MUTANTS } = process.env;

module.exports = class SpecificFirst extends Sequencer {
	sort(tests) {
		if (process.env.__STRYKER_ACTIVE_MUTANT__ === undefined) return tests;
		const files = Object.values(JSON.parse(readFileSync(TEST_FILES_OF_MUTANTS, 'utf8'))).flat();
		const mutants = ({ path }) => files.filter((file) => file === path).length;
		return [...tests].sort((a, b) => mutants(a) - mutants(b));
	}
};
