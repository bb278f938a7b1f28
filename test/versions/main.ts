/**
 * `npm run test:versions`: the core of the e2e tests on the minimum and the newest version of each line of n8n that the registry has.
 * Versions behind it, such as `2.40.7`, are tested in place of these. Each is installed in the cache folder, and removed after its tests.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { installVersion, versionFolder } from '../../harness/install';
import { MissingPackage } from '../../harness/npm';
import { ROOT } from '../../harness/pack';
import { runLeashed } from '../../harness/processes';
import { chooseVersions, minimumsIn, type Choice } from './choice';

type Outcome = 'passed' | 'FAILED' | 'could not be had';

async function main(asked: string[]): Promise<void> {
	const minimums = minimumsIn(readFileSync(join(ROOT, 'README.md'), 'utf8'));
	const choice: Choice =
		asked.length > 0
			? { versions: asked.map((each) => ({ candidates: [each], why: 'asked for' })), missing: [] }
			: chooseVersions(await versionsAtRegistry(), minimums);
	const lines: string[] = [];
	let isPassed = true;
	for (const { candidates, why } of choice.versions) {
		let outcome: Outcome = 'could not be had';
		for (const version of candidates) {
			outcome = await testVersion(version);
			lines.push(`n8n ${version}, ${why}: ${outcome}`);
			if (outcome !== 'could not be had') break;
		}
		isPassed &&= outcome === 'passed';
	}
	console.log('');
	for (const line of lines) console.log(line);
	for (const sentence of choice.missing) console.log(`Could not be had: ${sentence}.`);
	if (!isPassed) process.exitCode = 1;
}

async function versionsAtRegistry(): Promise<string[]> {
	const { output } = await runLeashed('npm', ['view', 'n8n', 'versions', '--json'], {
		cwd: tmpdir(),
	});
	return z.array(z.string()).parse(JSON.parse(output));
}

async function testVersion(version: string): Promise<Outcome> {
	console.log(`\n==== n8n ${version}`);
	try {
		await installVersion(version, console.log);
	} catch (error) {
		console.log(error instanceof Error ? error.message : error);
		return error instanceof MissingPackage ? 'could not be had' : 'FAILED';
	}
	try {
		const jest = join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
		const { status } = spawnSync(
			process.execPath,
			[jest, '-c', join(__dirname, 'jest.config.js')],
			{
				cwd: ROOT,
				env: { ...process.env, VERSION_OF_N8N: version },
				stdio: 'inherit',
			},
		);
		return status === 0 ? 'passed' : 'FAILED';
	} finally {
		rmSync(versionFolder(version), { recursive: true, force: true, maxRetries: 10 });
	}
}

main(process.argv.slice(2)).catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
