import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { readAuthentication } from '../../credentials/webhook/methods';

/** Tests that the settings are complete. Whether the service has the same key shows only when it calls. */
export async function testWebhookCredential(
	this: ICredentialTestFunctions,
	{ data }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const read = readAuthentication(data ?? {});
	if (!read.ok) return { status: 'Error', message: `${read.message}. ${read.advice}` };
	const { required, warning } = read;
	const summary =
		required === undefined
			? []
			: [
					`The settings are complete: each call must carry ${required}`,
					'Whether the service sends it shows with its first call',
				];
	return {
		status: 'OK',
		message: [...summary, ...(warning === undefined ? [] : [warning])].join('. '),
	};
}
