/** Preloaded into n8n: SIGUSR2 makes it collect garbage, so that the memory that is really in use can be read. */
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');

process.on('SIGUSR2', () => collect());
