import type { IHttpRequestOptions } from 'n8n-workflow';

import { refusedSetting } from '../service/tokenWords';
import { TokenExchangeError } from './exchange';

/** Any node of n8n may send requests with the token. What it must not do with it is decided here. */

/** A request as n8n's older helper, which the HTTP Request node uses, describes it. */
interface OlderOptions {
	uri?: string;
	rejectUnauthorized?: boolean;
	agentOptions?: object;
}

/** A token is sent only to the origin that issued it. */
export function refuseForeignOrigin(
	options: IHttpRequestOptions & OlderOptions,
	baseUrl: string,
): void {
	const target = options.url ?? options.uri ?? '';
	const base = options.baseURL ?? undefined;
	const origin = URL.canParse(target, base) ? new URL(target, base).origin : undefined;
	const own = new URL(baseUrl).origin;
	if (origin === own) return;
	throw new TokenExchangeError(
		refusedSetting(
			`This credential sends its token only to ${own}, but the request goes to ${origin ?? 'an invalid URL'}`,
			'Correct the URL of the request, or use another credential',
		),
	);
}

/**
 * The proxy of a request could read the token when the connection through it is not encrypted, or is encrypted for
 * whoever answers: without checks of certificates, or with authorities that the request brings.
 */
export function refuseReadingProxy(
	options: IHttpRequestOptions & OlderOptions,
	baseUrl: string,
): void {
	const { proxy, skipSslCertificateValidation, rejectUnauthorized, agentOptions = {} } = options;
	if (!proxy) return;
	const isUnchecked =
		skipSslCertificateValidation === true ||
		rejectUnauthorized === false ||
		Object.keys(agentOptions).length > 0;
	if (!isUnchecked && baseUrl.startsWith('https:')) return;
	throw new TokenExchangeError(
		refusedSetting(
			'The proxy in this request could read the access token',
			"Remove the proxy, or use an https URL with 'Ignore SSL Issues' off and without SSL certificates",
		),
	);
}

/** n8n lets a token go with a redirect to a subdomain. The last two are the names of n8n's older helper. */
export const WITHOUT_REDIRECTS = {
	disableFollowRedirect: true,
	followRedirect: false,
	followAllRedirects: false,
};
