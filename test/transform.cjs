'use strict';

/** Hands TypeScript to jest as JavaScript, one file at a time: types are checked apart, by `npm run types`. */
const { createHash } = require('node:crypto');
const { transformSync, version } = require('esbuild');

const OPTIONS = { loader: 'ts', format: 'cjs', target: 'node20', sourcemap: 'external' };

module.exports = {
	process(source, file) {
		const { code, map } = transformSync(source, { ...OPTIONS, sourcefile: file });
		return { code, map };
	},
	getCacheKey: (source, file, { instrument }) =>
		createHash('sha256')
			.update([version, file, String(instrument), source].join('\0'))
			.digest('hex'),
};
