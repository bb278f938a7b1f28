import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import type { Refused } from './refusals';
import { missing, refuse } from './refusals';

/** What a name of a header consists of (RFC 9110, section 5.1). */
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;

/** What was entered into a field, without white space around it. */
export function textIn(
	credentials: ICredentialDataDecryptedObject,
	name: string,
	usual = '',
): string {
	const { [name]: given = usual } = credentials;
	return typeof given === 'string' ? given.trim() : '';
}

/** What was entered into those of the fields that are not empty. */
export function textsIn(credentials: ICredentialDataDecryptedObject, names: string[]): string[] {
	return names.map((name) => textIn(credentials, name)).filter((text) => text !== '');
}

/** Why a text cannot be the name of a header, if anything speaks against it. */
export function headerRefusal(name: string, field: string): Refused | undefined {
	if (name === '') return missing(field);
	return HEADER_NAME.test(name)
		? undefined
		: refuse(
				`'${field}' is not the name of a header`,
				'Enter the name alone, without colon and spaces, e.g. x-api-key',
			);
}
