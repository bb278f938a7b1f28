import type { INodeType, INodeTypeDescription } from 'n8n-workflow';

/** Code that the scanner must report, as proof that a passed scan did check. */
export class Forbidden implements INodeType {
	description = { displayName: 'Forbidden' } as INodeTypeDescription;

	async execute(): Promise<never> {
		try {
			throw new Error(String(process.pid));
		} catch (error) {
			throw error;
		}
	}
}
