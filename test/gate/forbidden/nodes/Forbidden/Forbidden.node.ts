import type { INodeType, INodeTypeDescription } from 'n8n-workflow';

/** What the scanner must find: it proves that a passed scan has looked. */
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
