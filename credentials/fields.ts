/** Text fields of the credential's form, and refusals of what was entered. */
import type { ICredentialDataDecryptedObject, INodeProperties } from 'n8n-workflow';

const CREDENTIAL = 'the Document Workflow API credential';

/** Why settings cannot be used, and what to do. Never holds what was entered into a secret field. */
export interface Refusal {
	ok: false;
	message: string;
	advice: string;
}

export function refuse(message: string, advice = `Correct it in ${CREDENTIAL}`): Refusal {
	return { ok: false, message, advice };
}

export function missing(field: string, otherwise = ''): Refusal {
	return refuse(`${field} is empty`, `Enter it in ${CREDENTIAL}${otherwise}`);
}

export function text(
	displayName: string,
	name: string,
	options: Partial<INodeProperties>,
): INodeProperties {
	return { displayName, name, type: 'string', default: '', ...options };
}

export function textIn(
	entered: ICredentialDataDecryptedObject,
	name: string,
	defaultValue = '',
): string {
	const { [name]: given = defaultValue } = entered;
	return typeof given === 'string' ? given.trim() : '';
}
