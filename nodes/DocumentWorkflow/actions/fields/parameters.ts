import type { IExecuteFunctions } from 'n8n-workflow';

/** Reads a parameter of the panel by its name; `fallback` stands for one that is not there. */
export type ReadParameter = (name: string, fallback: unknown) => unknown;

/** The parameters as they are for one input item. */
export function parametersOf(context: IExecuteFunctions, itemIndex: number): ReadParameter {
	return (name, fallback) => context.getNodeParameter(name, itemIndex, fallback);
}
