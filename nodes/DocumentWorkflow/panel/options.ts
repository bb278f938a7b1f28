import type { IExecuteFunctions, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { excerptOf, plainText, withoutTags } from '../../../service/text';

/** The input item whose parameters are read. */
export interface Place {
	context: IExecuteFunctions;
	itemIndex: number;
}

export function errorAt({ context, itemIndex }: Place, message: string, description: string) {
	const error = new NodeOperationError(context.getNode(), message, { itemIndex, description });
	// n8n replaces a message with a code such as ECONNRESET by its own, which advises to send the request again.
	error.message = message;
	return error;
}

export type NodeError = NodeApiError | NodeOperationError;

/** Turns anything thrown while an item was processed into an error of the node. */
export function asNodeError(
	place: Pick<Place, 'itemIndex'> & { context: Pick<IExecuteFunctions, 'getNode'> },
	thrown: unknown,
): NodeError {
	if (thrown instanceof NodeApiError || thrown instanceof NodeOperationError) return thrown;
	const cause = thrown instanceof Error ? thrown : String(thrown);
	return new NodeOperationError(place.context.getNode(), cause, { itemIndex: place.itemIndex });
}

/** What people see of an error. No name and no answer in it becomes markup. */
export function shownOf({ message, description }: NodeError) {
	return { message: withoutTags(message), description: withoutTags(description ?? '') };
}

/** Reads a parameter of the panel by its name; returns `fallback` where it is not set. */
export type ReadParameter = (name: string, fallback: unknown) => unknown;

export function parametersOf({ context, itemIndex }: Place): ReadParameter {
	return (name, fallback) => context.getNodeParameter(name, itemIndex, fallback);
}

/** An entry of a collection, with its reader. Its value is null when the user has not added it. */
export interface Option<T> {
	field: INodeProperties;
	/** Throws an error when the value cannot be used. */
	read: (value: unknown) => T;
}

type NewField = Omit<INodeProperties, 'type' | 'default'>;

export type ChoiceField<T> = Omit<INodeProperties, 'options'> & {
	options: INodePropertyOptions[];
	default: T;
};

/** A list of choices. `unset` counts where the user has not added it. */
export function choiceOption<T extends string>(
	field: ChoiceField<T>,
	unset: T = field.default,
): Option<T> {
	const offered = field.options.map(({ value }) => value);
	return { field, read: (value) => checkChoice(value ?? unset, field.displayName, offered) as T };
}

/** A switch, off until the user adds it: n8n then sets its default, on. One always shown needs `default: false`. */
export function switchOption(field: NewField & { default?: boolean }): Option<boolean> {
	return {
		field: { type: 'boolean', default: true, ...field },
		read: (value) => checkChoice(value ?? false, field.displayName, [true, false]) === true,
	};
}

/** Names, separated by commas. */
export function namesOption(field: NewField): Option<string[]> {
	return {
		field: { type: 'string', default: '', ...field },
		read: (value) => readNames(value, field.displayName),
	};
}

/** A number; with `unit` one of milliseconds, entered in that unit. */
export function numberOption(field: INodeProperties, unit = 1): Option<number> {
	return { field, read: (value) => readNumberField(value, field) * unit };
}

type Options = Record<string, Option<unknown>>;

export type ValuesOf<T extends Options> = { [Name in keyof T]: ReturnType<T[Name]['read']> };

/** Reads options, of the collection `group` where there is one, and throws when a value cannot be used. */
export function readOptions<T extends Options>(read: ReadParameter, options: T, group?: string) {
	const values = Object.entries(options).map(([name, { field, read: readValue }]) => {
		const path = group === undefined ? field.name : `${group}.${field.name}`;
		return [name, readValue(read(path, null))];
	});
	return Object.fromEntries(values) as ValuesOf<T>;
}

export function fieldsOf(options: Options): INodeProperties[] {
	return Object.values(options).map(({ field }) => field);
}

/** A collection; the user adds the entries that are needed. n8n's guidelines ask for alphabetical order. */
export function collectionField(
	displayName: string,
	name: string,
	entries: INodeProperties[],
): INodeProperties {
	return {
		displayName,
		name,
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [...entries].sort((a, b) => a.displayName.localeCompare(b.displayName, 'en')),
	};
}

/** @throws Error naming the field when the panel does not offer the value: as the default it would count silently */
export function checkChoice(value: unknown, field: string, offered: readonly unknown[]): unknown {
	if (offered.includes(value)) return value;
	throw new Error(
		`'${field}' is ${showValue(value)}, but must be one of these: ${offered.join(', ')}. Correct its expression, or choose a value`,
	);
}

/** Characters of a value that an error shows. */
const MAX_SHOWN = 40;

/**
 * Reads comma-separated names, or a list of them from an expression, each once.
 * @throws Error naming the field when it holds anything but texts and numbers: as an empty list it would mean everything
 */
export function readNames(given: unknown, field: string): string[] {
	const entries: unknown[] = [given ?? []].flat();
	const names = entries.flatMap((entry) => {
		if (typeof entry === 'string' || typeof entry === 'number') return String(entry).split(',');
		throw new Error(
			`'${field}' must be names separated by commas, but contains ${excerptOf(entry, [], MAX_SHOWN)}`,
		);
	});
	return [...new Set(names.map((name) => name.trim()).filter(Boolean))];
}

/**
 * Reads a number, or numeric text from an expression; the field's default where there is no value.
 * @throws Error when it is out of the bounds of the field, which the panel enforces for entered numbers only
 */
export function readNumberField(value: unknown, field: INodeProperties): number {
	const { displayName, typeOptions: { minValue = -Infinity, maxValue = Infinity } = {} } = field;
	const given = value ?? field.default;
	const number = typeof given === 'string' && given.trim() !== '' ? Number(given) : given;
	if (typeof number === 'number' && number >= minValue && number <= maxValue) return number;
	throw new Error(
		`'${displayName}' must be a number from ${minValue} to ${maxValue}, but is ${showValue(given)}. Correct it, or remove the option`,
	);
}

function showValue(value: unknown): string {
	if (typeof value === 'number') return String(value);
	return typeof value === 'string'
		? `"${plainText(value, [], MAX_SHOWN)}"`
		: excerptOf(value, [], MAX_SHOWN);
}
