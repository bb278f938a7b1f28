import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

/** The input item whose parameters are read. */
export interface Place {
	context: IExecuteFunctions;
	itemIndex: number;
}

/** An error about an item: what is wrong, and what to do. */
export function errorAt(
	{ context, itemIndex }: Place,
	message: string,
	description: string,
): NodeOperationError {
	const error = new NodeOperationError(context.getNode(), message, { itemIndex, description });
	// n8n replaces a message with a code such as ECONNRESET by its own, which advises to send the request again.
	error.message = message;
	return error;
}

/** Reads a parameter of the panel by its name; returns `fallback` where it is not set. */
export type ReadParameter = (name: string, fallback: unknown) => unknown;

/** Reads the parameters of the action node for one input item. */
export function parametersOf(context: IExecuteFunctions, itemIndex: number): ReadParameter {
	return (name, fallback) => context.getNodeParameter(name, itemIndex, fallback);
}

/** An entry of a collection, with its reader. Its value is null when the user has not added it. */
export interface Option<T> {
	field: INodeProperties;
	read: (value: unknown, place: Place) => T;
}

type Options = Record<string, Option<unknown>>;

export type ValuesOf<T extends Options> = {
	[Name in keyof T]: T[Name] extends Option<infer Value> ? Value : never;
};

/**
 * Reads entries of the collection `group`, or fields that are in none.
 * @throws NodeOperationError when a value cannot be used
 */
export function readOptions<T extends Options>(
	place: Place,
	group: string | undefined,
	options: T,
): ValuesOf<T> {
	const { context, itemIndex } = place;
	const prefix = group === undefined ? '' : `${group}.`;
	const values = Object.entries(options).map(([name, { field, read }]) => [
		name,
		read(context.getNodeParameter(`${prefix}${field.name}`, itemIndex, null), place),
	]);
	return Object.fromEntries(values) as ValuesOf<T>;
}

export function fieldsOf(options: Options): INodeProperties[] {
	return Object.values(options).map(({ field }) => field);
}

/** From so many entries on, n8n's guidelines ask for alphabetical order. */
const SORTED_FROM = 5;

/** A collection; the user adds the entries that are needed. */
export function collectionField(
	displayName: string,
	name: string,
	entries: INodeProperties[],
): INodeProperties {
	const options =
		entries.length < SORTED_FROM
			? entries
			: [...entries].sort((a, b) => a.displayName.localeCompare(b.displayName, 'en'));
	return {
		displayName,
		name,
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options,
	};
}

/** The value if it is one of `known`, otherwise the default. */
export function oneOf<T extends string>(value: unknown, known: readonly T[], defaultValue: T): T {
	return known.find((one) => one === value) ?? defaultValue;
}
