import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { startN8n, type N8n } from '../../../harness/n8n';
import { output } from '../../../harness/n8n-execution';
import { connect, type Login, type N8nClient } from '../../../harness/n8n-rest';
import { withoutNpmSettings } from '../../../harness/npm';
import { packPackage } from '../../../harness/pack';
import { leaksAtEnd } from '../../leaks/remains';
import { commandBlocks, inlineCommand } from '../../copied-repository';
import { invoiceWorkflow, surroundings } from '../packages';
import { DOCUMENTS } from '../support';

const run = promisify(execFile);
const NAME = 'n8n-nodes-document-workflow';
const INSTALLED = join('.n8n', 'nodes', 'node_modules', NAME, 'package.json');
const DOCUMENTED = '0.1.0';
const [FIRST, SECOND] = ['1.0.0', '1.1.0'];
const PLACEHOLDER = 'sha512-…';

const PAGE = 'docs/installation.md';

/** The settings of the page, as n8n gets them. */
function documentedSettings(): Record<string, string> {
	const block = commandBlocks(PAGE).find((each) => each.includes('_MANAGED_BY_ENV=')) ?? '';
	return Object.fromEntries(
		[...block.matchAll(/^(\w+)='?(.*?)'?$/gm)].map(([, name = '', value = '']) => [name, value]),
	);
}

/** The package as n8n 2 installs, updates and removes it at its start, by environment variables. */
export function installingByEnvironmentSpec(): void {
	it('is installed, updated and removed by the settings of the docs, with unverified packages off, and never with another checksum', async () => {
		const ends: Array<() => unknown> = [];
		try {
			const { userFolder, registry, simulator } = await surroundings(ends);
			const tarball = await packPackage();
			for (const version of [FIRST, SECOND]) await registry.publish(tarball, version);
			const settings = documentedSettings();
			const view = inlineCommand(PAGE, `npm view ${NAME}@${DOCUMENTED} dist.integrity`);
			const checksumOf = async (version: string) => {
				const env = { ...withoutNpmSettings(), npm_config_userconfig: registry.npmrc };
				const command = view.replace(DOCUMENTED, version);
				return (await run('sh', ['-euc', command], { env })).stdout.trim();
			};
			let owner: Login | undefined;
			const start = async (packages: string): Promise<{ n8n: N8n; client: N8nClient }> => {
				const env = {
					...registry.prepare(userFolder),
					...settings,
					N8N_COMMUNITY_PACKAGES: packages,
					N8N_UNVERIFIED_PACKAGES_ENABLED: 'false',
					N8N_RESTRICT_FILE_ACCESS_TO: DOCUMENTS,
				};
				const n8n = await startN8n({ line: 'n8n-2', userFolder, env });
				ends.push(async () => n8n.stop());
				const client = await connect(n8n, owner);
				owner = client.login;
				return { n8n, client };
			};
			const listed = (version: string, checksum: string) =>
				(settings.N8N_COMMUNITY_PACKAGES ?? '')
					.replace(DOCUMENTED, version)
					.replace(PLACEHOLDER, checksum);
			const installed = () => {
				const file = join(userFolder, INSTALLED);
				const manifest = z.object({ version: z.string() });
				if (!existsSync(file)) return undefined;
				return manifest.parse(JSON.parse(readFileSync(file, 'utf8'))).version;
			};
			expect(Object.keys(settings)).toEqual([
				'N8N_COMMUNITY_PACKAGES_MANAGED_BY_ENV',
				'N8N_COMMUNITY_PACKAGES',
			]);

			const refused = await start(listed(FIRST, await checksumOf(SECOND)));
			expect(installed()).toBeUndefined();
			expect(refused.n8n.log()).toContain('Failed to verify package checksum');
			await refused.n8n.stop();

			const first = await start(listed(FIRST, await checksumOf(FIRST)));
			expect(installed()).toBe(FIRST);
			const workflow = await invoiceWorkflow(first.client, simulator);
			const succeeds = async ({ client }: { client: N8nClient }) => {
				const execution = await client.waitForExecution(await client.run(workflow));
				expect([execution.status, execution.error?.message]).toEqual(['success', undefined]);
				expect(output(execution, 'Document Workflow')).toHaveLength(1);
			};
			await succeeds(first);
			await first.n8n.stop();

			const second = await start(listed(SECOND, await checksumOf(SECOND)));
			expect(installed()).toBe(SECOND);
			await succeeds(second);
			await second.n8n.stop();

			const none = await start('[]');
			expect(installed()).toBeUndefined();
			expect(await leaksAtEnd(none.n8n)).toEqual([]);
		} finally {
			for (const end of ends.reverse()) await end();
		}
	}, 600_000);
}
