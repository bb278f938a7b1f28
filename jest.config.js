/** Unit tests read the TypeScript sources; engine tests run the built package inside n8n-core. */
const typescript = { '^.+\\.ts$': '<rootDir>/test/transform.cjs' };
/** See test/environment.cjs. */
const PACKAGES = '(n8n-core|n8n-workflow|@n8n/[^/]+)/';
const packages = { [`/node_modules/${PACKAGES}.+\\.c?js$`]: '<rootDir>/test/loadedOnce.cjs' };
const shared = {
	rootDir: __dirname,
	testEnvironment: '<rootDir>/test/environment.cjs',
	transform: { ...packages, ...typescript },
	transformIgnorePatterns: [`/node_modules/(?!${PACKAGES})`],
	// Long forms of tests: `npm run test:long` runs them.
	testPathIgnorePatterns: ['\\.long\\.test\\.ts$'],
};

module.exports = {
	// Only against tests that never end: a test takes a second or two, and longer on a busy machine.
	testTimeout: 240_000,
	testSequencer: '<rootDir>/test/sequencer.js',
	// The built files are remapped to their sources; see test/engine/support/dist-coverage.cjs.
	collectCoverageFrom: ['{credentials,nodes,service,simulator}/**/*.ts', 'dist/**/*.js'],
	coverageThreshold: Object.fromEntries(
		['credentials', 'nodes', 'service', 'simulator'].map((room) => [
			`./${room}/`,
			{ lines: 90, branches: 90 },
		]),
	),
	projects: [
		{ ...shared, displayName: 'unit', testMatch: ['<rootDir>/test/unit/**/*.test.ts'] },
		{ ...shared, displayName: 'simulator', testMatch: ['<rootDir>/test/simulator/**/*.test.ts'] },
		{
			...shared,
			displayName: 'engine',
			testMatch: ['<rootDir>/test/engine/**/*.test.ts'],
			setupFilesAfterEnv: ['setup.ts', 'time.ts'].map(
				(file) => `<rootDir>/test/engine/support/${file}`,
			),
			transform: {
				...packages,
				...typescript,
				'/dist/.+\\.js$': '<rootDir>/test/engine/support/dist-coverage.cjs',
			},
		},
	],
};
