import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ROOT } from '../../../harness/pack';

const HOUR = 3_600_000;
/** Prints its time once it has begun, and when it does what it does every minute. Another timer has been cleared. */
const PROGRAM = `
const say = (word) => console.log(JSON.stringify({ word, now: Date.now() }));
setInterval(say, 60_000, 'minute');
clearInterval(setInterval(say, 60_000, 'cleared'));
setInterval(say, 59_000, 'other');
process.on('SIGUSR2', () => say('told'));
say('begun');
`;

describe('The clock of n8n in tests', () => {
	it('is moved on by a signal, and does at once what is done every minute only if the file says "look"', async () => {
		const folder = mkdtempSync(join(tmpdir(), 'document-workflow-clock-'));
		const file = join(folder, 'clock');
		const child = spawn(
			process.execPath,
			['--require', join(ROOT, 'harness', 'clock.cjs'), '-e', PROGRAM],
			{ env: { CLOCK_FILE: file }, stdio: ['ignore', 'pipe', 'inherit'] },
		);
		try {
			const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
			const said = async () =>
				JSON.parse(((await lines.next()) as { value: string }).value) as {
					word: string;
					now: number;
				};
			const tell = (text: string) => {
				writeFileSync(file, text);
				child.kill('SIGUSR2');
			};
			const begun = await said();
			expect(begun.word).toBe('begun');

			tell(String(HOUR));
			const moved = await said();
			expect(moved.word).toBe('told');
			expect(moved.now - begun.now).toBeGreaterThanOrEqual(HOUR);

			tell(`${2 * HOUR} look`);
			const looked = await said();
			expect(looked.word).toBe('minute');
			expect(looked.now - begun.now).toBeGreaterThanOrEqual(2 * HOUR);
			expect((await said()).word).toBe('told');
		} finally {
			const ended = once(child, 'exit');
			child.kill('SIGKILL');
			await ended;
			rmSync(folder, { recursive: true });
		}
	});
});
