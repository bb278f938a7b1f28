import type { INodeProperties } from 'n8n-workflow';

import { create } from './create.operation';
import { createAndWait } from './createAndWait.operation';
import { get } from './get.operation';
import type { Operation } from './operation';
import { wait } from './wait.operation';

/** In the order of n8n's lists: the most used first. */
const ALL: Operation[] = [createAndWait, create, get, wait];

/** By their values in the panel. */
export const OPERATIONS: ReadonlyMap<unknown, Operation> = new Map(
	ALL.map((operation) => [operation.option.value, operation]),
);

export const operationField: INodeProperties = {
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	noDataExpression: true,
	options: ALL.map(({ option }) => option),
	default: 'createAndWait',
};

export const operationFields: INodeProperties[] = ALL.flatMap(({ option, fields }) =>
	fields.map((field) => ({
		...field,
		displayOptions: { show: { ...field.displayOptions?.show, operation: [option.value] } },
	})),
);
