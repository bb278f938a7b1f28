import type { IHttpRequestHelper } from 'n8n-workflow';

import { answerOf, silenceOf } from '../service/reply';
import type { PostJson } from '../service/token';

/** How long the token endpoint may be silent. */
export const EXCHANGE_TIMEOUT_MILLISECONDS = 30_000;

/** The call of the token endpoint over n8n's HTTP layer. */
export function postJsonWith(helpers: IHttpRequestHelper['helpers']): PostJson {
	return async (url, body) => {
		try {
			const response: unknown = await helpers.httpRequest({
				method: 'POST',
				url,
				body,
				json: true,
				returnFullResponse: true,
				ignoreHttpStatusErrors: true,
				disableFollowRedirect: true,
				timeout: EXCHANGE_TIMEOUT_MILLISECONDS,
			});
			return answerOf(response);
		} catch (error) {
			return silenceOf(error);
		}
	};
}
