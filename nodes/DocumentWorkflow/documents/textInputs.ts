import type { IExecuteFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import type { Json, JsonRecord } from '../../../service/contract';
import { isRecord } from '../../../service/contract';

/**
 * The text inputs of an item, from name–value pairs or from JSON.
 * @throws NodeOperationError saying which pair or which place in the JSON is wrong, before anything is sent
 */
export function textInputsOf(context: IExecuteFunctions, itemIndex: number): JsonRecord {
	if (context.getNodeParameter('specifyTextInputs', itemIndex, 'fields') === 'json') {
		return fromJson(context, itemIndex, context.getNodeParameter('textInputsJson', itemIndex, '{}'));
	}
	return fromPairs(context, itemIndex, context.getNodeParameter('textInputs', itemIndex, {}));
}

function fromPairs(context: IExecuteFunctions, itemIndex: number, collection: unknown): JsonRecord {
	const pairs = isRecord(collection) && Array.isArray(collection.pairs) ? collection.pairs : [];
	const inputs = new Map<string, string>();
	pairs.forEach((pair, index) => {
		const { name: givenName, value } = isRecord(pair) ? pair : {};
		const name = asText(givenName).trim();
		const refuse = (message: string, description: string) => {
			throw new NodeOperationError(context.getNode(), message, { itemIndex, description });
		};
		if (name === '') refuse(`Text input ${index + 1} has no name`, "Enter its name under 'Text Inputs', or remove it");
		if (inputs.has(name)) refuse(`The text input '${name}' is there twice`, "Remove one of them under 'Text Inputs'");
		inputs.set(name, asText(value));
	});
	return Object.fromEntries(inputs);
}

/** An expression may give a number, a boolean or an object: text inputs are texts. */
function asText(value: Json | undefined): string {
	if (value === undefined || value === null) return '';
	return typeof value === 'string' ? value : JSON.stringify(value);
}

function fromJson(context: IExecuteFunctions, itemIndex: number, given: unknown): JsonRecord {
	const parsed = typeof given === 'string' ? parse(given) : { value: given };
	if ('reason' in parsed) {
		throw new NodeOperationError(context.getNode(), `'Text Inputs (JSON)' is not valid JSON: ${parsed.reason}`, {
			itemIndex,
			description: 'Enter an object, e.g. {"policy_number": "CPP-1001"}. In an expression, use JSON.stringify() for whole objects',
		});
	}
	if (!isRecord(parsed.value)) {
		throw new NodeOperationError(context.getNode(), `'Text Inputs (JSON)' must be an object, and it is ${kindOf(parsed.value)}`, {
			itemIndex,
			description: 'Enter names with their values between braces, e.g. {"policy_number": "CPP-1001"}',
		});
	}
	return parsed.value;
}

function parse(text: string): { value: unknown } | { reason: string } {
	if (text.trim() === '') return { value: {} };
	try {
		return { value: JSON.parse(text) as unknown };
	} catch (error) {
		return { reason: error instanceof Error ? error.message : String(error) };
	}
}

function kindOf(value: unknown): string {
	if (value === null) return 'null';
	return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}
