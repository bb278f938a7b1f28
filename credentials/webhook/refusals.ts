/** Why the settings of the webhook credential cannot be used, and what to do. Never holds what was entered into a secret field. */
export interface Refused {
	ok: false;
	message: string;
	advice: string;
}

const CREDENTIAL = 'the Document Workflow Webhook API credential';

export function refuse(message: string, advice = `Correct it in ${CREDENTIAL}`): Refused {
	return { ok: false, message, advice };
}

export function missing(field: string): Refused {
	return refuse(
		`'${field}' is empty`,
		`Enter it in ${CREDENTIAL}. Until then every call is refused`,
	);
}

export function unknownChoice(field: string): Refused {
	return refuse(
		`The chosen '${field}' is not known to this version of the package`,
		'Choose it again in the credential, or update the package',
	);
}
