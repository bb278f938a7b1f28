import type {
	ICredentialDataDecryptedObject,
	IDisplayOptions,
	INodeProperties,
} from 'n8n-workflow';

import { headerRefusal, textIn, textsIn } from './entries';
import { pair, text } from './form';
import type { Refused } from './refusals';
import { missing, refuse } from './refusals';

export interface ApiKeySettings {
	method: 'apiKey';
	/** In small letters. */
	header: string;
	keys: string[];
}

/** Header of the API key as long as no other is entered (published example). */
const DEFAULT_HEADER = 'x-api-key';

/** What a header carries unchanged, whoever sends it. */
const PRINTABLE = /^[\x20-\x7e]+$/;

const forApiKey: IDisplayOptions = { show: { authentication: ['apiKey'] } };

/** What is asked for where the service sends a key. */
export const apiKeyFields: INodeProperties[] = [
	{
		...text('Header Name', 'headerName', {
			placeholder: `e.g. ${DEFAULT_HEADER}`,
			description:
				'The header in which the service sends the key. Capital and small letters are the same.',
			displayOptions: forApiKey,
		}),
		default: DEFAULT_HEADER,
	},
	...pair('Key', 'apiKey', 'secondApiKey', {
		typeOptions: { password: true },
		description: 'The key that you agreed on with the service operator',
		displayOptions: forApiKey,
	}),
];

export function readApiKey(
	credentials: ICredentialDataDecryptedObject,
): { ok: true; settings: ApiKeySettings } | Refused {
	const header = textIn(credentials, 'headerName', DEFAULT_HEADER).toLowerCase();
	const keys = textsIn(credentials, ['apiKey', 'secondApiKey']);
	if (keys.length === 0) return missing('Key');
	if (!keys.every((key) => PRINTABLE.test(key))) {
		return refuse(
			"'Key' or 'Second Key' holds a character that a header does not carry, such as a line break or a letter with an accent",
			'Enter the key again, or agree with the service operator on one of plain letters, digits and punctuation',
		);
	}
	return (
		headerRefusal(header, 'Header Name') ?? {
			ok: true,
			settings: { method: 'apiKey', header, keys },
		}
	);
}
