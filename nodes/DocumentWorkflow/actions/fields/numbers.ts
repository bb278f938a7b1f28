import type { IExecuteFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

/** @throws NodeOperationError when what was entered, or what an expression gave, is not a number above zero */
export function readNumber(
	context: IExecuteFunctions,
	itemIndex: number,
	value: unknown,
	field: string,
): number {
	const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	if (typeof number === 'number' && Number.isFinite(number) && number > 0) return number;
	throw new NodeOperationError(
		context.getNode(),
		`'${field}' must be a number above zero, and it is ${JSON.stringify(value)}`,
		{
			itemIndex,
			description: 'Enter a number, or remove the option',
		},
	);
}
