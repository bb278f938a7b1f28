import type { IExecuteFunctions, INode } from 'n8n-workflow';

export const node: INode = {
	id: '1',
	name: 'Document Workflow',
	type: 't',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

type Parts = Omit<Partial<IExecuteFunctions>, 'helpers' | 'getNodeParameter'> & {
	helpers?: Partial<IExecuteFunctions['helpers']>;
	/** By name, for all items; `options.x` for an entry of a collection. */
	parameters?: Record<string, unknown>;
};

/** Of n8n only what a test of one room needs; all of it runs in the engine tests. */
export function contextOf({
	helpers = {},
	parameters = {},
	...parts
}: Parts = {}): IExecuteFunctions {
	const getNodeParameter = (name: string, _itemIndex: number, fallback?: unknown): unknown => {
		const value = parameters[name] === undefined ? fallback : parameters[name];
		// As n8n does.
		if (value === undefined) throw new Error('Could not get parameter');
		return value;
	};
	const context: Partial<IExecuteFunctions> = {
		getNode: () => node,
		getExecutionCancelSignal: () => undefined,
		getNodeParameter: getNodeParameter as IExecuteFunctions['getNodeParameter'],
		helpers: helpers as IExecuteFunctions['helpers'],
		...parts,
	};
	return context as IExecuteFunctions;
}

/** An error of the node with these words, for `toThrow` and `toEqual`. */
export function errorWith({
	itemIndex,
	...words
}: {
	message: unknown;
	description?: unknown;
	itemIndex?: number;
}): Error {
	const place = itemIndex === undefined ? {} : { context: expect.objectContaining({ itemIndex }) };
	const error: Error = expect.objectContaining({ ...words, ...place });
	return error;
}
