/** n8n's store of processed items in memory, as its service of this process uses it. */
import { DataDeduplicationService } from 'n8n-core';
import type {
	DeduplicationItemTypes,
	DeduplicationScope,
	ICheckProcessedContextData,
	ICheckProcessedOptions,
	IDataDeduplicator,
} from 'n8n-workflow';
import { ProcessedData } from '../../unit/support/processedData';

class ProcessedItems implements IDataDeduplicator {
	private readonly data = new ProcessedData();

	/** One row per workflow and scope, written as a whole. */
	readonly rows = this.data.records;

	async checkProcessedAndRecord(
		items: DeduplicationItemTypes[],
		scope: DeduplicationScope,
		context: ICheckProcessedContextData,
		options: ICheckProcessedOptions,
	) {
		return this.helpersOf(context).checkProcessedAndRecord(items, scope, options);
	}

	async removeProcessed(
		items: DeduplicationItemTypes[],
		scope: DeduplicationScope,
		context: ICheckProcessedContextData,
		options: ICheckProcessedOptions,
	) {
		return this.helpersOf(context).removeProcessed(items, scope, options);
	}

	async clearAllProcessedItems(scope: DeduplicationScope, context: ICheckProcessedContextData) {
		this.rows.delete(rowOf(scope, context));
	}

	getProcessedDataCount = unused;

	checkProcessedItemsAndRecord = unused;

	/** A database answers later: without a lock a caller reads data that another is about to change. */
	private helpersOf(context: ICheckProcessedContextData) {
		const later = async () => new Promise<void>(setImmediate);
		return this.data.helpers(later, (scope) => rowOf(scope, context));
	}
}

async function unused(): Promise<never> {
	return Promise.reject(new Error('Not part of these tests'));
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
	beforeEach(() => items.rows.clear());
	return items;
}

function rowOf(scope: DeduplicationScope, { workflow, node }: ICheckProcessedContextData): string {
	return `${workflow.id} ${scope === 'node' ? `n:${node?.id}` : ''}`;
}
