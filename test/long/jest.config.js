const { readdirSync, readFileSync } = require('node:fs');
const { join } = require('node:path');
const daily = require('../../jest.config.js');
const e2e = require('../e2e/jest.config.js');

// Workers take this over; see test/properties.ts.
process.env.PROPERTY_TESTS = 'all cases';

/** The long forms of tests, and the property tests with all their cases. */
function testsIn(folder) {
	return readdirSync(folder, { recursive: true })
		.map((file) => join(folder, file))
		.filter(
			(file) =>
				file.endsWith('.long.test.ts') ||
				(file.endsWith('.test.ts') && readFileSync(file, 'utf8').includes("/properties';")),
		);
}

/** Large numbers, long waits, and both n8n lines in full. Takes over an hour. */
const projects = [...daily.projects, e2e]
	.map((project) => ({
		...project,
		testMatch: testsIn(join(__dirname, '..', project.displayName)),
		testPathIgnorePatterns: [],
	}))
	.filter(({ testMatch }) => testMatch.length > 0);
for (const project of projects) delete project.testSequencer; // jest has one for all projects

module.exports = {
	testTimeout: 600_000,
	testSequencer: join(__dirname, '..', 'sequencer.js'),
	globalSetup: join(__dirname, 'setup.ts'),
	projects,
};
