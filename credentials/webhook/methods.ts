import type { ICredentialDataDecryptedObject, INodeProperties } from 'n8n-workflow';

import { apiKey } from './apiKey';
import { hmac } from './hmac';
import { jwt } from './jwt';
import type { Authentication, AuthenticationMethod, Refusal } from './method';
import { refuse, unknownChoice } from './method';

const WARNING =
	'Calls are not authenticated: anyone who knows the URL of the trigger can start your n8n workflow with made-up data. Ask the service operator for another method';

const none: AuthenticationMethod = {
	option: {
		name: 'None (Not Recommended)',
		value: 'none',
		description: 'Anyone who knows the URL of the trigger can call it',
	},

	fields: [{ displayName: `${WARNING}.`, name: 'noneNotice', type: 'notice', default: '' }],

	read: () => ({ ok: true, warning: WARNING, isAuthentic: () => true }),
};

/** All methods, sorted by their names in the list. */
export const METHODS: AuthenticationMethod[] = [apiKey, jwt, none, hmac];

const DEFAULT_METHOD = apiKey.option.value;

export const webhookFields: INodeProperties[] = [
	{
		displayName: 'Authentication',
		name: 'authentication',
		type: 'options',
		options: METHODS.map(({ option }) => option),
		default: DEFAULT_METHOD,
		description:
			'How calls from the service are authenticated. Agree on it with the service operator.',
	},
	...METHODS.flatMap(({ option, fields }) =>
		fields.map((field) => ({
			...field,
			displayOptions: { show: { authentication: [option.value], ...field.displayOptions?.show } },
		})),
	),
];

/** The check that a credential asks for, or why its settings cannot be used. The check itself never throws. */
export function readAuthentication(
	entered: ICredentialDataDecryptedObject,
): Authentication | Refusal {
	const odd = webhookFields.find(
		({ name, type }) =>
			type === 'string' && !['string', 'undefined'].includes(typeof entered[name]),
	);
	if (odd !== undefined) return refuse(`'${odd.displayName}' is not a text`);
	const { authentication: chosen = DEFAULT_METHOD } = entered;
	const read = METHODS.find(({ option }) => option.value === chosen)?.read(entered);
	if (read === undefined) return unknownChoice('Authentication');
	return read.ok ? { ...read, isAuthentic: withoutThrowing(read.isAuthentic) } : read;
}

function withoutThrowing(isAuthentic: Authentication['isAuthentic']): typeof isAuthentic {
	return (call) => {
		try {
			return isAuthentic(call);
		} catch {
			return false;
		}
	};
}
