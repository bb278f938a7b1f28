import type { IExecuteFunctions } from 'n8n-workflow';
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
	return new NodeOperationError(context.getNode(), message, { itemIndex, description });
}
