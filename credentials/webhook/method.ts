import type { ICredentialDataDecryptedObject, INodeProperties } from 'n8n-workflow';

import type { WebhookCall } from './call';

/** One way of authenticating the calls of the trigger: its part of the credential's form, and the check of a call. */
export interface AuthenticationMethod {
	/** Its entry in the list "Authentication". */
	option: { name: string; value: string; description: string };
	/** Its fields, shown while it is chosen. Each name must be unique in the whole credential. */
	fields: INodeProperties[];
	/** Reads the entered settings. A missing or invalid setting is refused; it never weakens the check. */
	read: (entered: ICredentialDataDecryptedObject) => Authentication | Refusal;
}

/** The settings of a method, ready to check calls. */
export interface Authentication {
	ok: true;
	/** Ends the sentence "Each call must carry …". Absent where calls are not checked. */
	required?: string;
	/** A risk of these settings, shown when the credential is saved. */
	warning?: string;
	/** May throw: a call that cannot be checked is not authentic. */
	isAuthentic: (call: WebhookCall) => boolean;
}

/** Why settings cannot be used, and what to do. Never holds what was entered into a secret field. */
export interface Refusal {
	ok: false;
	message: string;
	advice: string;
}

const CREDENTIAL = 'the Document Workflow Webhook API credential';

export function refuse(message: string, advice = `Correct it in ${CREDENTIAL}`): Refusal {
	return { ok: false, message, advice };
}

export function missing(field: string): Refusal {
	return refuse(
		`'${field}' is empty`,
		`Enter it in ${CREDENTIAL}. Until then, all calls are rejected`,
	);
}

export function unknownChoice(field: string): Refusal {
	return refuse(
		`The selected '${field}' is not supported by this version of the package`,
		'Select it again in the credential, or update the package',
	);
}
