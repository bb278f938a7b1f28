import type { IExecuteFunctions, INodeProperties, INodePropertyCollection } from 'n8n-workflow';

import type { Place } from './place';

/** Reads a parameter of the panel by its name; returns `fallback` where it is not set. */
export type ReadParameter = (name: string, fallback: unknown) => unknown;

/** Reads the parameters of the action node for one input item. */
export function parametersOf(context: IExecuteFunctions, itemIndex: number): ReadParameter {
	return (name, fallback) => context.getNodeParameter(name, itemIndex, fallback);
}

/** An entry of the collection "Options", with its reader. Its value is null when the user has not added it. */
export interface Option<T> {
	field: INodeProperties;
	read: (value: unknown, place: Place) => T;
}

type Options = Record<string, Option<unknown>>;

export type ValuesOf<T extends Options> = {
	[Name in keyof T]: T[Name] extends Option<infer Value> ? Value : never;
};

/** @throws NodeOperationError when a value cannot be used */
export function readOptions<T extends Options>(place: Place, options: T): ValuesOf<T> {
	const { context, itemIndex } = place;
	const values = Object.entries(options).map(([name, { field, read }]) => [
		name,
		read(context.getNodeParameter(`options.${field.name}`, itemIndex, null), place),
	]);
	return Object.fromEntries(values) as ValuesOf<T>;
}

export function fieldsOf(options: Options): INodeProperties[] {
	return Object.values(options).map(({ field }) => field);
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

/** An entry of a fixed collection of names with their values. */
export function pairsEntry(
	displayName: string,
	description: string,
	[name, value]: [name: string, value: string],
): INodePropertyCollection {
	return {
		displayName,
		name: 'pairs',
		values: [
			{
				displayName: 'Name',
				name: 'name',
				type: 'string',
				default: '',
				placeholder: name,
				description,
			},
			{ displayName: 'Value', name: 'value', type: 'string', default: '', placeholder: value },
		],
	};
}

/** The value if it is one of `known`, otherwise the default. */
export function oneOf<T extends string>(value: unknown, known: readonly T[], defaultValue: T): T {
	return known.find((one) => one === value) ?? defaultValue;
}
