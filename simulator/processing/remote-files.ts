/** Files given as URLs: fetched, hashed and read like uploaded ones. */
import type { Workflow } from '../configuration';
import { takeIn, type Intake } from './intake';
import { exchangeCredentials } from './oauth2';

export type FileAccess = Workflow['fileAccess'];

/**
 * Names of the body fields with which the simulator fetches OAuth2-protected files (assumed: not published).
 * A create accepts other names; its execution then fails, because the files cannot be fetched.
 */
export const OAUTH2_FIELDS = {
	tokenUrl: 'oauth2_token_url',
	clientId: 'oauth2_client_id',
	clientSecret: 'oauth2_client_secret',
	scope: 'oauth2_scope',
} as const;

const LONGEST_FETCH_MILLISECONDS = 60_000;

/** Fetches the files one after the other. Raises an error with the file (without its query) and the reason. */
export async function fetchFiles(
	urls: string[],
	fileAccess: FileAccess,
	bodyFields: Record<string, unknown>,
	stopped: AbortSignal,
): Promise<Intake[]> {
	const headers = fileAccess === 'oauth2Urls' ? await protectedAccess(bodyFields, stopped) : {};
	const intakes: Intake[] = [];
	for (const url of urls) intakes.push(await fetchFile(new URL(url), headers, stopped));
	return intakes;
}

async function protectedAccess(
	fields: Record<string, unknown>,
	stopped: AbortSignal,
): Promise<Record<string, string>> {
	const [tokenUrl, clientId, clientSecret, scope] = Object.values(OAUTH2_FIELDS).map(
		(name) => fields[name],
	);
	if (
		typeof tokenUrl !== 'string' ||
		typeof clientId !== 'string' ||
		typeof clientSecret !== 'string'
	) {
		throw new Error('The files cannot be reached: the OAuth2 client settings are not complete.');
	}
	try {
		const credentials = {
			tokenUrl,
			clientId,
			clientSecret,
			scope: typeof scope === 'string' ? scope : undefined,
		};
		return { authorization: `Bearer ${await exchangeCredentials(credentials, within(stopped))}` };
	} catch (error) {
		throw new Error(`The files cannot be reached: ${(error as Error).message}.`);
	}
}

async function fetchFile(
	url: URL,
	headers: Record<string, string>,
	stopped: AbortSignal,
): Promise<Intake> {
	try {
		const response = await fetch(url, { headers, signal: within(stopped) });
		if (!response.ok || !response.body) throw new Error(`it answered ${response.status}`);
		return await takeIn(chunksOf(response.body), {
			fieldName: 'file_urls',
			fileName: fileNameOf(response.headers.get('content-disposition'), url),
			mediaType: response.headers.get('content-type') ?? 'application/octet-stream',
		});
	} catch (error) {
		throw new Error(
			`The file ${url.origin}${url.pathname} could not be fetched: ${(error as Error).message}.`,
		);
	}
}

async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
	const reader = body.getReader();
	for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value;
}

function fileNameOf(disposition: string | null, url: URL): string {
	const given = /filename="([^"]+)"|filename=([^;\s]+)/i.exec(disposition ?? '');
	const last = url.pathname.split('/').pop() ?? '';
	return given?.[1] ?? given?.[2] ?? decodeURIComponent(last);
}

function within(stopped: AbortSignal): AbortSignal {
	return AbortSignal.any([stopped, AbortSignal.timeout(LONGEST_FETCH_MILLISECONDS)]);
}
