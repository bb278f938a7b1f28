import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { SAMPLE_DOCUMENTS } from '../../../examples/make-documents/sample-documents';
import type { Line } from '../../../harness/install';
import { startN8n } from '../../../harness/n8n';
import { output } from '../../../harness/n8n-execution';
import { startQueue } from '../../../harness/n8n-queue';
import { connect } from '../../../harness/n8n-rest';
import { withoutNpmSettings } from '../../../harness/npm';
import { ROOT } from '../../../harness/pack';
import { startRegistry, type Registry } from '../../../harness/registry';
import {
	copyRepository,
	manifestOf,
	stepsIn,
	commandBlocks,
	inlineCommand,
} from '../../copied-repository';
import { leaksAtEnd } from '../../leaks/remains';
import { chain, numbers, split } from '../flows';
import { casesOf, longWait, next, NEXT, NODE, startAndPause } from '../longFlows';
import { invoiceWorkflow } from '../packages';
import { clockOf, DOCUMENTS, startService, storeCredential } from '../support';

const run = promisify(execFile);
const HOUR = 3_600_000;
const NAME = 'n8n-nodes-document-workflow';
const PUBLISHING = 'contributing/publishing.md';
const CONTRIBUTING = 'CONTRIBUTING.md';
const INSTALLED = join('.n8n', 'nodes', 'node_modules', NAME, 'dist');

const ended = z.object({ code: z.number().default(0), stdout: z.string(), stderr: z.string() });
const packed = z.array(z.object({ integrity: z.string() })).length(1);

/**
 * The commands with which the package is published and installed, as the docs have them, in order, on a copy of the repository and with a
 * registry of its own. Only `npm ci`, npm's sign-in, GitHub's `gh` and Docker are left out.
 */
