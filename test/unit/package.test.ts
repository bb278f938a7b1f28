import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { DocumentWorkflowApi } from '../../credentials/DocumentWorkflowApi.credentials';
import { DocumentWorkflowWebhookApi } from '../../credentials/DocumentWorkflowWebhookApi.credentials';

const ROOT = join(__dirname, '..', '..');
const textOf = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const read = (path: string) => JSON.parse(textOf(path)) as Record<string, unknown>;

describe('a release', () => {
	const { scripts, publishConfig } = read('package.json') as {
		scripts: Record<string, string>;
		publishConfig: Record<string, unknown>;
	};

	it('is built right before it is published, by the release workflow', () => {
		expect(scripts.prepublishOnly).toMatch(/ && npm run build$/);
		// .npmrc switches scripts off, also those of this package.
		expect(textOf('.npmrc')).toMatch(/^ignore-scripts=true$/m);
		expect(textOf('.github/workflows/publish.yml')).toMatch(
			/^\s+- run: npm publish .*--ignore-scripts=false$/m,
		);
	});

	it('cannot be published by hand, where nothing would be built: npm refuses provenance outside of a workflow', () =>
		expect(publishConfig.provenance).toBe(true));
});

describe('the home of the package', () => {
	const { repository } = read('package.json') as { repository: { url: string } };
	const home = repository.url.replace(/^git\+|\.git$/g, '');
	const isAtHome = (address: string) =>
		address.startsWith(home) && ['', '/', '#'].includes(address.charAt(home.length));

	it.each([
		['homepage', read('package.json').homepage],
		['bugs', read('package.json').bugs],
		['the documentation of the credential', new DocumentWorkflowApi().documentationUrl],
		[
			'the documentation of the webhook credential',
			new DocumentWorkflowWebhookApi().documentationUrl,
		],
		[
			'the documentation of the node',
			read('nodes/DocumentWorkflow/DocumentWorkflow.node.json').resources,
		],
		[
			'the documentation of the trigger',
			read('nodes/DocumentWorkflow/DocumentWorkflowTrigger.node.json').resources,
		],
		['the panel of the trigger', textOf('nodes/DocumentWorkflow/DocumentWorkflowTrigger.node.ts')],
		['the security policy', textOf('SECURITY.md')],
		['the contact links of issues', textOf('.github/ISSUE_TEMPLATE/config.yml')],
		['Try it in docs/webhooks.md', textOf('docs/webhooks.md').match(/\[repository\]\([^)]+\)/g)],
	])('is the same repository in %s', (_, value) => {
		const addresses = JSON.stringify(value).match(/https:\/\/[^"\\)]+/g) ?? [];
		expect(addresses.length).toBeGreaterThan(0);
		expect(addresses.filter((address) => !isAtHome(address))).toEqual([]);
	});

	it('names the author of package.json as the contact for security problems', () => {
		const { author } = read('package.json') as { author: { email: string } };
		expect(textOf('SECURITY.md')).toContain(author.email);
	});
});
