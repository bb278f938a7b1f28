/** Gives a number of items for the benchmarks, with a file of some bytes each where that is asked for. */
class BenchmarkItems {
	description = {
		displayName: 'Benchmark Items',
		name: 'benchmarkItems',
		group: ['transform'],
		version: 1,
		description: 'Gives items',
		defaults: { name: 'Benchmark Items' },
		inputs: ['main'],
		outputs: ['main'],
		properties: [
			{ displayName: 'Count', name: 'count', type: 'number', default: 1 },
			{ displayName: 'Prefix', name: 'prefix', type: 'string', default: 'e-' },
			{ displayName: 'Bytes', name: 'bytes', type: 'number', default: 0 },
		],
	};

	async execute() {
		const count = this.getNodeParameter('count', 0);
		const prefix = this.getNodeParameter('prefix', 0);
		const bytes = this.getNodeParameter('bytes', 0);
		const items = Array.from({ length: count }, (_, index) => ({
			json: { executionId: `${prefix}${index}` },
		}));
		for (const [index, item] of bytes > 0 ? items.entries() : []) {
			const content = Buffer.alloc(bytes, `%PDF-1.4\n% document ${index} `);
			item.binary = {
				data: await this.helpers.prepareBinaryData(
					content,
					`document-${index}.pdf`,
					'application/pdf',
				),
			};
		}
		return [items];
	}
}

module.exports = { BenchmarkItems };
