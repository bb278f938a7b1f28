import type { Answer } from '../../../service/http';
import type { TokenSettings } from '../../../service/token';

export const settings: TokenSettings = {
	baseUrl: 'https://api.example.com',
	clientId: 'client',
	clientSecret: 'made-up-for-tests',
};
/** When the tests begin. */
export const START = Date.parse('2026-01-01T00:00:00Z');
export const answer = (
	status: number,
	body: unknown,
	headers: Record<string, string> = {},
): Answer => ({
	kind: 'answer',
	status,
	headers,
	body,
});
/** An answer with a token. */
export const issue = (token: string, expiresIn: unknown = 3600): Answer =>
	answer(200, { access_token: token, token_type: 'bearer', expires_in: expiresIn });
