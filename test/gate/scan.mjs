/**
 * Runs n8n's scanner of community packages: `node scan.mjs <folder of the scanner> <folder to scan> <pattern>…`.
 * Ends with exit code 1 and the findings when the package would not be verified.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [gate, folder, ...patterns] = process.argv.slice(2);
const scanner = pathToFileURL(
	join(gate, 'node_modules', '@n8n', 'scan-community-package', 'scanner', 'scanner.mjs'),
);
const { analyzePackage } = await import(scanner.href);
const { passed, message, details } = await analyzePackage(folder, patterns);
if (message !== undefined) console.log(message);
if (details !== undefined) console.log(details);
process.exitCode = passed && message === undefined ? 0 : 1;
