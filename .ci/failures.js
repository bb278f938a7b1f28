/** Prints each test of any suite that did not pass, with the first lines of its failure, at the end of a long log. */
const { existsSync, readdirSync, readFileSync } = require('node:fs');
const { basename, join } = require('node:path');
const { stripVTControlCharacters } = require('node:util');

const RESULTS = 'artefacts/results';
const LINES = 15;

const files = existsSync(RESULTS) ? readdirSync(RESULTS) : [];
for (const { name, message, assertionResults } of files.flatMap(
	(file) => JSON.parse(readFileSync(join(RESULTS, file), 'utf8')).testResults,
)) {
	const failed = assertionResults.filter(({ status }) => status !== 'passed');
	for (const { fullName, status, failureMessages } of failed)
		say(`${basename(name)}: ${fullName}: ${status}`, failureMessages.join('\n'));
	if (failed.length === 0 && message) say(basename(name), message);
}

function say(what, why) {
	const lines = stripVTControlCharacters(why)
		.split('\n')
		.filter((line) => line.trim() !== '');
	console.log(
		`\nNot passed: ${what}\n${lines
			.slice(0, LINES)
			.map((line) => `    ${line}`)
			.join('\n')}`,
	);
}
