/**
 * Runs a TypeScript file of this repository on a machine with only Node and npm: `node harness/launch.mjs <file> [arguments]`
 * checks Node, installs missing development dependencies, and runs the file in this process.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ROOT, ensureDependencies, requireNode } from './dependencies.mjs';

requireNode();
try {
	await ensureDependencies();
} catch (error) {
	console.error(error.message);
	process.exit(1);
}
process.argv.splice(1, 1);
const { register } = await import('tsx/cjs/api');
register();
createRequire(import.meta.url)(join(ROOT, process.argv[1]));
