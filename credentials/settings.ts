import type { ICredentialDataDecryptedObject, INodeProperties } from 'n8n-workflow';

import { API_PREFIX, type Json, type JsonRecord } from '../service/contract';
import { type JsonMistake, readJsonObject } from '../service/userJson';
import { SECRET_NAME } from '../service/text';
import { isLoopback, type NoToken } from '../service/http';
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

const ENVIRONMENT_FIELDS = {
	production: { name: 'productionUrl', displayName: 'Base URL (Production)' },
	staging: { name: 'stagingUrl', displayName: 'Base URL (Staging)' },
} as const;

function baseUrlField(
	environment: keyof typeof ENVIRONMENT_FIELDS,
	service: string,
	example: string,
): INodeProperties {
	return {
		...ENVIRONMENT_FIELDS[environment],
		type: 'string',
		required: true,
		default: '',
		placeholder: `e.g. ${example}`,
		description: `URL of the ${service}, without /api/v1. There is no default, because your client secret is sent there.`,
		displayOptions: { show: { environment: [environment] } },
	};
}

export const connectionFields: INodeProperties[] = [
	{
		displayName: 'Environment',
		name: 'environment',
		type: 'options',
		options: [
			{ name: 'Production', value: 'production', description: 'The service for real documents' },
			{
				name: 'Staging',
				value: 'staging',
				description: 'The service for development and testing',
			},
		],
		default: 'production',
		description:
			'Which environment of the service to use. Each environment has its own client ID, secret and workflows.',
	},
	baseUrlField('production', 'service', 'https://api.example.com'),
	baseUrlField('staging', 'staging service', 'https://api-staging.example.com'),
	{
		displayName: 'Client ID',
		name: 'clientId',
		type: 'string',
		required: true,
		default: '',
		description: 'The API client identifier that the service operator gave you',
	},
	{
		displayName: 'Client Secret',
		name: 'clientSecret',
		type: 'string',
		typeOptions: { password: true },
		required: true,
		default: '',
		description: 'The secret that belongs to the Client ID',
	},
	{
		displayName: 'Execution Link',
		name: 'executionLink',
		type: 'string',
		default: '',
		placeholder: 'e.g. https://app.example.com/workflows/{workflowId}/executions/{executionId}',
		description:
			'Where people see an execution in the service. Items, errors and the log of n8n then have this link.',
	},
];

/** The link to an execution, as a field of items. */
export type LinkTo = (ids: { workflowId: string; executionId: string }) => {
	executionUrl?: string;
};

/** Without a pattern, or with one that cannot be used, there are no links. */
export function readExecutionLink(credentials: ICredentialDataDecryptedObject) {
	const pattern = trimmed(credentials.executionLink);
	const fault = pattern === '' ? undefined : faultOfLink(pattern);
	const linkTo: LinkTo = ({ workflowId, executionId }) => ({
		executionUrl: pattern
			.replaceAll('{workflowId}', encodeURIComponent(workflowId))
			.replaceAll('{executionId}', encodeURIComponent(executionId)),
	});
	return { linkTo: pattern === '' || fault !== undefined ? () => ({}) : linkTo, fault };
}

/** Everybody who sees an item sees the link. */
function faultOfLink(pattern: string): string | undefined {
	if (!/^https:\/\//i.test(pattern) || !URL.canParse(pattern))
		return "'Execution Link' must be a URL that begins with https://";
	if (!pattern.includes('{workflowId}') || !pattern.includes('{executionId}'))
		return "'Execution Link' must have {workflowId} and {executionId} in it";
	const { username, password, search, hash } = new URL(pattern);
	if (username + password === '' && !SECRET_NAME.test(search + hash)) return undefined;
	return "'Execution Link' has a user name, a password or a token in it. Everybody who sees an item would see it";
}

type ReadSettings = { ok: true; settings: TokenSettings } | { ok: false; refusal: NoToken };

/** The settings of the chosen environment, or why they cannot be used. */
export function readSettings(credentials: ICredentialDataDecryptedObject): ReadSettings {
	const field =
		ENVIRONMENT_FIELDS[credentials.environment === 'staging' ? 'staging' : 'production'];
	const url = trimmed(credentials[field.name]);
	const fault = faultOfBaseUrl(url);
	if (fault !== undefined) return refuse(`${field.displayName}: ${fault}`, 'Correct it');
	const clientId = trimmed(credentials.clientId);
	const clientSecret = trimmed(credentials.clientSecret);
	if (clientId === '') return refuse('Client ID is empty', 'Enter it');
	if (clientSecret === '') return refuse('Client Secret is empty', 'Enter it');
	return { ok: true, settings: { baseUrl: normalized(url), clientId, clientSecret } };
}

/**
 * Why an entered base URL cannot be used, if so. HTTPS is required (specification). Plain HTTP is accepted for a
 * loopback host only, for tests and the demo.
 */
function faultOfBaseUrl(text: string): string | undefined {
	if (text === '') return 'the URL is missing, e.g. https://api.example.com';
	if (!/^https?:\/\//i.test(text))
		return 'the URL must begin with https://, e.g. https://api.example.com';
	if (!URL.canParse(text)) return 'this is not a valid URL, e.g. https://api.example.com';
	const { username, password, protocol, hostname } = new URL(text);
	if (username !== '' || password !== '')
		return 'the URL contains a user name or password. Remove the part before the @ sign';
	if (protocol === 'http:' && !isLoopback(hostname))
		return 'plain http:// would send the client secret unencrypted. Use https:// (http:// works for this machine only, e.g. http://127.0.0.1)';
	return /[?#]/.test(text)
		? 'the URL contains a question mark or a # sign. Remove everything from there on'
		: undefined;
}

/** Origin and optional path, without trailing slashes and a pasted `/api/v1…`. */
function normalized(baseUrl: string): string {
	const { origin, pathname } = new URL(baseUrl);
	const pasted = `${pathname}/`.indexOf(`${API_PREFIX}/`);
	const path = pasted === -1 ? pathname : pathname.slice(0, pasted);
	return origin + path.replace(/(?<!\/)\/+$/, '');
}

function refuse(message: string, advice: string): ReadSettings {
	const where = 'in the Document Workflow API credential';
	return { ok: false, refusal: refusedSetting(message, `${advice} ${where}`) };
}

function trimmed(value: unknown): string {
	return typeof value === 'string' ? value.trim() : '';
}
