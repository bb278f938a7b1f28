/**
 * `node .ci/counts.js <suite> <exit code>` prints how many tests of a suite passed and failed. Skipped tests, and files that did not
 * run, count as failed. A suite without results is one test: its exit code.
 */
const { existsSync, readFileSync } = require('node:fs');

const [suite, code] = process.argv.slice(2);
const file = `artefacts/results/${suite}.json`;
let passed = 0;
let failed = 0;
if (existsSync(file)) {
	const {
		numPassedTests,
		numFailedTests,
		numPendingTests,
		numTodoTests,
		numRuntimeErrorTestSuites,
	} = JSON.parse(readFileSync(file, 'utf8'));
	passed = numPassedTests;
	failed = numFailedTests + numPendingTests + numTodoTests + numRuntimeErrorTestSuites;
} else if (suite === 'none' && code === '0') {
	passed = 1;
}
if ((code !== '0' || passed === 0) && failed === 0) failed = 1;
console.log(passed, failed);
