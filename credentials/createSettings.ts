import type { ICredentialDataDecryptedObject, INodeProperties } from 'n8n-workflow';

import type { CreateFieldNames, Json, JsonRecord } from '../service/contract';
import { CREATE_FIELDS, isRecord } from '../service/contract';
import type { NoToken } from '../service/http';
import { refusedSetting } from '../service/tokenWords';

/** What a deployment of the service needs in a create request in addition to the published contract. */
export interface CreateSettings {
	names: CreateFieldNames;
	/** The field with the identifier in the answer to a create; empty where it has a usual name. */
	executionIdField: string;
	/** Body fields that give the service access to file URLs, such as the client settings of a protected file store. */
	fileAccess: JsonRecord;
}

const ADVICE = 'Correct it in the Document Workflow API credential';

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
	{
		displayName: 'Field for Execution ID',
		name: 'executionIdField',
		type: 'string',
		default: '',
		placeholder: 'e.g. job_number',
		description:
			'Name of the field that holds the ID of the new execution in the answer. Leave empty for the usual names, such as workflow_execution_id, execution_id or id.',
		displayOptions: { show: { otherFieldNames: [true] } },
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

export type ReadCreateSettings =
	{ ok: true; settings: CreateSettings } | { ok: false; refusal: NoToken };

/** The settings for create requests, or why they cannot be used. A refusal never shows the secret fields. */
export function readCreateSettings(
	credentials: ICredentialDataDecryptedObject,
): ReadCreateSettings {
	const names = credentials.otherFieldNames === true ? namesIn(credentials) : CREATE_FIELDS;
	const given = Object.values<string>({ ...names });
	if (new Set(given).size < given.length)
		return refuse('Two of the field names in the credential are the same');
	const fileAccess = readFileAccess(credentials.fileAccessFields);
	if (fileAccess === undefined)
		return refuse("'File Access Fields (JSON)' in the credential is not a JSON object");
	const clash = given.find((name) => name in fileAccess);
	if (clash !== undefined)
		return refuse(
			`'File Access Fields (JSON)' in the credential holds '${clash}', which the node sends itself`,
		);
	const idField = credentials.otherFieldNames === true ? credentials.executionIdField : undefined;
	const executionIdField = typeof idField === 'string' ? idField.trim() : '';
	return { ok: true, settings: { names, executionIdField, fileAccess } };
}

function refuse(message: string): ReadCreateSettings {
	return { ok: false, refusal: refusedSetting(message, ADVICE) };
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

/** Undefined for anything but a JSON object. Gives no reason, because the message of JSON.parse would quote the secret. */
function readFileAccess(text: unknown): JsonRecord | undefined {
	if (typeof text !== 'string' || text.trim() === '') return {};
	try {
		const value: unknown = JSON.parse(text);
		return isRecord(value) ? value : undefined;
	} catch {
		return undefined;
	}
}
