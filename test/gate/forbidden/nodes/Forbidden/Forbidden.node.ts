import type { INodeType } from 'n8n-workflow';
import type { INodeTypeDescription } from 'n8n-workflow';

/** Code that the scanner and the lint rules must report, as proof that a passed check did check. */
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
