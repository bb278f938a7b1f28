import type { ICredentialTestFunctions } from 'n8n-workflow';

import { readLink } from '../../../credentials/settings';
import type { ExecutionIds } from '../../../service/contract';
import { describeExecution, withLink } from '../../../service/executions';
import { idsOf } from '../../../nodes/DocumentWorkflow/about';
import { testCredential } from '../../../nodes/DocumentWorkflow/methods';

const IDS: ExecutionIds = { workflowId: 'policy intake', executionId: 'e/1' };
const FAULT =
	'Execution Link must begin with https:// and contain {workflowId} and {executionId}, but no user name, password or token: everybody who sees an item sees the link';
const linkOf = (executionLink: unknown) => {
	const read = readLink({ executionLink } as Parameters<typeof readLink>[0]);
	return read.ok ? withLink(read.pattern, IDS).executionUrl : read.message;
};

describe('Execution Link', () => {
	it('becomes the link to an execution, with encoded IDs', () => {
		const pattern =
			' https://app.example.com/#/w/{workflowId}/e/{executionId}?again={executionId} ';
		expect(linkOf(pattern)).toBe('https://app.example.com/#/w/policy%20intake/e/e%2F1?again=e%2F1');
	});

	it('stands in items and in texts, which have no line break', () => {
		const execution = { ...IDS, status: 'running', executionUrl: 'https://app.example.com/1' };
		expect(idsOf(execution)).toEqual(execution);
		expect(describeExecution(execution)).toBe(
			'Execution e/1 (workflow policy intake) at https://app.example.com/1',
		);
		expect(describeExecution({ workflowId: 'a\nb', executionId: 'c' })).toBe(
			'Execution c (workflow a b)',
		);
	});

	it('may name a secret in its host and path, which hold none', () => {
		expect(linkOf('https://tokens.example.com/{workflowId}/signature/{executionId}')).toBe(
			'https://tokens.example.com/policy%20intake/signature/e%2F1',
		);
	});

	it.each([[undefined], [''], ['  '], [7]])('is no link when nothing is entered: %j', (given) => {
		expect(linkOf(given)).toBeUndefined();
	});

	it.each([
		['http://app.example.com/{workflowId}/{executionId}'],
		['app.example.com/{workflowId}/{executionId}'],
		['https://'],
		['https://{workflowId}.example.com/{executionId}'],
		['https://app.example.com/{executionId}'],
		['https://app.example.com/{workflowId}'],
		['https://ada@app.example.com/{workflowId}/{executionId}'],
		['https://:pw@app.example.com/{workflowId}/{executionId}'],
		['https://app.example.com/{workflowId}/{executionId}?token=1'],
		['https://app.example.com/{workflowId}/{executionId}#api_key=1'],
	])('is rejected when the credential is tested: %s', (given) => {
		expect(linkOf(given)).toBe(FAULT);
	});

	it('is judged by the test of the credential after the token', async () => {
		const request = async () =>
			Promise.resolve({
				statusCode: 200,
				headers: {},
				body: { access_token: 'a.b.c', destroy: () => undefined },
			});
		const context = { helpers: { request } } as unknown as ICredentialTestFunctions;
		const data = {
			...{ environment: 'production', productionUrl: 'https://api.example.com' },
			...{ clientId: 'id', clientSecret: 'secret', executionLink: 'https://app.example.com' },
		};
		const entered = { id: '1', name: 'A', type: 'documentWorkflowApi', data };
		expect(await testCredential.call(context, entered)).toEqual({
			status: 'Error',
			message: `${FAULT}. Correct it in the Document Workflow API credential`,
		});
	});
});
