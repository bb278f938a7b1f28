/** n8n's store of processed items in memory; follows the DeduplicationHelper of n8n 2.41.1 and 1.123.81, whose table is a map here. */
import { createHash } from 'node:crypto';
import { DataDeduplicationService } from 'n8n-core';
import type {
	DeduplicationItemTypes,
	DeduplicationScope,
	ICheckProcessedContextData,
	ICheckProcessedOptions,
	IDataDeduplicator,
	IDeduplicationOutput,
	IDeduplicationOutputItems,
} from 'n8n-workflow';

export class ProcessedItems implements IDataDeduplicator {
	/** One row per workflow and scope, written as a whole. */
	readonly rows = new Map<string, string[]>();

	/** While set, every call throws it. */
	fault: Error | undefined;

	async checkProcessedAndRecord(
		items: DeduplicationItemTypes[],
		scope: DeduplicationScope,
		context: ICheckProcessedContextData,
		{ maxEntries }: ICheckProcessedOptions,
	): Promise<IDeduplicationOutput> {
		const entries = await this.read(scope, context);
		const known = new Set(entries);
		const output: IDeduplicationOutput = { new: [], processed: [] };
		for (const item of items) {
			output[known.has(hashOf(item)) ? 'processed' : 'new'].push(item);
			if (!known.has(hashOf(item))) entries.push(hashOf(item));
		}
		if (maxEntries !== undefined) entries.splice(0, entries.length - maxEntries);
		await this.write(scope, context, entries);
		return output;
	}

	async removeProcessed(
		items: DeduplicationItemTypes[],
		scope: DeduplicationScope,
		context: ICheckProcessedContextData,
	): Promise<void> {
		const entries = await this.read(scope, context);
		for (const item of items) {
			const index = entries.indexOf(hashOf(item));
			if (index !== -1) entries.splice(index, 1);
		}
		await this.write(scope, context, entries);
	}

	async clearAllProcessedItems(
		scope: DeduplicationScope,
		context: ICheckProcessedContextData,
	): Promise<void> {
		this.rows.delete(rowOf(scope, context));
	}

	async getProcessedDataCount(
		scope: DeduplicationScope,
		context: ICheckProcessedContextData,
	): Promise<number> {
		return (await this.read(scope, context)).length;
	}

	async checkProcessedItemsAndRecord(): Promise<IDeduplicationOutputItems> {
		throw new Error('Not part of these tests');
	}

	/** A database answers later: without a lock a caller reads data that another is about to change. */
	private async read(
		scope: DeduplicationScope,
		context: ICheckProcessedContextData,
	): Promise<string[]> {
		await new Promise(setImmediate);
		if (this.fault !== undefined) throw this.fault;
		return [...(this.rows.get(rowOf(scope, context)) ?? [])];
	}

	private async write(
		scope: DeduplicationScope,
		context: ICheckProcessedContextData,
		entries: string[],
	): Promise<void> {
		await new Promise(setImmediate);
		this.rows.set(rowOf(scope, context), entries);
	}
}

/** n8n's service accepts one store per process, and a process runs many test files. */
const shared: typeof globalThis & { processedItems?: ProcessedItems } = globalThis;

/** The store of this test file, empty before each test. */
export function useProcessedItems(): ProcessedItems {
	const isFirst = shared.processedItems === undefined;
	const items = (shared.processedItems ??= new ProcessedItems());
	beforeAll(async () => {
		if (isFirst) await DataDeduplicationService.init(items);
	});
	beforeEach(() => {
		items.rows.clear();
		items.fault = undefined;
	});
	return items;
}

function rowOf(scope: DeduplicationScope, { workflow, node }: ICheckProcessedContextData): string {
	return `${workflow.id} ${scope === 'node' ? `n:${node?.id}` : ''}`;
}

function hashOf(item: DeduplicationItemTypes): string {
	return createHash('md5').update(String(item)).digest('base64');
}
