import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { readBaseAddress } from '../service/baseAddress';
import { readTokenSettings } from '../service/token';

/** The base address field of each environment. */
export const ENVIRONMENT_FIELDS = {
	production: { name: 'productionUrl', displayName: 'Base URL (Production)' },
	staging: { name: 'stagingUrl', displayName: 'Base URL (Staging)' },
} as const;

/** The settings of the environment in use, or why they cannot be used. */
export function readSettings(
	credentials: ICredentialDataDecryptedObject,
): ReturnType<typeof readTokenSettings> {
	const field =
		ENVIRONMENT_FIELDS[credentials.environment === 'staging' ? 'staging' : 'production'];
	const address = readBaseAddress(credentials[field.name], field.displayName);
	return readTokenSettings(address, credentials.clientId, credentials.clientSecret);
}
