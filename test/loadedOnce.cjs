'use strict';

/** Gives tests the packages of node_modules as test/environment.cjs loads them: once in each process. */
module.exports = {
	process: (_source, file) => ({ code: `module.exports = loadedOnce(${JSON.stringify(file)});` }),
	getCacheKey: (_source, file) => `loadedOnce ${file}`,
};
