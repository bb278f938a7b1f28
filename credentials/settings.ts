import type { ICredentialDataDecryptedObject, INodeProperties } from 'n8n-workflow';

import { API_PREFIX, type Json, type JsonRecord } from '../service/contract';
import type { Fault } from '../service/http';
import { isObject } from '../service/json';
import { readJsonObject } from '../service/userJson';
import { SECRET_NAME } from '../service/text';
import type { TokenSettings } from '../service/token';

const CREDENTIAL = 'the Document Workflow API credential';

/** Why settings cannot be used, and what to do. Never holds what was entered into a secret field. */
export interface InvalidSetting extends Fault {
	ok: false;
}

export function refuse(message: string, advice = `Correct it in ${CREDENTIAL}`): InvalidSetting {
	return { ok: false, message, advice };
}

export function missing(field: string, otherwise = ''): InvalidSetting {
	return refuse(`${field} is empty`, `Enter it in ${CREDENTIAL}${otherwise}`);
}

export function unknownChoice(field: string): InvalidSetting {
	return refuse(
		`The selected '${field}' is not supported by this version of the package`,
		`Select it again in ${CREDENTIAL}, or update the package`,
	);
}

export function text(
	displayName: string,
	name: string,
	options: Partial<INodeProperties>,
): INodeProperties {
	return { displayName, name, type: 'string', default: '', ...options };
}

export function textIn(entered: ICredentialDataDecryptedObject, name: string, defaultValue = '') {
	const { [name]: given = defaultValue } = entered;
	return typeof given === 'string' ? given.trim() : '';
}

/** Senders disagree on how a header carries other characters than the printable ones of ASCII, if at all. */
export const HEADER_VALUE = /^[\x20-\x7e]*$/;

/** The body fields that give the service access to protected file URLs. Only creates with file URLs need them. */
export interface FileAccess {
	fields: JsonRecord;
	/** Why they cannot be used. */
	mistake?: Fault;
}

export const fileAccessField = text('File Access Fields (JSON)', 'fileAccessFields', {
	typeOptions: { password: true },
	placeholder: 'e.g. {"oauth2": {"client_id": "…", "client_secret": "…"}}',
	description:
		'Only for protected file URLs: request fields that give the service access. Stored encrypted.',
});

export function readFileAccess(credentials: ICredentialDataDecryptedObject): FileAccess {
	const read = readJsonObject(textIn(credentials, 'fileAccessFields'));
	return read.ok ? { fields: read.value } : { fields: {}, mistake: read.mistake };
}

/** Short plain words, such as a scope named files, are not masked: messages would become unreadable. */
const PLAIN_WORD = /^[a-z]{1,11}$/i;

const SECRET_FIELD = new RegExp(`${SECRET_NAME.source}|pass|pwd|pin(?![a-z])`, 'i');

/** The secrets in the fields: texts except plain words, and whatever a name says is one; of numbers only their own name counts. */
export function secretsIn(value: Json, name = ''): string[] {
	if (typeof value === 'string')
		return PLAIN_WORD.test(value) && !SECRET_FIELD.test(name) ? [] : [value];
	if (!isObject(value)) return [];
	return Object.entries<Json>(value).flatMap(([inner, each]) => {
		if (typeof each === 'number') return SECRET_FIELD.test(inner) ? [String(each)] : [];
		return secretsIn(each, `${name} ${inner}`);
	});
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
	const { displayName, name } = ENVIRONMENT_FIELDS[environment];
	return text(displayName, name, {
		required: true,
		placeholder: `e.g. ${example}`,
		description: `URL of the ${service}, without /api/v1. There is no default, because your client secret is sent there.`,
		displayOptions: { show: { environment: [environment] } },
	});
}

