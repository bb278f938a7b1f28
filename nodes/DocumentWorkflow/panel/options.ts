import type { INodeProperties } from 'n8n-workflow';

/** The collection "Options" with its entries in alphabetical order, as n8n's guidelines ask. */
export function optionsField(entries: INodeProperties[]): INodeProperties {
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [...entries].sort((a, b) => a.displayName.localeCompare(b.displayName, 'en')),
	};
}
