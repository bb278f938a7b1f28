/** `node harness/launch.mjs harness/prepare.ts`: installs what the commands need outside the repository, into the cache folder. */
import { installGate, installN8n, installNode, installRegistry } from './install';

async function prepare(): Promise<void> {
	await installNode(console.log);
	await installN8n('n8n-2', console.log);
	await installN8n('n8n-1', console.log);
	await installGate(console.log);
	await installRegistry(console.log);
	console.log("Node 24, n8n 2, n8n 1, n8n's scanner and Verdaccio are installed.");
}

prepare().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
