import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

/** Reads a parameter of the panel by its name; returns `fallback` where it is not set. */
export type ReadParameter = (name: string, fallback: unknown) => unknown;

/** Reads the parameters of the action node for one input item. */
export function parametersOf(context: IExecuteFunctions, itemIndex: number): ReadParameter {
	return (name, fallback) => context.getNodeParameter(name, itemIndex, fallback);
}

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
