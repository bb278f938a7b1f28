'use strict';

/**
 * The environment of all tests, which also tells Stryker the test that runs. Stryker is in the cache folder, not in node_modules.
 * In the first run, which changes nothing, it writes which test files run the place of each mutant; see filter.cjs.
 */
const { writeFileSync } = require('node:fs');
const { join } = require('node:path');

const { STRYKER_FOLDER, TEST_FILES_OF_MUTANTS } = process.env;
const runner = join(STRYKER_FOLDER, 'node_modules', '@stryker-mutator', 'jest-runner');
const { mixinJestEnvironment } = require(runner);
const { isNoticed, setNoticed } = require('./bail.cjs');
const OneContext = mixinJestEnvironment(require('../environment.cjs'));

const filesOf = {};

module.exports = class extends OneContext {
	constructor(config, context) {
		super(config, context);
		const tests = (this.tests = []);
		const handle = this.handleTestEvent;
		this.file = context.testPath;
		this.handleTestEvent = async (event, state) => {
			await handle(event, state);
			if (event.name === 'test_start') {
				tests.push(this.global.__stryker__.currentTestId);
				if (isNoticed()) event.test.mode = 'skip';
			}
			if (event.name === 'test_done' && event.test.errors.length > 0) setNoticed();
		};
	}

	async teardown() {
		await super.teardown();
		if (process.env.__STRYKER_ACTIVE_MUTANT__ !== undefined) return;
		const { perTest = {} } = this.global.__stryker__.mutantCoverage ?? {};
		const mutants = new Set(this.tests.flatMap((test) => Object.keys(perTest[test] ?? {})));
		for (const mutant of mutants) (filesOf[mutant] ??= []).push(this.file);
		writeFileSync(TEST_FILES_OF_MUTANTS, JSON.stringify(filesOf));
	}
};
