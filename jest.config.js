/** Unit tests read the TypeScript sources; engine tests run the built package inside n8n-core. */
const typescript = {
	'^.+\\.ts$': ['ts-jest', { tsconfig: '<rootDir>/test/tsconfig.json', diagnostics: false }],
};
const shared = { rootDir: __dirname, testEnvironment: 'node', transform: typescript };

module.exports = {
	projects: [
		{ ...shared, displayName: 'unit', testMatch: ['<rootDir>/test/unit/**/*.test.ts'] },
		{ ...shared, displayName: 'simulator', testMatch: ['<rootDir>/test/simulator/**/*.test.ts'] },
		{ ...shared, displayName: 'engine', testMatch: ['<rootDir>/test/engine/**/*.test.ts'] },
	],
};
