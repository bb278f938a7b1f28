/**
 * Runs the lint rules of n8n's command-line tool for community nodes: `node lint.mjs <folder of the tool> <folder to lint> <pattern>…`.
 * They are newer than those of the scanner. Ends with exit code 1 and the findings when there is an error or a warning.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';

const [gate, folder, ...patterns] = process.argv.slice(2);
const requireOfTool = createRequire(join(gate, 'node_modules', '@n8n', 'node-cli', 'package.json'));
const { ESLint } = requireOfTool('eslint');
const { config } = requireOfTool('@n8n/node-cli/eslint');
const eslint = new ESLint({
	cwd: folder,
	allowInlineConfig: false,
	overrideConfigFile: true,
	overrideConfig: config,
});
const results = await eslint.lintFiles(patterns);
const findings = results.flatMap(({ messages }) => messages);
const warnings = findings.filter(({ severity }) => severity === 1).length;
console.log(`${results.length} files: ${findings.length - warnings} errors, ${warnings} warnings`);
if (findings.length > 0) console.log(await (await eslint.loadFormatter('stylish')).format(results));
process.exitCode = findings.length > 0 ? 1 : 0;
