import { installN8n, installNode, type Line } from '../../harness/install';
import { startN8n } from '../../harness/n8n';
import { packPackage } from '../../harness/pack';
import type { Report } from '../../harness/report';
import { startWorld, type World } from '../e2e/support';

interface Wanted {
	line: Line;
	env: NodeJS.ProcessEnv;
	report: Report;
}

/** A line of n8n by its name on the command line. */
export function lineNamed(name: string): Line {
	if (name === 'n8n-1' || name === 'n8n-2') return name;
	throw new Error(`There is no line "${name}", only n8n-1 and n8n-2.`);
}

/** Installs what is missing, starts n8n with the package of the sources, and ends it after the work. */
export async function withWorld<T>(
	{ line, env, report }: Wanted,
	work: (world: World) => Promise<T>,
): Promise<T> {
	await installNode(report);
	await installN8n(line, report);
	await packPackage({ report });
	const world = await startWorld(line, env, startN8n);
	try {
		return await work(world);
	} finally {
		await world.stop();
	}
}
