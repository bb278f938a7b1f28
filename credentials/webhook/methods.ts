import type { ICredentialDataDecryptedObject, INodeProperties } from 'n8n-workflow';

import { tryTo } from '../../service/tryTo';
import { apiKey } from './apiKey';
import { jwt } from './jwt';
import { type InvalidSetting, refuse, unknownChoice } from '../settings';
import type { Authentication, AuthenticationMethod } from './method';

const FIELD = { displayName: 'Trigger Authentication', name: 'triggerAuthentication' } as const;

const notUsed: AuthenticationMethod = {
	option: {
		name: 'Not Used',
		value: 'notUsed',
		description: 'No Document Workflow Trigger uses this credential',
	},

	fields: [],

	read: () =>
		refuse(
			`'${FIELD.displayName}' is set to Not Used`,
			'In the Document Workflow API credential, choose how the service authenticates its calls',
		),
};

const NOTICE =
	'Calls are not authenticated: anyone who knows the URL of the trigger and the IDs of an execution can start your n8n workflow with its data. Ask the service operator for another method.';

const none: AuthenticationMethod = {
	option: {
		name: 'None (Not Recommended)',
		value: 'none',
		description: 'Anyone who knows the URL of the trigger can call it',
	},

	fields: [{ displayName: NOTICE, name: 'noneNotice', type: 'notice', default: '' }],

	read: () => ({ ok: true, isAuthentic: () => true }),
};

export const METHODS: AuthenticationMethod[] = [notUsed, apiKey, jwt, none];

export const callFields: INodeProperties[] = [
	{
		...FIELD,
		type: 'options',
		options: METHODS.map(({ option }) => option),
		default: notUsed.option.value,
		description:
			'Only for the Document Workflow Trigger: how calls from the service are authenticated. Agree on it with the service operator.',
	},
	...METHODS.flatMap(({ option, fields }) =>
		fields.map((field) => ({
			...field,
			displayOptions: { show: { [FIELD.name]: [option.value], ...field.displayOptions?.show } },
		})),
	),
];

export function isForTrigger(entered: ICredentialDataDecryptedObject): boolean {
	return chosenIn(entered) !== notUsed.option.value;
}

/** The check that a credential asks for, or why its settings cannot be used. The check itself never throws. */
export function readAuthentication(
	entered: ICredentialDataDecryptedObject,
): Authentication | InvalidSetting {
	const isNoText = (name: string) => !['string', 'undefined'].includes(typeof entered[name]);
	const odd = callFields.find(({ name, type }) => type === 'string' && isNoText(name));
	if (odd !== undefined) return refuse(`'${odd.displayName}' is not a text`);
	const chosen = chosenIn(entered);
	const read = METHODS.find(({ option }) => option.value === chosen)?.read(entered);
	if (read === undefined) return unknownChoice(FIELD.displayName);
	if (!read.ok) return read;
	return { ...read, isAuthentic: (call) => tryTo(() => read.isAuthentic(call)) ?? false };
}

function chosenIn({ [FIELD.name]: chosen = notUsed.option.value }: ICredentialDataDecryptedObject) {
	return chosen;
}