export const connectionFields: INodeProperties[] = [
	{
		displayName: 'Environment',
		name: 'environment',
		type: 'options',
		options: [
			{ name: 'Production', value: 'production', description: 'The service for real documents' },
			{ name: 'Staging', value: 'staging', description: 'The service for development and tests' },
		],
		default: 'production',
		description:
			'Which environment of the service to use. Each environment has its own client ID, secret and workflows.',
	},
	baseUrlField('production', 'service', 'https://api.example.com'),
	baseUrlField('staging', 'staging service', 'https://api-staging.example.com'),
	text('Client ID', 'clientId', {
		required: true,
		description: 'The API client identifier that the service operator gave you',
	}),
	text('Client Secret', 'clientSecret', {
		typeOptions: { password: true },
		required: true,
		description: 'The secret that belongs to the Client ID',
	}),
	text('Execution Link', 'executionLink', {
		placeholder: 'e.g. https://app.example.com/workflows/{workflowId}/executions/{executionId}',
		description:
			'Where people see an execution in the service. Items, errors and the log of n8n then have this link.',
	}),
];

/** The pattern of the link to an execution; empty without one. */
export function readLink(credentials: ICredentialDataDecryptedObject) {
	const pattern = textIn(credentials, 'executionLink');
	const hasHost = /^https:\/\/[^/?#@{]+[/?#]/.test(pattern);
	const hasIds = ['{workflowId}', '{executionId}'].every((name) => pattern.includes(name));
	const hasSecret = SECRET_NAME.test(pattern.replace(/^[^?#]*/, ''));
	if (pattern === '' || (hasHost && hasIds && !hasSecret)) return { ok: true, pattern } as const;
	return refuse(
		'Execution Link must begin with https:// and contain {workflowId} and {executionId}, but no user name, password or token: everybody who sees an item sees the link',
	);
}

/** The settings of the chosen environment, or why they cannot be used. */
export function readSettings(
	credentials: ICredentialDataDecryptedObject,
): { ok: true; settings: TokenSettings } | InvalidSetting {
	const { environment = 'production' } = credentials;
	if (environment !== 'production' && environment !== 'staging')
		return unknownChoice('Environment');
	const field = ENVIRONMENT_FIELDS[environment];
	const url = textIn(credentials, field.name);
	const fault = faultOfBaseUrl(url);
	if (fault !== undefined) return refuse(`${field.displayName}: ${fault}`);
	const clientId = textIn(credentials, 'clientId');
	const clientSecret = textIn(credentials, 'clientSecret');
	if (clientId === '') return missing('Client ID');
	if (clientSecret === '') return missing('Client Secret');
	return { ok: true, settings: { baseUrl: normalized(url), clientId, clientSecret } };
}

/** HTTPS is required (specification), but for a loopback host: tests and the demo use plain HTTP. */
function faultOfBaseUrl(url: string): string | undefined {
	if (!/^https?:\/\//i.test(url) || !URL.canParse(url))
		return 'enter a complete URL that begins with https://, e.g. https://api.example.com';
	const { username, password } = new URL(url);
	if (username + password !== '')
		return 'the URL contains a user name or password. Remove the part before the @ sign';
	if (!isSafe(new URL(url)))
		return 'plain http:// would send the client secret unencrypted. Use https:// (http:// works for this machine only, e.g. http://127.0.0.1)';
	return /[?#]/.test(url)
		? 'the URL contains a question mark or a # sign. Remove everything from there on'
		: undefined;
}

/** Origin and optional path, without trailing slashes and a pasted `/api/v1…`. */
function normalized(baseUrl: string): string {
	const { origin, pathname } = new URL(baseUrl);
	const [path = ''] = `${pathname}/`.split(`${API_PREFIX}/`, 1);
	return origin + path.replace(/(?<!\/)\/+$/, '');
}

const LOOPBACK = /^(?:localhost|\[::1\]|127(?:\.\d{1,3}){3})$/;

/** Whether nobody in between can read what is sent: HTTPS, or plain HTTP to this machine. */
export function isSafe({ protocol, hostname }: URL): boolean {
	return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname));
}
