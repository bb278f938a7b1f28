import type { IHttpRequestHelper } from 'n8n-workflow';

import { answerOf, silenceOf } from '../service/reply';
import type { PostJson } from '../service/token';

const TIMEOUT_MILLISECONDS = 30_000;

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
				timeout: TIMEOUT_MILLISECONDS,
			});
			return answerOf(response);
		} catch (error) {
			return silenceOf(error);
		}
	};
}
