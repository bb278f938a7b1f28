import { packPackage } from '../../harness/pack';

/** Builds the package, which the engine tests run from dist. */
export default async function setup(): Promise<void> {
	await packPackage({ report: (sentence) => process.stderr.write(`${sentence}\n`) });
}
