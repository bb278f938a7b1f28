/** Creates that give their files as URLs. */
import type { Workflow } from '../configuration';
import { isLoopbackHost } from './loopback';
import type { Submission } from '../state/executions';
import { missing, problem, unprocessable, type Problem } from './answers';
import { requireObject } from './body';

/** Returns the content of a JSON body. Raises a Refusal (422). */
export function submissionOfJson(
	body: Record<string, unknown>,
	{ fileAccess }: Workflow,
): Submission {
	const { file_urls: urls, user_inputs: userInputs, metadata, ...bodyFields } = body;
	const fileUrls = fileUrlsOf(urls, fileAccess);
	if (fileAccess === 'oauth2Urls' && Object.keys(bodyFields).length === 0) {
		throw unprocessable(
			problem([], 'the OAuth2 client settings for the files are missing', 'value_error.missing'),
		);
	}
	return {
		fileUrls,
		userInputs: optionalObject(userInputs, 'user_inputs'),
		metadata: optionalObject(metadata, 'metadata'),
		bodyFields,
		fieldOrder: Object.keys(body),
		intakes: [],
	};
}

function optionalObject(value: unknown, name: string): Record<string, unknown> | null {
	return value === undefined || value === null ? null : requireObject(value, [name]);
}

const FILE_URLS = 'file_urls';

function fileUrlsOf(urls: unknown, fileAccess: Workflow['fileAccess']): string[] {
	if (urls === undefined) throw unprocessable(missing(FILE_URLS));
	if (!Array.isArray(urls))
		throw unprocessable(problem([FILE_URLS], 'value is not a valid list', 'type_error.list'));
	if (urls.length === 0) {
		throw unprocessable(
			problem([FILE_URLS], 'ensure this value has at least 1 items', 'value_error.list.min_items'),
		);
	}
	const problems = urls.flatMap(
		(url, index) => urlProblem(url, [FILE_URLS, index], fileAccess) ?? [],
	);
	if (problems.length > 0) throw unprocessable(...problems);
	return urls.map(String);
}

function urlProblem(
	url: unknown,
	place: Array<string | number>,
	fileAccess: Workflow['fileAccess'],
): Problem | undefined {
	if (typeof url !== 'string' || !URL.canParse(url))
		return problem(place, 'invalid or missing URL scheme', 'value_error.url.scheme');
	const { protocol, hostname } = new URL(url);
	const loopback = isLoopbackHost(hostname);
	if (protocol !== 'https:' && !(protocol === 'http:' && loopback)) {
		return problem(place, 'URL scheme not permitted: https is required', 'value_error.url.scheme');
	}
	if (fileAccess === 'boxLinks' && !loopback && !/(^|\.)box\.com$/i.test(hostname)) {
		return problem(place, 'a Box shared link is required', 'value_error.url.host');
	}
	return undefined;
}
