import {
	headerOf,
	headerRefusal,
	isSame,
	keyFields,
	readKeyFields,
	someMatch,
	text,
	textIn,
} from './method';
import type { AuthenticationMethod } from './method';

/** Published as an example of the service. */
const DEFAULT_HEADER = 'x-api-key';

export const apiKey: AuthenticationMethod = {
	option: { name: 'API Key', value: 'apiKey', description: 'Each call carries a key in a header' },

	fields: [
		text('Header Name', 'headerName', {
			default: DEFAULT_HEADER,
			placeholder: `e.g. ${DEFAULT_HEADER}`,
			description: 'The header in which the service sends the key. Not case-sensitive.',
		}),
		...keyFields('Key', 'apiKey', {
			typeOptions: { password: true },
			description: 'The key that you agreed on with the service operator. At least 16 characters.',
		}),
	],

	read(entered) {
		const header = textIn(entered, 'headerName', DEFAULT_HEADER);
		const read = readKeyFields(entered, ['Key', 'apiKey']);
		if (!read.ok) return read;
		const refusal = headerRefusal(header, 'Header Name');
		if (refusal !== undefined) return refusal;
		return {
			ok: true,
			required: `the right key in the header ${header.toLowerCase()}`,
			isAuthentic: (call) => {
				const given = headerOf(call, header);
				return someMatch(read.keys, (key) => isSame(given, key));
			},
		};
	},
};
