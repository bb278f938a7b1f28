import type { ICredentialDataDecryptedObject, INodeProperties } from 'n8n-workflow';

import type { CreateFieldNames, Json, JsonRecord } from '../service/contract';
import { CREATE_FIELDS } from '../service/contract';
import { type JsonMistake, readJsonObject } from '../service/userJson';
import { SECRET_NAME } from '../service/text';
import { readBaseAddress } from '../service/baseAddress';
import type { NoToken } from '../service/http';
import type { TokenSettings } from '../service/token';
import { refusedSetting } from '../service/tokenWords';

/** What a deployment of the service needs in a create request in addition to the published contract. */
export interface CreateSettings {
	names: CreateFieldNames;
	/** The field with the identifier in the answer to a create; empty where it has a usual name. */
	executionIdField: string;
	/** Body fields that give the service access to file URLs, such as the client settings of a protected file store. */
	fileAccess: JsonRecord;
	/** Why the file access fields cannot be used. Only creates with file URLs need them. */
	fileAccessMistake?: JsonMistake;
}

const NAME_FIELDS: Array<{ of: keyof CreateFieldNames; name: string; displayName: string }> = [
	{ of: 'files', name: 'filesField', displayName: 'Field for Files' },
	{ of: 'textInputs', name: 'textInputsField', displayName: 'Field for Text Inputs' },
	{ of: 'metadata', name: 'metadataField', displayName: 'Field for Metadata' },
	{ of: 'fileUrls', name: 'fileUrlsField', displayName: 'Field for File URLs' },
];

const WHEN_ADVANCED = { show: { advancedSettings: [true] } };

export const createSettingFields: INodeProperties[] = [
	{
		displayName: 'Advanced Settings',
		name: 'advancedSettings',
		type: 'boolean',
		default: false,
		description:
			'Whether your document service needs access to protected file URLs, or names its request fields in its own way',
	},
	{
		displayName: 'File Access Fields (JSON)',
		name: 'fileAccessFields',
		type: 'string',
		typeOptions: { password: true },
		default: '',
		placeholder: 'e.g. {"oauth2": {"client_id": "…", "client_secret": "…"}}',
		description:
			'Body fields for protected file URLs. Sent only with file URLs, and stored encrypted.',
		displayOptions: WHEN_ADVANCED,
	},
	{
		displayName: 'Field for Execution ID',
		name: 'executionIdField',
		type: 'string',
		default: '',
		placeholder: 'e.g. job_number',
		description:
			'Response field with the ID. Leave empty for workflow_execution_id, execution_id, run_id, id.',
		displayOptions: WHEN_ADVANCED,
	},
	...NAME_FIELDS.map(({ of, name, displayName }): INodeProperties => ({
		displayName,
		name,
		type: 'string',
		default: CREATE_FIELDS[of],
		description: `The name of this field in a request. Default: ${CREATE_FIELDS[of]}.`,
		displayOptions: WHEN_ADVANCED,
	})),
];

export function readCreateSettings(credentials: ICredentialDataDecryptedObject): CreateSettings {
	if (credentials.advancedSettings !== true)
		return { names: CREATE_FIELDS, executionIdField: '', fileAccess: {} };
	const names = { ...CREATE_FIELDS };
	for (const { of, name } of NAME_FIELDS)
		names[of] = trimmed(credentials[name]) || CREATE_FIELDS[of];
	const executionIdField = trimmed(credentials.executionIdField);
	const read = readJsonObject(trimmed(credentials.fileAccessFields));
	return read.ok
		? { names, executionIdField, fileAccess: read.value }
		: { names, executionIdField, fileAccess: {}, fileAccessMistake: read.mistake };
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
