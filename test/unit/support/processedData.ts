import { createHash } from 'node:crypto';
import type {
	DeduplicationItemTypes,
	DeduplicationScope,
	ICheckProcessedOptions,
	IExecuteFunctions,
} from 'n8n-workflow';

import { node } from './context';

type Helpers = Pick<IExecuteFunctions['helpers'], 'checkProcessedAndRecord' | 'removeProcessed'>;

/**
 * n8n's deduplication store as in n8n 1.123 and 2.41: one record per scope, which each call reads, changes and writes as a whole,
 * without a lock.
 */
export class ProcessedData {
	readonly records = new Map<string, string>();

	/** Calls so far, e.g. "record 3". */
	readonly calls: string[] = [];

	isDown = false;

	/** The store as used by one n8n process. `access` is called before each read and write of the database, `keyOf` names the record. */
	helpers(access: () => Promise<void> = () => Promise.resolve(), keyOf = contextOf): Helpers {
		const read = async (scope: DeduplicationScope) => {
			await access();
			if (this.isDown) throw new Error('The database is down');
			const record = this.records.get(keyOf(scope));
			return record === undefined
				? undefined
				: (JSON.parse(record) as { mode: string; data: string[] });
		};
		const write = async (
			scope: DeduplicationScope,
			mode: string,
			data: string[],
			isNew: boolean,
		) => {
			await access();
			if (isNew && this.records.has(keyOf(scope))) throw new Error('UNIQUE constraint failed');
			this.records.set(keyOf(scope), JSON.stringify({ mode, data }));
		};
		return {
			checkProcessedAndRecord: async (items, scope, options) => {
				this.calls.push(`record ${items.length}`);
				const record = await read(scope);
				if (record !== undefined && record.mode !== options.mode)
					throw new Error('Deduplication data was originally saved with an incompatible setting');
				const known = new Set(record?.data);
				const data = record?.data ?? [];
				data.push(...items.map(hashOf).filter((hash) => !known.has(hash)));
				dropOldest(data, options);
				await write(scope, options.mode, data, record === undefined);
				return {
					new: items.filter((item) => !known.has(hashOf(item))),
					processed: items.filter((item) => known.has(hashOf(item))),
				};
			},
			removeProcessed: async (items, scope, options) => {
				this.calls.push(`remove ${items.length}`);
				const record = await read(scope);
				if (record === undefined) return;
				await write(scope, options.mode, withoutFirst(record.data, items.map(hashOf)), false);
			},
		};
	}

	sizeOf(scope: DeduplicationScope): number {
		const { data } = JSON.parse(this.records.get(contextOf(scope)) ?? '{"data":[]}') as {
			data: string[];
		};
		return data.length;
	}
}

function contextOf(scope: DeduplicationScope): string {
	return { node: `n:${node.id}`, workflow: '' }[scope];
}

function hashOf(item: DeduplicationItemTypes): string {
	return createHash('md5').update(item.toString()).digest('base64');
}

/** Removes one occurrence for each given entry. */
function withoutFirst(data: string[], hashes: string[]): string[] {
	const left = new Map<string, number>();
	for (const hash of hashes) left.set(hash, (left.get(hash) ?? 0) + 1);
	return data.filter((entry) => {
		const count = left.get(entry) ?? 0;
		left.set(entry, count - 1);
		return count <= 0;
	});
}

function dropOldest(data: string[], { maxEntries }: ICheckProcessedOptions): void {
	if (maxEntries !== undefined && maxEntries > 0) data.splice(0, data.length - maxEntries);
}
