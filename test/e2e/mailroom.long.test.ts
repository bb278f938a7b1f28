import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ROOT } from '../../harness/pack';

const MOST = 90 * 60_000;

/** Three days of a mailbox: a calm one, one with faults of the service, and one on which n8n is killed three times. */
it.each(['n8n-2', 'n8n-1'])(
	'each mail comes out once, as data or with its reason to a person, on %s',
	async (line) => {
		const command = ['harness/launch.mjs', 'test/mailroom/main.ts', '--line', line];
		const run = promisify(execFile)(process.execPath, command, {
			cwd: ROOT,
			timeout: MOST,
			maxBuffer: 64 * 1024 * 1024,
		});
		const outcome: { stdout?: string; code?: number } = await run.catch((error: object) => error);
		// The tables say what went wrong.
		expect(`Exit code ${outcome.code ?? 0}\n${outcome.stdout}`).toMatch(
			/^Exit code 0\n[^]*mails that ended as they should/,
		);
	},
	MOST,
);
