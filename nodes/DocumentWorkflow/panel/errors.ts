import type { INode } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { withoutTags } from '../../../service/text';

/** Turns anything thrown while an item was processed into an error of the node. */
export function asNodeError(
	node: INode,
	thrown: unknown,
	itemIndex: number,
): NodeApiError | NodeOperationError {
	if (thrown instanceof NodeApiError || thrown instanceof NodeOperationError) return thrown;
	return new NodeOperationError(node, thrown instanceof Error ? thrown : String(thrown), {
		itemIndex,
	});
}

/** What people see of an error. No name and no answer in it becomes markup. */
export function shownOf({ message, description }: NodeApiError | NodeOperationError): {
	message: string;
	description: string;
} {
	return { message: withoutTags(message), description: withoutTags(description ?? '') };
}
