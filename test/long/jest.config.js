const { join } = require('node:path');
const daily = require('../../jest.config.js');
const e2e = require('../e2e/jest.config.js');

/** The long forms of tests: large numbers, long waits, and both n8n lines in full. Takes about half an hour. */
const projects = [...daily.projects, e2e].map((project) => ({
	...project,
	testMatch: [join(__dirname, '..', project.displayName, '**', '*.long.test.ts')],
	testPathIgnorePatterns: [],
}));
for (const project of projects) delete project.testSequencer; // jest has one for all projects

module.exports = { testTimeout: 600_000, globalSetup: join(__dirname, 'setup.ts'), projects };
