import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Simulator } from '../../simulator';
import { runCommand } from '../../simulator/command';
import { exchange, listening } from './support';

const FREE = ['--port', '0', '--staging-port', '0', '--administration-port', '0'];

let folder: string;
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'simulator-'))));
afterAll(() => rmSync(folder, { recursive: true }));

async function run(
	...parameters: string[]
): Promise<{ simulator: Simulator | undefined; printed: string[]; errors: string[] }> {
	const printed: string[] = [];
	const errors: string[] = [];
	const simulator = await runCommand(
		parameters,
		(line) => printed.push(line),
		(line) => errors.push(line),
	);
	return { simulator, printed, errors };
}

function file(name: string, content: string): string {
	const path = join(folder, name);
	writeFileSync(path, content);
	return path;
}

describe('the command', () => {
	test('starts and prints URLs, workflows and where the client is configured', async () => {
		const { simulator, printed, errors } = await run(...FREE);
		expect(errors).toEqual([]);
		const text = printed.join('\n');
		const { productionUrl, stagingUrl, administrationUrl } = simulator ?? {};
		const urls = [productionUrl, stagingUrl, administrationUrl];
		for (const part of [...urls, 'generic-intake', 'simulator.json']) expect(text).toContain(part);
		expect(text).not.toContain('simulator-only-secret');
		await simulator?.stop();
	});

	test('prints one line per request, without secrets and queries', async () => {
		const { simulator, printed } = await run(...FREE);
		const url = simulator?.productionUrl ?? '';
		await exchange(url, { client_id: 'simulator-client', client_secret: 'simulator-only-secret' });
		await fetch(`${url}/unknown?key=secret`);
		simulator?.state.faults.add({ route: 'token', action: { type: 'reset', when: 'before' } });
		await expect(exchange(url, {})).rejects.toThrow();
		expect(printed.slice(1)).toEqual([
			expect.stringMatching(
				/^production {2}POST \/api\/v1\/oauth2\/access_token {2}200 {2}\d+ ms$/,
			),
			expect.stringMatching(/^production {2}GET \/unknown {2}404 {2}\d+ ms$/),
			expect.stringMatching(/access_token {2}no answer {2}\d+ ms {2}fault: reset before$/),
		]);
		await simulator?.stop();
	});

	test('names a port in use and says what to do', async () => {
		const other = await listening((_request, response) => response.end());
		const port = new URL(other.url).port;
		const { simulator, errors } = await run(...FREE, '--staging-port', port);
		expect(simulator).toBeUndefined();
		expect(errors).toEqual([
			expect.stringMatching(`^Port ${port} is taken by another program\\. .*--staging-port`),
		]);
		await other.stop();
	});

	test.each([
		['an unknown option', ['--prot', '1'], /^Unknown option '--prot'\.\n\nUsage/],
		['an invalid port', ['--port', 'x'], '--port must be a port from 0 to 65535, not "x".'],
		['a port that is too high', ['--staging-port', '70000'], '--staging-port must be'],
		['an empty port', ['--administration-port', ''], '--administration-port must be'],
		[
			'a missing file',
			['--configuration', 'absent.json'],
			/^The configuration absent\.json cannot be read/,
		],
	])('rejects %s', async (_what, parameters, message) => {
		const { simulator, errors } = await run(...parameters);
		expect(simulator).toBeUndefined();
		expect(errors).toEqual([
			typeof message === 'string'
				? expect.stringContaining(message)
				: expect.stringMatching(message),
		]);
	});

	test('prints its usage', async () => {
		expect(await run('--help')).toEqual({
			simulator: undefined,
			printed: [expect.stringContaining('--configuration FILE')],
			errors: [],
		});
	});

	const client = { clientId: 'a', clientSecret: 'b' };
	const withClients = (...clients: object[]) => ({ clients });
	const withWorkflow = (more: object) => ({
		clients: [client],
		workflows: [{ workflowId: 'w', ...more }],
	});
	const table = { header: ['A'], fields: [{ name: 'f', column: 'B' }] };
	test.each<[string, unknown, string]>([
		['no object', [], '(whole): Expected object'],
		['no clients', {}, 'clients: Required'],
		['an unknown field', { ...withClients(client), client: 1 }, "object: 'client'"],
		['a client twice', withClients(client, client), 'clients[1].clientId: "a" is there twice'],
		[
			'a wrong nested field',
			withWorkflow({ steps: [{ stepName: 's', fields: [{ name: 'f', labels: [] }] }] }),
			'workflows[0].steps[0].fields[0].labels: Array must contain at least 1',
		],
		[
			'a column that is not in the header',
			withWorkflow({ steps: [{ stepName: 's', table }] }),
			'table.fields[0].column: "B" is not in the header',
		],
		[
			'a webhook without a valid URL',
			withWorkflow({ webhooks: [{ url: 'ftp://x' }] }),
			'webhooks[0].url: must be an absolute http or https URL',
		],
		[
			'a delay with a minimum above its maximum',
			withWorkflow({
				webhooks: [{ url: 'http://x', delaySeconds: { fromSeconds: 2, toSeconds: 1 } }],
			}),
			'webhooks[0].delaySeconds',
		],
	])('rejects a configuration with %s, naming the place', async (_what, content, message) => {
		const path = file('wrong.json', JSON.stringify(content));
		const { simulator, errors } = await run(...FREE, '--configuration', path);
		expect(simulator).toBeUndefined();
		expect(errors[0]).toContain(message);
	});

	test('rejects a configuration that is not JSON', async () => {
		const { errors } = await run(...FREE, '--configuration', file('wrong.json', '{'));
		expect(errors[0]).toContain('is not JSON');
	});
});