export function publishingSpec(): void {
	const ends: Array<() => unknown> = [];
	let registry: Registry;
	/** See copyRepository. */
	let copy: string;
	/** The home folders in containers of n8n. */
	let home: string;

	beforeAll(async () => {
		registry = await startRegistry();
		ends.push(registry.stop);
		const folder = mkdtempSync(join(tmpdir(), 'document-workflow-publishing-'));
		ends.push(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
		copy = join(folder, 'repository');
		home = join(folder, 'homes');
		copyRepository(copy, join(folder, 'remote.git'));
		const peer = join(folder, 'n8n-workflow'); // is in the registry, as at npm
		mkdirSync(peer);
		writeFileSync(join(peer, 'package.json'), '{"name":"n8n-workflow","version":"2.41.0"}');
		await succeeds(`npm publish '${peer}' --ignore-scripts`);
	});
	afterAll(async () => {
		for (const end of ends.reverse()) await end();
	});

	/** Runs a command as somebody who has signed in at npm. */
	async function shell(command: string, more: NodeJS.ProcessEnv = {}) {
		const env = { ...withoutNpmSettings(), npm_config_userconfig: registry.npmrc, ...more };
		const options = { cwd: copy, env, maxBuffer: 100_000_000 };
		return ended.parse(
			await run('sh', ['-euc', command], options).catch((error: unknown) => error),
		);
	}
	async function succeeds(command: string, more?: NodeJS.ProcessEnv): Promise<string> {
		const { code, stdout, stderr } = await shell(command, more);
		if (code !== 0) throw new Error(`${command}\n${stdout}\n${stderr}`);
		return stdout.trim();
	}

	it('publish the first version with its code, after its tests, and not without the options that the page explains', async () => {
		const [block = ''] = commandBlocks(PUBLISHING);
		const [install, publish = '', ...others] = block.split('\n');
		expect([install, others]).toEqual(['npm ci', []]);
		const free = await shell(inlineCommand(PUBLISHING, `npm view ${NAME}`));
		expect([free.code, free.stderr]).toEqual([1, expect.stringContaining('E404')]);

		const plain = await shell(inlineCommand(PUBLISHING, 'npm publish'));
		expect([plain.code, plain.stderr]).toEqual([1, expect.stringMatching(/provenance/i)]);

		await succeeds(publish);
		expect(stepsIn(copy)).toEqual(['lint', 'test', 'gate']);
		expect(await succeeds(`npm view ${NAME} version`)).toBe(manifestOf(copy).version);
	});

	it('show that the published package is the one that the sources make', async () => {
		const [block = ''] = commandBlocks('docs/security.md');
		const [make = '', view = '', ...others] = block.split('\n');
		expect(others).toEqual([]);
		expect(make).toMatch(/^npm ci && /);
		const made = await succeeds(make.replace('npm ci && ', ''));
		const list = made.slice(made.search(/^\[$/m)); // behind what the build prints
		const [{ integrity } = { integrity: '' }] = packed.parse(JSON.parse(list));
		expect(integrity).toMatch(/^sha512-/);
		expect(await succeeds(view)).toBe(integrity);
	});

	/** The commands of the README, with Docker's as they are without Docker. Each user folder is the home of a container. */
	const readme = () => {
		const block = commandBlocks('README.md').find((each) => each.includes('docker cp')) ?? '';
		const [make = '', put = '', enter = '', install = '', ...others] = block
			.split('\n')
			.map((line) => line.split(' #')[0]?.trim() ?? '');
		const [, file = ''] = /^docker cp (\S+) n8n:\/home\/node\/\.n8n\/$/.exec(put) ?? [];
		expect([file, enter, others]).toEqual([
			`${NAME}-${manifestOf(copy).version}.tgz`,
			'docker exec -it n8n sh',
			[],
		]);
		expect(make).toMatch(/^npm ci && /);
		return { make: make.replace('npm ci && ', ''), put: `cp ${file} ~/.n8n/`, install };
	};
	/** The command without the build, which a test before has done: a build takes ten seconds. */
	const afterBuild = (command: string) => {
		expect(command).toMatch(/^npm run build && /);
		return command.replace('npm run build && ', '');
	};
	/** A home folder of n8n, in a folder where npm would install without `--prefix .`. */
	const newHome = () => {
		mkdirSync(home, { recursive: true });
		const folder = mkdtempSync(join(home, 'home-'));
		mkdirSync(join(folder, '.n8n'));
		mkdirSync(join(folder, 'node_modules'));
		return folder;
	};

	/** An n8n that loads what the commands have installed, and the service. */
	const startInstalled = async (line: Line, HOME: string) => {
		const simulator = await startService();
		ends.push(async () => simulator.stop());
		const clockFile = join(HOME, 'clock');
		const env = {
			NODE_OPTIONS: `--require=${join(ROOT, 'harness', 'clock.cjs')}`,
			CLOCK_FILE: clockFile,
		};
		const n8n = await startN8n({ line, userFolder: HOME, env });
		ends.push(n8n.stop);
		const client = await connect(n8n);
		const credential = await storeCredential(client, simulator);
		return { n8n, client, clock: clockOf(n8n, clockFile), simulator, credential };
	};

	it('make the file of the package, and install it, and nothing else, also below a folder with packages', async () => {
		const { make, put, install } = readme();
		const HOME = newHome();
		await succeeds(`${afterBuild(make)} && ${put}`, { HOME });
		expect(await succeeds(install, { HOME })).toMatch(/^added 1 package/m);
		expect(existsSync(join(HOME, INSTALLED, 'nodes'))).toBe(true);
	});

	it('install the package where no registry can be reached', async () => {
		const { put, install } = readme();
		const HOME = newHome();
		const offline = inlineCommand('docs/installation.md', '--offline');
		const command = `${put} && ${install.replace('npm i ', `npm i ${offline} `)}`;
		const npm_config_cache = join(HOME, 'cache'); // without what npm has loaded before
		await succeeds(command, { HOME, npm_config_cache, npm_config_registry: 'http://127.0.0.1:9' });
		expect(existsSync(join(HOME, INSTALLED, 'nodes'))).toBe(true);
	});

	it('install the package for main, workers and the webhook process of queue mode', async () => {
		const { put, install } = readme();
		const HOME = newHome();
		await succeeds(`${put} && ${install}`, { HOME });
		const simulator = await startService();
		ends.push(async () => simulator.stop());
		const env = { N8N_RESTRICT_FILE_ACCESS_TO: DOCUMENTS };
		const n8n = await startQueue({ line: 'n8n-2', userFolder: HOME, env });
		ends.push(n8n.stop);
		const client = await connect(n8n);
		const workflow = await invoiceWorkflow(client, simulator);
		const execution = await client.waitForExecution(await client.run(workflow));
		expect([execution.status, execution.error?.message]).toEqual(['success', undefined]);
		expect(output(execution, NODE)).toHaveLength(1);
	});

	for (const line of ['n8n-1', 'n8n-2'] as const)
		it(`update the package under a paused run, remove it, and install it again, in ${line}`, async () => {
			const { make, put, install } = readme();
			const HOME = newHome();
			await succeeds(`${put} && ${install}`, { HOME });
			const { n8n, client, clock, simulator, credential } = await startInstalled(line, HOME);
			const { executions } = simulator.state;
			const wait = longWait({ credential }, {}, {}, 'never-ending-cases');
			const flow = chain('Wait for a case', numbers(1), split(), wait, next());
			const restart = async () => {
				await n8n.main.end('SIGTERM');
				await n8n.main.start();
			};
			const succeedsAfterPause = async (paused: string) => {
				for (const { executionId } of executions.all())
					await executions.finish(executionId, { status: 'completed' });
				await clock.move(HOUR);
				await clock.look();
				const execution = await client.waitForExecution(paused);
				expect([execution.status, execution.error?.message]).toEqual(['success', undefined]);
				expect(output(execution, NEXT).map(({ json }) => json)).toEqual(casesOf(0));
			};

			const paused = await startAndPause({ client }, flow);
			const added = join(copy, 'service', `${line}.ts`);
			writeFileSync(added, 'export const added = 1;\n');
			await succeeds(`${make} && ${put}`, { HOME });
			rmSync(added);
			expect(await succeeds(install, { HOME })).toMatch(/^changed 1 package/m);
			expect(existsSync(join(HOME, INSTALLED, 'service', `${line}.js`))).toBe(true);
			await restart();
			await succeedsAfterPause(paused);
			expect(executions.all()).toHaveLength(1);

			const remove = inlineCommand('docs/installation.md', `npm rm --prefix . ${NAME}`);
			await succeeds(`cd ~/.n8n/nodes && ${remove}`, { HOME });
			expect(existsSync(join(HOME, INSTALLED))).toBe(false);
			await restart();
			await expect(client.runToEnd(flow)).rejects.toThrow('Unrecognized node type');

			await succeeds(install, { HOME });
			await restart();
			await succeedsAfterPause(await startAndPause({ client }, flow));
			expect(await leaksAtEnd(n8n)).toEqual([]);
		});

	it('install a packed package in the container of n8n, and run the demo with that n8n', async () => {
		const [pack = '', start = '', install = '', restart, demo = '', ...others] =
			commandBlocks(CONTRIBUTING)[1]?.split('\n') ?? [];
		expect([restart, others]).toEqual(['docker restart n8n', []]);
		await succeeds(afterBuild(pack));
		const { dependencies } = z
			.object({ dependencies: z.object({ n8n: z.string() }) })
			.parse(readJson(join(ROOT, 'harness', 'n8n-2', 'package.json')));
		expect(start).toMatch(
			/^docker run -d --name n8n --network host .*-v "\$PWD:\/package:ro" -e N8N_RESTRICT_FILE_ACCESS_TO=\/package /,
		);
		expect(start.split(':').at(-1)).toBe(dependencies.n8n);
		const inContainer = /^docker exec n8n sh -c '(.*)'$/.exec(install)?.[1] ?? '';
		const userFolder = newHome();
		const env = { N8N_RESTRICT_FILE_ACCESS_TO: DOCUMENTS };
		const n8n = await startN8n({ line: 'n8n-2', userFolder, env });
		ends.push(n8n.stop);
		const here = demo
			.replace('http://127.0.0.1:5678', n8n.url)
			.replace('/package/examples/documents', DOCUMENTS);
		expect(here).toBe(`npm run demo -- --once --n8n ${n8n.url} --documents ${DOCUMENTS}`);
		const demoHere = `cd '${ROOT}' && ${here}`;
		const without = await shell(demoHere);
		expect([without.code, without.stderr]).toEqual([
			1,
			expect.stringContaining('This n8n does not have the package'),
		]);

		await succeeds(inContainer.replace('/package/', `${copy}/`), { HOME: userFolder });
		await n8n.main.end('SIGTERM');
		await n8n.main.start();
		const [, email, password] =
			/N8N_OWNER_EMAIL=(\S+) N8N_OWNER_PASSWORD=(\S+)/.exec(without.stdout) ?? [];
		const owner = { N8N_OWNER_EMAIL: email, N8N_OWNER_PASSWORD: password };
		const { length: all } = SAMPLE_DOCUMENTS;
		expect(await succeeds(demoHere, owner)).toContain(`${all} of ${all} documents completed`);
		expect(await leaksAtEnd(n8n)).toEqual([]);
	});
}

function readJson(file: string): unknown {
	return JSON.parse(readFileSync(file, 'utf8'));
}
