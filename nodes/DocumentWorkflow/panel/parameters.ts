import type { IExecuteFunctions } from 'n8n-workflow';

/** Reads a parameter of the panel by its name; returns `fallback` where it is not set. */
export type ReadParameter = (name: string, fallback: unknown) => unknown;

/** Reads the parameters of the action node for one input item. */
export function parametersOf(context: IExecuteFunctions, itemIndex: number): ReadParameter {
	return (name, fallback) => context.getNodeParameter(name, itemIndex, fallback);
}

/** The distinct entries of a comma-separated list. */
export function listOf(text: string): string[] {
	return [
		...new Set(
			text
				.split(',')
				.map((entry) => entry.trim())
				.filter(Boolean),
		),
	];
}

/** Names separated by commas; an expression may also return a list of them. */
export function readNames(given: unknown): string[] {
	return [given].flat().flatMap((entry) => (typeof entry === 'string' ? listOf(entry) : []));
}
