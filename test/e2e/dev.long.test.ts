import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEditor, type Editor } from '../../harness/browser';
import { CREDENTIAL_TYPE } from '../../harness/example-workflows';
import { connect, type Login } from '../../harness/n8n-rest';
import { freePorts } from '../../harness/ports';
import { copyRepository } from '../copied-repository';
import { until } from './support';

const MINUTE = 60_000;
const FILE = join('nodes', 'DocumentWorkflow', 'actions', 'index.ts');
const CODEX = join('nodes', 'DocumentWorkflow', 'DocumentWorkflow.node.json');
const SERVICE_FILE = join('service', 'errors.ts');
const LABEL = "displayName: 'Operation'";

describe('npm run dev, as a contributor uses it in a clone', () => {
	let folder: string;
	let copy: string;
	let dev: ChildProcess;
	let hasEnded = false;
	let output = '';
	let url = '';
	let login: Login;
	let editor: Editor;

	beforeAll(async () => {
		folder = mkdtempSync(join(tmpdir(), 'document-workflow-dev-'));
		copy = join(folder, 'repository');
		copyRepository(copy, join(folder, 'remote.git'));
		const [port = 0] = await freePorts(1);
		const begin = Date.now();
		dev = spawn('npm', ['run', 'dev', '--', '--port', String(port)], { cwd: copy, detached: true });
		dev.on('exit', () => (hasEnded = true));
		for (const stream of [dev.stdout, dev.stderr])
			stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
		await until(() => output.includes('(of this n8n only)'), 3 * MINUTE);
		const [, address = '', path = ''] = /(http:\/\/\S+:\d+)(\/workflow\/\S+)/.exec(output) ?? [];
		const [, email = ''] = /E-mail: +(\S+)/.exec(output) ?? [];
		const [, password = ''] = /Password: (\S+)/.exec(output) ?? [];
		url = address;
		console.log(`From the command to the editor: ${(Date.now() - begin) / 1000} s`);
		login = { email, password };
		editor = await openEditor(address, login);
		await editor.open(path);
		await editor.page.getByTestId('node-parameters').waitFor();
	});
	afterAll(async () => {
		await editor?.close();
		toAll('SIGKILL');
		rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
	});

	/** As a terminal does. */
	const toAll = (signal: 'SIGINT' | 'SIGKILL') => {
		if (dev.pid !== undefined && !hasEnded) process.kill(-dev.pid, signal);
	};
	const change = (
		from: string,
		to: string,
		save: (file: string, text: string) => void = writeFileSync,
		name = FILE,
	) => {
		const file = join(copy, name);
		const text = readFileSync(file, 'utf8');
		if (!text.includes(from)) throw new Error(`${name} has no ${from}`);
		save(file, text.replace(from, to));
	};
	/** As some editors save: another file in its place. */
	const replaceFile = (file: string, text: string) => {
		const other = join(folder, 'other');
		writeFileSync(other, text);
		renameSync(other, file);
	};
	const shown = async (label: string) =>
		editor.page.getByTestId('node-parameters').getByText(label, { exact: true }).waitFor();

	it('shows a changed label in the open panel, without a reload of the page', async () => {
		const seconds: number[] = [];
		let before = LABEL;
		for (const label of ['First', 'Second', 'Third', 'Fourth', 'Fifth']) {
			const after = `displayName: '${label}'`;
			const begin = Date.now();
			change(before, after);
			await shown(label);
			seconds.push((Date.now() - begin) / 1000);
			before = after;
		}
		console.log(`From saving to the changed panel: ${seconds.join(', ')} s`);
		expect(editor.errors).toEqual([]);
	});

	it('names a mistake with its place, and goes on when it is mended', async () => {
		change("displayName: 'Fifth'", 'displayName: 5');
		await until(() => /actions\/index\.ts.*error TS/s.test(output));
		change('displayName: 5', "displayName: 'Sixth'");
		await shown('Sixth');
	});

	it('takes up each file that replaces another one', async () => {
		let before = "displayName: 'Sixth'";
		for (const label of ['Seventh', 'Eighth']) {
			const after = `displayName: '${label}'`;
			change(before, after, replaceFile);
			await shown(label);
			before = after;
		}
	});

	it('runs changed code of a folder beside nodes', async () => {
		const client = await connect({ url, line: 'n8n-2' }, login);
		const data = { environment: 'production', productionUrl: 'http://127.0.0.1:9' };
		const credential = {
			...{ name: 'Nobody answers', type: CREDENTIAL_TYPE },
			data: { ...data, clientId: 'client', clientSecret: 'of the test' },
		};
		const id = await client.createCredential(credential);
		const message = async () => (await client.testCredential(id, credential)).message;
		expect(await message()).toContain('Nothing answers at');
		change('Nothing answers at', 'Nobody is there at', writeFileSync, SERVICE_FILE);
		await until(async () => (await message()).includes('Nobody is there at'));
	});

	it('takes up a codex file', async () => {
		writeFileSync(join(copy, CODEX), `${readFileSync(join(copy, CODEX), 'utf8')}\n`);
		await until(() => output.includes(`${CODEX} is built.`));
	});

	it('ends n8n and the simulated service with the command', async () => {
		const ended = new Promise((resolve) => dev.on('exit', resolve));
		toAll('SIGINT');
		await ended;
		expect(output).toContain('Ending n8n and the simulated service.');
		await expect(fetch(url)).rejects.toThrow();
	});
});
