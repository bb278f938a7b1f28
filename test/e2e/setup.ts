import { installN8n, installNode, installRegistry } from '../../harness/install';
import { packPackage } from '../../harness/pack';

/** Installs what is missing of both n8n lines and the registry, and packs the package: everything that the test files share. */
export default async function setup(): Promise<void> {
	const report = (sentence: string) => process.stderr.write(`${sentence}\n`);
	await installNode(report);
	await installN8n('n8n-2', report);
	await installN8n('n8n-1', report);
	await installRegistry(report);
	await packPackage({ report });
}
