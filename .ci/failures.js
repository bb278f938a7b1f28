/**
 * Prints each test of any suite that did not pass, or only at its second attempt, with the first lines of its failure, at the end of a
 * long log. Fails where more tests needed a second attempt than a busy machine explains.
 */
const { existsSync, readdirSync, readFileSync } = require('node:fs');
const { basename, join } = require('node:path');
const { stripVTControlCharacters } = require('node:util');

const RESULTS = 'artefacts/results';
const LINES = 15;
const SECOND_ATTEMPTS = 2;

let secondAttempts = 0;
const files = existsSync(RESULTS) ? readdirSync(RESULTS) : [];
for (const { name, message, assertionResults } of files.flatMap(
	(file) => JSON.parse(readFileSync(join(RESULTS, file), 'utf8')).testResults,
)) {
	const failed = assertionResults.filter(({ status }) => status !== 'passed');
	for (const { fullName, status, failureMessages } of failed)
		say(`Not passed: ${basename(name)}: ${fullName}: ${status}`, failureMessages.join('\n'));
	if (failed.length === 0 && message) say(`Not passed: ${basename(name)}`, message);
	for (const { fullName, status, retryReasons = [] } of assertionResults) {
		if (status !== 'passed' || retryReasons.length === 0) continue;
		secondAttempts++;
		say(`Passed only at the second attempt: ${fullName}`, retryReasons.join('\n'));
	}
}
if (secondAttempts > SECOND_ATTEMPTS) {
	console.log(
		`\n${secondAttempts} tests passed only at the second attempt; ${SECOND_ATTEMPTS} are allowed.`,
	);
	process.exitCode = 1;
}

function say(what, why) {
	const lines = stripVTControlCharacters(why)
		.split('\n')
		.filter((line) => line.trim() !== '');
	console.log(
		`\n${what}\n${lines
			.slice(0, LINES)
			.map((line) => `    ${line}`)
			.join('\n')}`,
	);
}
