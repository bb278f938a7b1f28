import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { readBaseAddress } from '../service/baseAddress';
import type { NoToken } from '../service/http';
import type { TokenSettings } from '../service/token';
import { refusedSetting } from '../service/tokenWords';

/** The base address field of each environment. */
export const ENVIRONMENT_FIELDS = {
	production: { name: 'productionUrl', displayName: 'Base URL (Production)' },
	staging: { name: 'stagingUrl', displayName: 'Base URL (Staging)' },
} as const;

type ReadSettings = { ok: true; settings: TokenSettings } | { ok: false; refusal: NoToken };

/** The settings of the chosen environment, or why they cannot be used. */
export function readSettings(credentials: ICredentialDataDecryptedObject): ReadSettings {
	const field =
		ENVIRONMENT_FIELDS[credentials.environment === 'staging' ? 'staging' : 'production'];
	const address = readBaseAddress(credentials[field.name], field.displayName);
	if (!address.ok) return refuse(address.reason, 'Correct it');
	const clientId = trimmed(credentials.clientId);
	const clientSecret = trimmed(credentials.clientSecret);
	if (clientId === '') return refuse('Client ID is empty', 'Enter it');
	if (clientSecret === '') return refuse('Client Secret is empty', 'Enter it');
	return { ok: true, settings: { baseUrl: address.url, clientId, clientSecret } };
}

function refuse(message: string, advice: string): ReadSettings {
	const where = 'in the Document Workflow API credential';
	return { ok: false, refusal: refusedSetting(message, `${advice} ${where}`) };
}

function trimmed(value: unknown): string {
	return typeof value === 'string' ? value.trim() : '';
}
