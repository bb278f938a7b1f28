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

/** In characters: 16 random letters and digits have 95 bits, so nobody finds them by trying (assumed). */
const SHORTEST_KEY = 16;

type ReadKeys = { ok: true; keys: string[] } | Refusal;

/** The keys in the fields of `keyFields` that are not empty, without white space around them. */
export function readKeyFields(
	entered: ICredentialDataDecryptedObject,
	[displayName, name]: [displayName: string, name: string],
	shortest = SHORTEST_KEY,
): ReadKeys {
	const given = [
		{ field: displayName, key: textIn(entered, name) },
		{ field: `Second ${displayName}`, key: textIn(entered, secondOf(name)) },
	].filter(({ key }) => key !== '');
	if (given.length === 0) return missing(displayName);
	const short = given.find(({ key }) => key.length < shortest);
	return short === undefined
		? { ok: true, keys: given.map(({ key }) => key) }
		: refuse(
				`'${short.field}' has fewer than ${shortest} characters, so others could guess it and start your n8n workflow`,
				'Agree with the service operator on a longer one, such as 32 random letters and digits',
			);
}

/** Why a text cannot be the name of a header, if so. */
export function headerRefusal(name: string, field: string): Refusal | undefined {
	if (name === '') return missing(field);
	return HEADER_NAME.test(name)
		? undefined
		: refuse(
				`'${field}' is not a valid header name`,
				'Enter only the name, without colon and spaces, e.g. x-api-key',
			);
}
