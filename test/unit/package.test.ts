import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { DocumentWorkflowApi } from '../../credentials/DocumentWorkflowApi.credentials';
import { DocumentWorkflowWebhookApi } from '../../credentials/DocumentWorkflowWebhookApi.credentials';

const ROOT = join(__dirname, '..', '..');
const read = (path: string) => JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as Record<string, unknown>;

describe('the home of the package', () => {
	const { repository } = read('package.json') as { repository: { url: string } };
	const home = repository.url.replace(/^git\+|\.git$/g, '');

	it.each([
		['homepage', read('package.json').homepage],
		['bugs', read('package.json').bugs],
		['the documentation of the credential', new DocumentWorkflowApi().documentationUrl],
		['the documentation of the webhook credential', new DocumentWorkflowWebhookApi().documentationUrl],
		['the documentation of the node', read('nodes/DocumentWorkflow/DocumentWorkflow.node.json').resources],
	])('is the same repository in %s', (_, value) => {
		const addresses = JSON.stringify(value).match(/https:\/\/[^"]+/g) ?? [];
		expect(addresses.length).toBeGreaterThan(0);
		expect(addresses.filter((address) => !address.startsWith(home))).toEqual([]);
	});
});
