import type {
	ICredentialDataDecryptedObject,
	IHttpRequestHelper,
	IHttpRequestOptions,
} from 'n8n-workflow';

import { DocumentWorkflowApi } from '../../../credentials/DocumentWorkflowApi.credentials';
import { callFields } from '../../../credentials/webhook/methods';
import { readSettings } from '../../../credentials/settings';
import type { RequestOptions } from '../../../credentials/token';
import { fingerprintOf, parseToken } from '../../../service/token';

const credential = new DocumentWorkflowApi();
const entered = {
	environment: 'production',
	productionUrl: 'https://api.example.com/base',
	stagingUrl: 'https://staging.example.com',
	clientId: 'id',
	clientSecret: 'secret',
};
const settings = {
	baseUrl: 'https://api.example.com/base',
	clientId: 'id',
	clientSecret: 'secret',
};
const accessToken = JSON.stringify({
	token: 'a.b.c',
	issuedAt: Date.now(),
	renewAt: Date.now() + 60_000,
	fingerprint: fingerprintOf(settings),
});
const stored = { ...entered, accessToken };

describe('a request with a usable token', () => {
	it('carries the token and keeps its other options', async () => {
		const request: IHttpRequestOptions = {
			url: 'https://api.example.com/other',
			headers: { accept: 'application/pdf', AUTHORIZATION: 'Basic x' },
			json: true,
		};
		expect(await credential.authenticate(stored, request)).toEqual({
			url: 'https://api.example.com/other',
			json: true,
			headers: { accept: 'application/pdf', Authorization: 'Bearer a.b.c' },
			disableFollowRedirect: true,
			followRedirect: false,
			followAllRedirects: false,
		});
		expect(request.headers).toEqual({ accept: 'application/pdf', AUTHORIZATION: 'Basic x' });
	});

	it.each(['Host', 'host', 'HOST'])(
		'names no other host than that of its URL: without the header %s',
		async (name) => {
			const request: IHttpRequestOptions = {
				url: 'https://api.example.com/x',
				headers: { [name]: 'internal.example.com', accept: 'application/json' },
			};
			expect((await credential.authenticate(stored, request)).headers).toEqual({
				accept: 'application/json',
				Authorization: 'Bearer a.b.c',
			});
		},
	);

	it('tells the node which token it carries', async () => {
		const request: RequestOptions = { url: 'https://api.example.com/x', tokenUse: {} };
		await credential.authenticate(stored, request);
		expect(request.tokenUse).toEqual({ used: 'a.b.c' });
	});

	it("may have a uri instead of a url, as with n8n's older helper", async () => {
		const older = {
			uri: 'https://api.example.com/x',
		} as Partial<IHttpRequestOptions> as IHttpRequestOptions;
		expect((await credential.authenticate(stored, older)).headers).toEqual({
			Authorization: 'Bearer a.b.c',
		});
	});

	it('may have a relative URL with a base of the same origin', async () => {
		const request = { url: '/x', baseURL: 'https://api.example.com:443' };
		expect((await credential.authenticate(stored, request)).headers).toEqual({
			Authorization: 'Bearer a.b.c',
		});
	});

	it.each(['http://10.0.0.1:3128', { host: '10.0.0.1', port: 3128 }])(
		'is refused when it goes through the proxy %j',
		async (proxy) => {
			const request = { url: 'https://api.example.com/x', proxy } as IHttpRequestOptions;
			await expect(credential.authenticate(stored, request)).rejects.toMatchObject({
				message: 'The proxy in this request could read the access token',
				response: { data: { message: expect.stringContaining('Remove the proxy') } },
			});
		},
	);

	it('may do without checks of certificates', async () => {
		const request = { url: 'https://api.example.com/x', skipSslCertificateValidation: true };
		const { headers } = await credential.authenticate(stored, request);
		expect(headers).toEqual({ Authorization: 'Bearer a.b.c' });
	});

	it.each([
		['another host', { url: 'https://api.example.com.evil.example/x' }],
		['another port', { url: 'https://api.example.com:8443/x' }],
		['another protocol', { url: 'http://api.example.com/x' }],
		['the staging environment', { url: 'https://staging.example.com/x' }],
		['a host behind a user name', { url: 'https://api.example.com@evil.example/x' }],
		[
			'an absolute address behind a base',
			{ url: 'https://evil.example/x', baseURL: 'https://api.example.com' },
		],
		[
			'a host without a protocol behind a base',
			{ url: '//evil.example/x', baseURL: 'https://api.example.com' },
		],
		['no address', { url: '' }],
	])('is refused when it goes to %s', async (_what, request) => {
		await expect(credential.authenticate(stored, request)).rejects.toThrow(
			'sends its token only to https://api.example.com',
		);
	});

	it('is refused when it has no address', async () => {
		await expect(
			credential.authenticate(stored, {} as Partial<IHttpRequestOptions> as IHttpRequestOptions),
		).rejects.toMatchObject({
			message:
				'This credential sends its token only to https://api.example.com, but the request goes to an invalid URL',
			response: {
				data: { message: 'Correct the URL of the request, or use another credential' },
			},
		});
	});
});

