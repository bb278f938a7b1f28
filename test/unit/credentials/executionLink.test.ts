import type { ICredentialTestFunctions } from 'n8n-workflow';

import { readExecutionLink } from '../../../credentials/settings';
import { testCredential } from '../../../nodes/DocumentWorkflow/methods';

const IDS = { workflowId: 'policy intake', executionId: 'e/1' };
const linkOf = (executionLink: unknown) =>
	readExecutionLink({ executionLink } as Parameters<typeof readExecutionLink>[0]);

describe('Execution Link', () => {
	it('becomes the link to an execution, with encoded IDs', () => {
		const { linkTo, fault } = linkOf(
			' https://app.example.com/#/w/{workflowId}/e/{executionId}?again={executionId} ',
		);
		expect(fault).toBeUndefined();
		expect(linkTo(IDS)).toEqual({
			executionUrl: 'https://app.example.com/#/w/policy%20intake/e/e%2F1?again=e%2F1',
		});
	});

	it.each([[undefined], [''], ['  '], [7]])('is no link when nothing is entered: %j', (given) => {
		const { linkTo, fault } = linkOf(given);
		expect([linkTo(IDS), fault]).toEqual([{}, undefined]);
	});

	it.each([
		['http://app.example.com/{workflowId}/{executionId}', 'begins with https://'],
		['app.example.com/{workflowId}/{executionId}', 'begins with https://'],
		['https://', 'begins with https://'],
		['https://app.example.com/{executionId}', 'must have {workflowId} and {executionId}'],
		['https://app.example.com/{workflowId}', 'must have {workflowId} and {executionId}'],
		['https://ada@app.example.com/{workflowId}/{executionId}', 'has a user name'],
		['https://:pw@app.example.com/{workflowId}/{executionId}', 'has a user name'],
		['https://app.example.com/{workflowId}/{executionId}?token=1', 'a token in it'],
		['https://app.example.com/{workflowId}/{executionId}#api_key=1', 'a token in it'],
	])('is rejected when the credential is tested, and gives no link: %s', (given, words) => {
		const { linkTo, fault } = linkOf(given);
		expect(fault).toContain(words);
		expect(linkTo(IDS)).toEqual({});
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
			message: "'Execution Link' must have {workflowId} and {executionId} in it. Correct it",
		});
	});
});
