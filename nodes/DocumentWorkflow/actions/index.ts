import type { INodeProperties } from 'n8n-workflow';

import { create } from './create.operation';
import { createAndWait } from './createAndWait.operation';
import { get } from './get.operation';
import type { Operation } from './operation';
import { wait } from './wait.operation';

/** In the order of n8n's lists: the most used first. */
const OPERATIONS: Operation[] = [createAndWait, create, get, wait];

export function findOperation(value: unknown): Operation | undefined {
	return OPERATIONS.find(({ option }) => option.value === value);
}

export const operationField: INodeProperties = {
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	noDataExpression: true,
	options: OPERATIONS.map(({ option }) => option),
	default: 'createAndWait',
};

export const operationFields: INodeProperties[] = OPERATIONS.flatMap(({ option, fields }) =>
	fields.map((field) => ({
		...field,
		displayOptions: { show: { ...field.displayOptions?.show, operation: [option.value] } },
	})),
);
