import { NodeApiError, type INode, type JsonObject } from 'n8n-workflow';

import { refusalOf, TokenExchangeError } from '../../../credentials/exchange';

const refusal = {
	kind: 'noToken',
	message: 'M',
	advice: 'A',
	passing: true,
	unreachable: false,
	retryAfterMilliseconds: undefined,
} as const;
const node: INode = {
	id: '1',
	name: 'N',
	type: 't',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

describe('a refusal of the token endpoint', () => {
	it("survives n8n's error around it, and its words are where n8n shows them", () => {
		const thrown: unknown = new TokenExchangeError(refusal);
		const error = new NodeApiError(node, thrown as JsonObject);
		expect(refusalOf(error)).toEqual(refusal);
		expect(error).toMatchObject({ message: 'M', description: 'A' });
	});

	it.each([
		[undefined],
		[null],
		['text'],
		[{ context: {} }],
		[{ context: { data: { refusal: 'x' } } }],
	])('is not found in any other error (%j)', (error) => {
		expect(refusalOf(error)).toBeUndefined();
	});
});
