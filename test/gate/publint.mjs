/** Runs publint: `node publint.mjs <folder of the gate> <packed package>`. Ends with exit code 1 and the findings when there are any. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [gate, tarball] = process.argv.slice(2);
const from = (...path) =>
	import(pathToFileURL(join(gate, 'node_modules', 'publint', ...path)).href);
const { publint } = await from('src', 'index-node.js');
const { formatMessage } = await from('src', 'utils.js');
const { messages, pkg } = await publint({
	pack: { tarball: new Uint8Array(readFileSync(tarball)).buffer },
	strict: true,
});
for (const message of messages)
	console.log(`${message.type}: ${formatMessage(message, pkg, { color: false })}`);
console.log(`${pkg.name}: ${messages.length} findings`);
process.exitCode = messages.length > 0 ? 1 : 0;
