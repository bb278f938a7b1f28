import js from '@eslint/js';
import { defineConfig, globalIgnores } from 'eslint/config';
import regexp from 'eslint-plugin-regexp';
import typescript from 'typescript-eslint';

const DEVELOPMENT_ROOMS = {
	regex: '(simulator|harness|test|benchmarks|examples|demo)/',
	message: 'The package does not import its development rooms.',
};

export default defineConfig(
	globalIgnores(['dist/', 'coverage/', 'artefacts/', '**/node_modules/', 'test/gate/forbidden/']),
	js.configs.recommended,
	{
		files: ['**/*.ts'],
		extends: [typescript.configs.recommendedTypeChecked, typescript.configs.stylisticTypeChecked],
		languageOptions: {
			parserOptions: { project: './test/tsconfig.json', tsconfigRootDir: import.meta.dirname },
		},
		rules: {
			'@typescript-eslint/no-explicit-any': 'error',
			'@typescript-eslint/return-await': ['error', 'in-try-catch'],
			'@typescript-eslint/switch-exhaustiveness-check': 'error',
			'@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
			'@typescript-eslint/array-type': ['error', { default: 'array-simple' }],
			// A promise-returning signature is often given by n8n or by an interface.
			'@typescript-eslint/require-await': 'off',
			'@typescript-eslint/no-confusing-void-expression': 'off',
			'no-console': ['error', { allow: ['log', 'error', 'warn'] }],
			eqeqeq: 'error',
		},
	},
	{
		files: ['nodes/**/*.ts', 'credentials/**/*.ts', 'service/**/*.ts'],
		extends: [regexp.configs.recommended],
		rules: { 'no-console': 'error', 'regexp/no-super-linear-move': 'error' },
	},
	{
		// Jest's matchers are typed as any.
		files: ['test/**/*.ts'],
		rules: { '@typescript-eslint/no-unsafe-assignment': 'off' },
	},
	{
		files: ['service/**/*.ts'],
		rules: {
			'no-restricted-imports': [
				'error',
				{
					patterns: [
						{
							regex: '^(?!\\./|crypto$)',
							message: 'The service room imports nothing but itself and crypto.',
						},
					],
				},
			],
		},
	},
	{
		files: ['nodes/**/*.ts', 'credentials/**/*.ts'],
		rules: { 'no-restricted-imports': ['error', { patterns: [DEVELOPMENT_ROOMS] }] },
	},
	{
		files: ['**/*.{js,cjs,mjs}'],
		languageOptions: {
			globals: {
				console: 'readonly',
				process: 'readonly',
				Buffer: 'readonly',
				URL: 'readonly',
				setTimeout: 'readonly',
				clearTimeout: 'readonly',
				setInterval: 'readonly',
				clearInterval: 'readonly',
			},
		},
	},
	{
		files: ['**/*.{js,cjs}'],
		languageOptions: {
			sourceType: 'commonjs',
			globals: {
				require: 'readonly',
				module: 'writable',
				exports: 'writable',
				__dirname: 'readonly',
				__filename: 'readonly',
			},
		},
	},
);
