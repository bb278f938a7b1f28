import type { IExecuteFunctions } from 'n8n-workflow';

import { connect } from '../../../nodes/DocumentWorkflow/transport';

const credential = { environment: 'production', productionUrl: 'https://api.example.com', clientId: 'id', clientSecret: 'secret' };

describe('a request that n8n gives up before it leaves', () => {
	it('was not sent, and shows the reason of n8n', async () => {
		const helpers: Partial<IExecuteFunctions['helpers']> = {
			httpRequestWithAuthentication: () => Promise.reject(new Error('Credentials could not be decrypted')),
		};
		const context: Partial<IExecuteFunctions> = {
			getCredentials: <T extends object>() => Promise.resolve(credential as T),
			getExecutionCancelSignal: () => undefined,
			helpers: helpers as IExecuteFunctions['helpers'],
		};
		const { send } = await connect(context as IExecuteFunctions, () => undefined);
		expect(await send({ method: 'GET', path: '/x', timeoutMilliseconds: 1000 })).toMatchObject({
			kind: 'noToken',
			message: 'Credentials could not be decrypted',
			passing: false,
		});
	});
});
