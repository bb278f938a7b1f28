/** Access to other servers with OAuth 2.0 client credentials: for protected files and for webhooks. */
export interface ClientCredentials {
	tokenUrl: string;
	clientId: string;
	clientSecret: string;
	scope?: string | undefined;
}

/** Exchanges the credentials for a token (RFC 6749, section 4.4). Raises an error with the status, never the secret. */
export async function exchangeCredentials(
	credentials: ClientCredentials,
	signal: AbortSignal,
): Promise<string> {
	const form = new URLSearchParams({
		grant_type: 'client_credentials',
		client_id: credentials.clientId,
		client_secret: credentials.clientSecret,
		...(credentials.scope ? { scope: credentials.scope } : {}),
	});
	const response = await fetch(credentials.tokenUrl, { method: 'POST', body: form, signal });
	const body: unknown = await response.json().catch(() => undefined);
	const token =
		typeof body === 'object' && body !== null && 'access_token' in body
			? body.access_token
			: undefined;
	if (!response.ok || typeof token !== 'string') {
		throw new Error(
			`the token address answered ${response.status}${response.ok ? ' without an access_token' : ''}`,
		);
	}
	return token;
}
