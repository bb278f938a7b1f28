/** Runs actionlint: `node actions.mjs <folder of the gate> <workflow>…`. Ends with exit code 1 and the findings when there are any. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const [gate, ...files] = process.argv.slice(2);
const require = createRequire(join(gate, 'package.json'));
const { runLintForFiles } = require(
	join(gate, 'node_modules', '@tktco', 'node-actionlint', 'build', 'run-lint.js'),
);
const texts = files.map((path) => ({ path, data: readFileSync(path, 'utf8') }));
const findings = await runLintForFiles(texts);
for (const { path, line, column, message } of findings)
	console.log(`${path}:${line}:${column}: ${message}`);
console.log(`${files.length} workflows: ${findings.length} findings`);
process.exit(findings.length > 0 ? 1 : 0); // its program runs on
