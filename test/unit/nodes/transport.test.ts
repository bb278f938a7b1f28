import type { ICredentialDataDecryptedObject, IExecuteFunctions } from 'n8n-workflow';

import { connect } from '../../../nodes/DocumentWorkflow/transport';
import { CREATE_FIELDS } from '../../../service/contract';
import { contextOf, errorWith } from '../support/context';
import { settled } from '../support/fakeClock';

const credential = {
	environment: 'production',
	productionUrl: 'https://api.example.com',
	clientId: 'id',
	clientSecret: 'secret',
};
const LOOK = { method: 'GET', path: '/x', timeoutMilliseconds: 1000 } as const;

type Request = IExecuteFunctions['helpers']['httpRequestWithAuthentication'];

function contextWith({
	credentials = credential,
	request,
}: { credentials?: ICredentialDataDecryptedObject; request?: Request } = {}): IExecuteFunctions {
	return contextOf({
		getCredentials: <T extends object>() => Promise.resolve(credentials as T),
		getExecutionCancelSignal: () => undefined,
		helpers: {
			httpRequestWithAuthentication:
				request ?? (() => Promise.reject(new Error('Nothing is to be sent'))),
		},
	});
}

describe('a request that n8n gives up before it leaves', () => {
	it.each(['sendLook', 'sendCreate'] as const)(
		'was not sent, and shows the reason of n8n (%s)',
		async (send) => {
			const connection = await connect(
				contextWith({
					request: () => Promise.reject(new Error('Credentials could not be decrypted')),
				}),
				8,
				() => undefined,
			);
			expect(await connection[send](LOOK)).toMatchObject({
				kind: 'noToken',
				message: 'Credentials could not be decrypted',
				passing: false,
			});
		},
	);
});

describe('a connection', () => {
	it('knows how a create is named in this deployment', async () => {
		const connection = await connect(contextWith(), 8, () => undefined);
		expect(connection.createSettings).toEqual({ names: CREATE_FIELDS, fileAccess: {} });
		const credentials = {
			...credential,
			otherFieldNames: true,
			filesField: 'documents',
			fileAccessFields: '{"key": "k"}',
		};
		expect(
			(await connect(contextWith({ credentials }), 8, () => undefined)).createSettings,
		).toEqual({ names: { ...CREATE_FIELDS, files: 'documents' }, fileAccess: { key: 'k' } });
	});

	it.each([
		['without a secret', { ...credential, clientSecret: '' }, 'Client Secret is empty'],
		[
			'with fields that are no JSON',
			{ ...credential, fileAccessFields: '{' },
			"'File Access Fields (JSON)' in the credential is not a JSON object",
		],
	])('is not made %s', async (_, credentials, message) => {
		await expect(connect(contextWith({ credentials }), 8, () => undefined)).rejects.toEqual(
			errorWith({ message, description: expect.stringMatching(/credential/) }),
		);
	});

	it('sends as many creates at the same time as it may, and eight looks beside them', async () => {
		const answers: Array<() => void> = [];
		const request: Request = async () =>
			new Promise((resolve) =>
				answers.push(() => resolve({ statusCode: 200, headers: {}, body: {} })),
			);
		const { sendCreate, sendLook } = await connect(contextWith({ request }), 3, () => undefined);
		let replies = 0;
		for (const send of [
			...Array<typeof sendCreate>(5).fill(sendCreate),
			...Array<typeof sendLook>(10).fill(sendLook),
		])
			void send(LOOK).then(() => replies++);
		await settled();
		expect(answers).toHaveLength(3 + 8);
		while (replies < 15) {
			for (const answer of answers.splice(0)) answer();
			await settled();
		}
	});

	it('sends nothing and waits for nothing when the run is over, and says why', async () => {
		const reason = 'Another item did not succeed';
		const onLeave = jest.fn();
		const { sendCreate, sendLook, pause } = await connect(contextWith(), 8, () => reason);
		for (const call of [
			() => sendCreate({ ...LOOK, onLeave }),
			() => sendLook({ ...LOOK, onLeave }),
			() => pause(1000),
		])
			await expect(call()).rejects.toThrow(reason);
		expect(onLeave).not.toHaveBeenCalled();
	});

	it('tells when a request leaves, before anything is sent', async () => {
		const order: string[] = [];
		const request: Request = () => {
			order.push('sent');
			return Promise.resolve({ statusCode: 200, headers: {}, body: {} });
		};
		const { sendCreate } = await connect(contextWith({ request }), 8, () => undefined);
		await sendCreate({ ...LOOK, onLeave: () => order.push('leaves') });
		expect(order).toEqual(['leaves', 'sent']);
	});
});
