import type { INodeProperties } from 'n8n-workflow';

/** The collection "Options" of an operation, its entries in alphabetical order. */
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
