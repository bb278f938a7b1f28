import type { ICredentialDataDecryptedObject, INodeProperties } from 'n8n-workflow';

import type { Refusal } from './method';
import { missing, refuse } from './method';

/** A name of a header (RFC 9110, section 5.1). */
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;

/** A text field. */
export function text(
	displayName: string,
	name: string,
	options: Partial<INodeProperties>,
): INodeProperties {
	return { displayName, name, type: 'string', default: '', ...options };
}

/** A field for a key, secret or password, and a second one for its rotation. What is not secret, such as a user name, has one field. */
export function keyFields(
	displayName: string,
	name: string,
	options: Partial<INodeProperties>,
): INodeProperties[] {
	return [
		text(displayName, name, { ...options, required: true }),
		text(`Second ${displayName}`, secondOf(name), {
			...options,
			description:
				'For key rotation: calls with either of the two are accepted. Remove the old one afterwards.',
		}),
	];
}

function secondOf(name: string): string {
	return `second${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** The text in a field, without white space around it. */
export function textIn(
	entered: ICredentialDataDecryptedObject,
	name: string,
	defaultValue = '',
): string {
	const { [name]: given = defaultValue } = entered;
	return typeof given === 'string' ? given.trim() : '';
}

/** The keys in the fields of `keyFields` that are not empty, without white space around them. */
export function keysIn(entered: ICredentialDataDecryptedObject, name: string): string[] {
	return [textIn(entered, name), textIn(entered, secondOf(name))].filter((key) => key !== '');
}

/** Why a text cannot be the name of a header, if so. */
export function headerRefusal(name: string, field: string): Refusal | undefined {
	if (name === '') return missing(field);
	return HEADER_NAME.test(name)
		? undefined
		: refuse(
				`'${field}' is not the name of a header`,
				'Enter the name alone, without colon and spaces, e.g. x-api-key',
			);
}
