import type {
	Icon,
	ICredentialDataDecryptedObject,
	ICredentialType,
	IHttpRequestHelper,
	INodeProperties,
} from 'n8n-workflow';

import { STREAMED } from '../service/answer';
import type { NoToken } from '../service/http';
import type { TokenSettings } from '../service/token';
import { isUsable, parseToken, postInTime, TokenExchanger } from '../service/token';
import { refusedLifetime, refusedSetting } from '../service/tokenWords';
import { connectionFields, fileAccessField, readSettings } from './settings';
import { dataOf, type RequestOptions, TokenExchangeError } from './token';
import { callFields } from './webhook/methods';
import { workflowNamesField } from './workflowNames';

/** One for the process, so that all nodes and executions share each exchange. */
const exchanger = new TokenExchanger();

/**
 * Exchanges client ID and secret for a token, which n8n stores encrypted. n8n asks for a new one only when none is stored or
 * after a 401. So `authenticate` throws a 401 of its own when the stored one must not be used; see contributing/inside-n8n.md.
 */
export class DocumentWorkflowApi implements ICredentialType {
	name = 'documentWorkflowApi';

	displayName = 'Document Workflow API';

	documentationUrl =
		'https://github.com/n8n-nodes-document-workflow/n8n-nodes-document-workflow/blob/main/docs/credentials.md';

	icon: Icon = { light: 'file:documentWorkflow.svg', dark: 'file:documentWorkflow.dark.svg' };

	properties: INodeProperties[] = [
		...connectionFields,
		workflowNamesField,
		fileAccessField,
		...callFields,
		{
			displayName: 'Access Token',
			name: 'accessToken',
			type: 'hidden',
			typeOptions: { expirable: true, password: true },
			default: '',
		},
	];

	async preAuthentication(this: IHttpRequestHelper, credentials: ICredentialDataDecryptedObject) {
		const settings = settingsIn(credentials);
		const exchange = await exchanger.renew(
			postInTime(async (request, abortSignal) => {
				const options = { ...STREAMED, method: 'POST', json: true, abortSignal } as const;
				return this.helpers.httpRequest({ ...options, ...request });
			}),
			settings,
			parseToken(credentials.accessToken),
		);
		if (!exchange.ok) throw new TokenExchangeError(exchange.refusal);
		// One text, so that n8n never stores the parts of a token separately.
		return { accessToken: JSON.stringify(exchange.held) };
	}

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		requestOptions: RequestOptions,
	): Promise<RequestOptions> {
		const settings = settingsIn(credentials);
		refuseUnsafe(requestOptions, settings.baseUrl);
		const held = parseToken(credentials.accessToken);
		const { tokenUse } = requestOptions;
		if (!isUsable(held, settings, Date.now()))
			throw new RenewalDue(refusedLifetime(settings.baseUrl));
		if (held.token === tokenUse?.rejected) throw new RenewalDue();
		if (tokenUse !== undefined) tokenUse.used = held.token;
		const headers = Object.entries(requestOptions.headers ?? {}).filter(
			([name]) => !OWN_HEADERS.includes(name.toLowerCase()),
		);
		return {
			...requestOptions,
			...WITHOUT_REDIRECTS,
			headers: { ...Object.fromEntries(headers), Authorization: `Bearer ${held.token}` },
		};
	}
}

function settingsIn(credentials: ICredentialDataDecryptedObject): TokenSettings {
	const read = readSettings(credentials);
	return read.ok ? read.settings : refuseSetting(read.message, read.advice);
}

/**
 * Any node of n8n may send requests with the token. A token is sent only to the origin that issued it, and not
 * through a proxy of the request, which could read the token where certificates are not checked.
 */
function refuseUnsafe({ url, uri, baseURL, proxy }: RequestOptions, baseUrl: string): void {
	const target = url ?? uri ?? '';
	const isValid = URL.canParse(target, baseURL);
	const origin = isValid ? new URL(target, baseURL).origin : 'an invalid URL';
	const own = new URL(baseUrl).origin;
	if (origin !== own)
		refuseSetting(
			`This credential sends its token only to ${own}, but the request goes to ${origin}`,
			'Correct the URL of the request, or use another credential',
		);
	if (proxy)
		refuseSetting(
			'The proxy in this request could read the access token',
			'Remove the proxy from the request. For all requests, set HTTPS_PROXY of your n8n server',
		);
}

function refuseSetting(message: string, advice: string): never {
	throw new TokenExchangeError(refusedSetting(message, advice));
}

/** To n8n this looks like a 401 of the service. `refusal`: for the case that a new token cannot be used either. */
class RenewalDue extends Error {
	readonly response;

	constructor(refusal?: NoToken) {
		super('The stored access token is due for renewal');
		this.response = { status: 401, ...(refusal && dataOf(refusal)) };
	}
}

/** n8n lets a token go with a redirect to a subdomain. The last two are the names of n8n's older helper. */
const WITHOUT_REDIRECTS = {
	disableFollowRedirect: true,
	followRedirect: false,
	followAllRedirects: false,
};

/** Another Host could take the token to another service behind the same proxy. */
const OWN_HEADERS = ['authorization', 'host'];
