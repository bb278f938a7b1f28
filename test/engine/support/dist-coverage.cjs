'use strict';

/**
 * Gives jest the built files of the package with their source maps, so that the coverage of the engine tests counts
 * for the TypeScript sources, together with that of the unit tests.
 */
const { createHash } = require('node:crypto');
const { readFileSync } = require('node:fs');

const mapOf = (file) => readFileSync(`${file}.map`, 'utf8');

module.exports = {
	process: (code, file) => ({ code, map: JSON.parse(mapOf(file)) }),
	getCacheKey: (code, file, { instrument }) =>
		createHash('sha256')
			.update([file, String(instrument), code, mapOf(file)].join('\0'))
			.digest('hex'),
};