describe('a token that must not be used', () => {
	it.each([
		['there is none', { ...stored, accessToken: '' }],
		[
			'its renewal is due',
			{
				...stored,
				accessToken: JSON.stringify({
					token: 'a.b.c',
					issuedAt: Date.now(),
					renewAt: Date.now(),
					fingerprint: fingerprintOf(settings),
				}),
			},
		],
		['it belongs to another secret', { ...stored, clientSecret: 'another' }],
		['it belongs to another client', { ...stored, clientId: 'another' }],
		[
			'it belongs to another environment',
			{ ...stored, environment: 'staging', stagingUrl: 'https://api.example.com' },
		],
		['it cannot be read', { ...stored, accessToken: 'a.b.c' }],
	])('makes n8n fetch a new one when %s', async (_what, credentials) => {
		await expect(
			credential.authenticate(credentials, { url: 'https://api.example.com/x' }),
		).rejects.toMatchObject({ response: { status: 401 } });
	});
});

it('A token that the service rejected makes n8n fetch a new one, and no reason is shown', async () => {
	const request: RequestOptions = {
		url: 'https://api.example.com/x',
		tokenUse: { rejected: 'a.b.c' },
	};
	const refused = credential.authenticate(stored, request);
	await expect(refused).rejects.toMatchObject({
		message: 'The stored access token is due for renewal',
	});
	await expect(refused).rejects.toHaveProperty('response', { status: 401 });
	expect(request.tokenUse).toEqual({ rejected: 'a.b.c' });
});

it('A new token that must not be used either is explained in the 401', async () => {
	const refused = credential.authenticate(
		{ ...stored, accessToken: '' },
		{ url: 'https://api.example.com/x' },
	);
	await expect(refused).rejects.toHaveProperty('response.data.refusal.kind', 'noToken');
});

describe('a new token', () => {
	/** The credential keeps tokens for the process, so each test needs settings of its own, such as another client ID. */
	const renew = async (credentials: ICredentialDataDecryptedObject, answer: unknown) => {
		const httpRequest = jest.fn(async () => answer);
		const helper = {
			helpers: { httpRequest },
		} as Partial<IHttpRequestHelper> as IHttpRequestHelper;
		const fetched = await credential.preAuthentication.call(helper, credentials).catch(String);
		return { fetched, calls: httpRequest.mock.calls as unknown[][] };
	};
	const answered = (statusCode: number, body: object) => ({ statusCode, headers: {}, body });

	it('is fetched with ID and secret, as a stream without redirects, and is stored for these settings', async () => {
		const body = { access_token: 'new.token.c', expires_in: 3600 };
		const { fetched, calls } = await renew(entered, answered(200, body));
		const { accessToken: kept } = fetched as { accessToken: string };
		expect(parseToken(kept)).toMatchObject({
			token: 'new.token.c',
			fingerprint: fingerprintOf(settings),
		});
		expect(calls).toEqual([
			[
				{
					method: 'POST',
					url: 'https://api.example.com/base/api/v1/oauth2/access_token',
					body: { client_id: 'id', client_secret: 'secret' },
					json: true,
					encoding: 'stream',
					returnFullResponse: true,
					ignoreHttpStatusErrors: true,
					disableFollowRedirect: true,
					abortSignal: expect.any(AbortSignal),
				},
			],
		]);
	});

	it('is not asked for with settings that cannot be used', async () => {
		const { fetched, calls } = await renew({ ...entered, clientId: '' }, undefined);
		expect(fetched).toBe('TokenExchangeError: Client ID is empty');
		expect(calls).toEqual([]);
	});

	it('is refused with the reason when the service gives none', async () => {
		const { fetched } = await renew({ ...entered, clientId: 'unknown' }, answered(401, {}));
		expect(fetched).toBe('TokenExchangeError: The service rejected Client ID and Client Secret');
	});
});

