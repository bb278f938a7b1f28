'use strict';

/**
 * Hands TypeScript to jest as JavaScript, one file at a time: types are checked apart, by `npm run types`. It is the JavaScript that
 * the build makes, so that unit and engine tests count their coverage on the same lines and branches.
 */
const { createHash } = require('node:crypto');
const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { version } = require('typescript/package.json');

const own = readFileSync(join(__dirname, 'transform.cjs'));

module.exports = {
	process(source, file) {
		// Takes half a second to load; what jest has in its cache does not need it.
		const { ModuleKind, ScriptTarget, transpileModule } = require('typescript');
		const { outputText, sourceMapText } = transpileModule(source, {
			fileName: file,
			compilerOptions: {
				target: ScriptTarget.ES2022,
				module: ModuleKind.CommonJS,
				esModuleInterop: true,
				sourceMap: true,
			},
		});
		return { code: outputText, map: JSON.parse(sourceMapText) };
	},
	getCacheKey: (source, file, { instrument }) =>
		createHash('sha256')
			.update([own, version, file, String(instrument), source].join('\0'))
			.digest('hex'),
};
