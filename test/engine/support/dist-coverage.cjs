'use strict';

/**
 * Hands the built files of the package to jest together with their source maps, so that what the engine tests run is
 * counted on the TypeScript sources, in the same entry as what the unit tests run.
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
