import type { ICredentialDataDecryptedObject, INodeProperties } from 'n8n-workflow';

import type { Json, JsonRecord } from '../service/contract';
import { type JsonMistake, readJsonObject } from '../service/userJson';
import { SECRET_NAME } from '../service/text';
import { readBaseAddress } from '../service/baseAddress';
import type { NoToken } from '../service/http';
import type { TokenSettings } from '../service/token';
import { refusedSetting } from '../service/tokenWords';

/** The body fields that give the service access to protected file URLs. Only creates with file URLs need them. */
export interface FileAccess {
	fields: JsonRecord;
	/** Why they cannot be used. */
	mistake?: JsonMistake;
}

export const fileAccessField: INodeProperties = {
	displayName: 'File Access Fields (JSON)',
	name: 'fileAccessFields',
	type: 'string',
	typeOptions: { password: true },
	default: '',
	placeholder: 'e.g. {"oauth2": {"client_id": "…", "client_secret": "…"}}',
	description:
		'Only for protected file URLs: request fields that give the service access. Stored encrypted.',
};

export function readFileAccess(credentials: ICredentialDataDecryptedObject): FileAccess {
	const read = readJsonObject(trimmed(credentials.fileAccessFields));
	return read.ok ? { fields: read.value } : { fields: {}, mistake: read.mistake };
}

/** Short plain words, such as a scope named files, are not masked: messages would become unreadable. */
const PLAIN_WORD = /^[a-z]{1,11}$/i;

/** The secrets in the fields: all texts except plain words, unless a name says that they are one. */
export function secretsIn(value: Json, name = ''): string[] {
	if (typeof value === 'string')
		return PLAIN_WORD.test(value) && !SECRET_NAME.test(name) ? [] : [value];
	if (typeof value !== 'object' || value === null) return [];
	return Array.isArray(value)
		? value.flatMap((each) => secretsIn(each, name))
		: Object.entries(value).flatMap(([inner, each]) => secretsIn(each, inner));
}

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
