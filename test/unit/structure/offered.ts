import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';

/** One setting of a form; `path` is where n8n keeps its value, such as `waiting.ifFailed` or `inputs.metadata.name`. */
export interface Setting {
	path: string;
	property: INodeProperties;
}

/** All settings of a form that a user can change, those within collections included. */
export function settingsIn(properties: INodeProperties[], prefix = ''): Setting[] {
	return properties.flatMap((property) => {
		const path = prefix + property.name;
		if (property.type === 'notice' || property.type === 'hidden') return [];
		if (property.type === 'collection')
			return settingsIn((property.options ?? []) as INodeProperties[], `${path}.`);
		if (property.type === 'fixedCollection')
			return ((property.options ?? []) as INodePropertyCollection[]).flatMap(({ name, values }) =>
				settingsIn(values, `${path}.${name}.`),
			);
		return [{ path, property }];
	});
}

/** A property and all properties within it. */
export function withInner(property: INodeProperties): INodeProperties[] {
	const inner = (property.options ?? []).flatMap((option): INodeProperties[] => {
		if ('values' in option) return option.values;
		return property.type === 'collection' ? [option as INodeProperties] : [];
	});
	return [property, ...inner.flatMap(withInner)];
}

/** The values that a form lists for a setting; none for a text or a number. */
export function listedValues({ type, options = [] }: INodeProperties): unknown[] {
	if (type === 'boolean') return [true, false];
	return type === 'options' ? (options as INodePropertyOptions[]).map(({ value }) => value) : [];
}

/** The form filled in with a value; a list on the way is entered at its first entry. */
export function withValue(form: object, path: string, value: unknown): Record<string, unknown> {
	const [name = '', ...rest] = path.split('.');
	const { [name]: inner, ...others } = form as Record<string, unknown>;
	if (rest.length === 0) return { ...others, [name]: value };
	const below = (given: unknown) => withValue(given ?? {}, rest.join('.'), value);
	return {
		...others,
		[name]: Array.isArray(inner) ? [below(inner[0]), ...inner.slice(1)] : below(inner),
	};
}

/** A value whose inner values report when they are read, by their path; lists are passed through. */
export function reporting(value: unknown, path: string, report: (path: string) => void): unknown {
	if (typeof value !== 'object' || value === null) return value;
	if (Array.isArray(value)) return value.map((entry) => reporting(entry, path, report));
	return new Proxy(value, {
		get: (target, name) => {
			const inner: unknown = Reflect.get(target, name);
			if (typeof name === 'symbol' || name === 'toJSON' || name === 'then') return inner;
			const innerPath = path === '' ? name : `${path}.${name}`;
			report(innerPath);
			return reporting(inner, innerPath, report);
		},
	});
}

/** What is offered and not read, and what is read and not offered. */
export function differences(
	offered: string[],
	read: Iterable<string>,
): { notRead: string[]; notOffered: string[] } {
	const asked = [...new Set(read)];
	const isAround = (outer: string, inner: string) => inner.startsWith(`${outer}.`);
	return {
		notRead: offered.filter((path) => !asked.includes(path)),
		notOffered: asked.filter(
			(path) =>
				!offered.some((each) => each === path || isAround(each, path) || isAround(path, each)),
		),
	};
}
