import { HEADER_VALUE, missing, refuse, text, textIn } from '../settings';
import type { AuthenticationMethod, KeyField } from './method';
import { headerOf, isSame, keyFields, readKeyFields, someMatch, whyTooShort } from './method';

/** Published as an example of the service. */
const DEFAULT_HEADER = 'x-api-key';

/** RFC 9110, section 5.1. */
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;

const KEY: KeyField = ['Key', 'apiKey'];

/** In characters: 16 random letters and digits have 95 bits, so nobody finds them by trying (assumed). */
const SHORTEST_KEY = 16;

export const apiKey: AuthenticationMethod = {
	option: { name: 'API Key', value: 'apiKey', description: 'Each call carries a key in a header' },

	fields: [
		text('Header Name', 'headerName', {
			default: DEFAULT_HEADER,
			placeholder: `e.g. ${DEFAULT_HEADER}`,
			description: 'The header in which the service sends the key. Not case-sensitive.',
		}),
		...keyFields(KEY, {
			typeOptions: { password: true },
			description: 'The key that you agreed on with the service operator. At least 16 characters.',
		}),
	],

	read(entered) {
		const header = textIn(entered, 'headerName', DEFAULT_HEADER);
		if (header === '') return missing("'Header Name'");
		if (!HEADER_NAME.test(header))
			return refuse(
				"'Header Name' is not a valid header name",
				'Enter only the name, without colon and spaces, e.g. x-api-key',
			);
		const read = readKeyFields(entered, KEY, readKey);
		if (!read.ok) return read;
		return {
			ok: true,
			required: `the right key in the header ${header.toLowerCase()}`,
			isAuthentic: (call) => someMatch(read.keys, (key) => isSame(headerOf(call, header), key)),
		};
	},
};

function readKey(key: string, field: string) {
	if (HEADER_VALUE.test(key))
		return whyTooShort(key, field, SHORTEST_KEY) ?? ({ ok: true, key } as const);
	return refuse(
		`'${field}' has a character that a header cannot carry`,
		'Agree with the service operator on a key of letters without accents, digits and signs such as - and _',
	);
}
