import type { IHttpRequestOptions } from 'n8n-workflow';

/**
 * Which token a request went out with, and which one the service does not accept any more. n8n hands the options of a request to
 * the credential as they are; this is how node and credential speak about the token of that request.
 */
export interface TokenUse {
	used?: string;
	rejected?: string;
}

export interface RequestOptions extends IHttpRequestOptions {
	tokenUse?: TokenUse;
}