it('Unusable settings are refused without a 401, because that would make n8n try again', async () => {
	const refused = credential.authenticate(
		{ ...stored, clientSecret: '' },
		{ url: 'https://api.example.com/x' },
	);
	await expect(refused).rejects.toMatchObject({
		message: 'Client Secret is empty',
		response: { data: { message: 'Enter it in the Document Workflow API credential' } },
	});
	await expect(refused).rejects.not.toHaveProperty('response.status');
});

describe('the fields of the credential', () => {
	/** Those for calls of the trigger have tests of their own. */
	const properties = credential.properties.filter(({ name }) =>
		callFields.every((field) => field.name !== name),
	);
	const shown = (environment: string) =>
		properties
			.filter(
				({ displayOptions }) => displayOptions?.show?.environment?.includes(environment) ?? true,
			)
			.map(({ name }) => name);

	it('ask only for the address of the chosen environment, and require it', () => {
		const others = ['workflowNames', 'fileAccessFields', 'accessToken'];
		expect(shown('production')).toEqual([
			'environment',
			'productionUrl',
			'clientId',
			'clientSecret',
			'executionLink',
			...others,
		]);
		expect(shown('staging')).toEqual([
			'environment',
			'stagingUrl',
			'clientId',
			'clientSecret',
			'executionLink',
			...others,
		]);
		const required = properties
			.filter((property) => property.required === true)
			.map(({ name }) => name);
		expect(required).toEqual(['productionUrl', 'stagingUrl', 'clientId', 'clientSecret']);
	});

	it("have no address as a default: it would send a secret to a host that is not the user's", () => {
		for (const name of ['productionUrl', 'stagingUrl'])
			expect(properties.find((property) => property.name === name)?.default).toBe('');
	});

	it('hide only the secret, the token and the file access fields', () => {
		const hidden = properties
			.filter(({ typeOptions }) => typeOptions?.password === true)
			.map(({ name }) => name);
		expect(hidden).toEqual(['clientSecret', 'fileAccessFields', 'accessToken']);
	});

	it('let n8n renew the token, which is hidden and expirable', () => {
		expect(properties.find(({ name }) => name === 'accessToken')).toMatchObject({
			type: 'hidden',
			typeOptions: { expirable: true },
			default: '',
		});
	});

	it('mean the environment that is selected', () => {
		expect(readSettings(entered)).toMatchObject({ ok: true, settings });
		expect(readSettings({ ...entered, environment: 'staging' })).toMatchObject({
			ok: true,
			settings: { baseUrl: 'https://staging.example.com' },
		});
	});

	it.each(['', 'Staging', 'stagging', 'production ', 'constructor', null, true])(
		'are refused when the environment is unknown (%j), and never mean production',
		(environment) =>
			expect(
				readSettings({ ...entered, environment } as ICredentialDataDecryptedObject),
			).toMatchObject({
				ok: false,
				message: "The selected 'Environment' is not supported by this version of the package",
			}),
	);

	it.each<[ICredentialDataDecryptedObject, RegExp, string]>([
		[{ clientId: '' }, /^Client ID is empty$/, 'Enter it'],
		[{ clientId: 7 }, /^Client ID is empty$/, 'Enter it'],
		[{ clientSecret: ' ' }, /^Client Secret is empty$/, 'Enter it'],
		[{ clientSecret: 7 }, /^Client Secret is empty$/, 'Enter it'],
		[{ productionUrl: 'nope' }, /^Base URL \(Production\): /, 'Correct it'],
	])('are refused with the field that is wrong (%j)', (wrong, message, advice) => {
		expect(readSettings({ ...entered, ...wrong })).toEqual({
			ok: false,
			message: expect.stringMatching(message),
			advice: `${advice} in the Document Workflow API credential`,
		});
	});
});
