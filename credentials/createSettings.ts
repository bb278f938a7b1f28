import type { ICredentialDataDecryptedObject, INodeProperties } from 'n8n-workflow';

import type { CreateFieldNames, Json, JsonRecord } from '../service/contract';
import { CREATE_FIELDS } from '../service/contract';
import type { JsonMistake } from '../service/json';
import { readJsonObject } from '../service/json';

/** What a deployment of the service needs in a create request in addition to the published contract. */
export interface CreateSettings {
	names: CreateFieldNames;
	/** Body fields that give the service access to file URLs, such as the client settings of a protected file store. */
	fileAccess: JsonRecord;
	/** Why the file access fields cannot be used. Only creates with file URLs need them. */
	fileAccessMistake?: JsonMistake;
}

/** The form field of each name. */
const NAME_FIELDS: Array<{ of: keyof CreateFieldNames; name: string; displayName: string }> = [
	{ of: 'files', name: 'filesField', displayName: 'Field for Files' },
	{ of: 'textInputs', name: 'textInputsField', displayName: 'Field for Text Inputs' },
	{ of: 'metadata', name: 'metadataField', displayName: 'Field for Metadata' },
	{ of: 'fileUrls', name: 'fileUrlsField', displayName: 'Field for File URLs' },
];

export const createSettingFields: INodeProperties[] = [
	{
		displayName: 'File Access Fields (JSON)',
		name: 'fileAccessFields',
		type: 'string',
		typeOptions: { password: true },
		default: '',
		placeholder: 'e.g. {"oauth2": {"client_id": "…", "client_secret": "…"}}',
		description:
			'Only for workflows that fetch their files from protected URLs: the body fields that give the service access, as named by the service operator. They are sent with file URLs only, and stored encrypted.',
	},
	{
		displayName: 'Other Field Names',
		name: 'otherFieldNames',
		type: 'boolean',
		default: false,
		description:
			'Whether your deployment of the service names the fields of a create request in its own way',
	},
	...NAME_FIELDS.map(({ of, name, displayName }): INodeProperties => ({
		displayName,
		name,
		type: 'string',
		default: CREATE_FIELDS[of],
		description: `Name of this field in the request. By default ${CREATE_FIELDS[of]}.`,
		displayOptions: { show: { otherFieldNames: [true] } },
	})),
];

export function readCreateSettings(credentials: ICredentialDataDecryptedObject): CreateSettings {
	const names = credentials.otherFieldNames === true ? namesIn(credentials) : CREATE_FIELDS;
	const { fileAccessFields: given } = credentials;
	const read = readJsonObject(typeof given === 'string' ? given : '');
	return read.ok
		? { names, fileAccess: read.value }
		: { names, fileAccess: {}, fileAccessMistake: read.mistake };
}

function namesIn(credentials: ICredentialDataDecryptedObject): CreateFieldNames {
	const entries = NAME_FIELDS.map(({ of, name }) => {
		const given: unknown = credentials[name];
		return [
			of,
			typeof given === 'string' && given.trim() !== '' ? given.trim() : CREATE_FIELDS[of],
		] as const;
	});
	return { ...CREATE_FIELDS, ...Object.fromEntries(entries) };
}

/** The texts in the secret fields, which the service may quote. */
export function textsIn(value: Json): string[] {
	if (typeof value === 'string') return [value];
	return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
