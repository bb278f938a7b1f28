import type * as SentMemoryModule from '../../../../nodes/DocumentWorkflow/documents/sentMemory';
import { SentMemory } from '../../../../nodes/DocumentWorkflow/documents/sentMemory';
import { contextOf } from '../../support/context';
import { ProcessedData } from '../../support/processedData';
import { cases, fc } from '../../../properties';

type Access = () => Promise<void>;

/** Opens the memory as one n8n execution. */
function opened(
	store: ProcessedData,
	{
		scope = 'node',
		access,
		Memory = SentMemory,
	}: { scope?: 'node' | 'workflow'; access?: Access; Memory?: typeof SentMemory } = {},
): SentMemory {
	return new Memory(contextOf({ helpers: store.helpers(access) }), scope);
}

const listOf = (count: number, name = 'document') =>
	Array.from({ length: count }, (_, number) => `${name} ${number}`);

describe('a document', () => {
	it('is unknown until it was accepted, however often it was queried', async () => {
		const store = new ProcessedData();
		for (let time = 0; time < 4; time++)
			expect(await opened(store).accepted(['a', 'b'])).toEqual(new Set());
	});

	it('is known to later executions once it was accepted, and only then', async () => {
		const store = new ProcessedData();
		const memory = opened(store);
		await memory.accepted(['a', 'b', 'c']);
		await memory.remember(['a']);
		await memory.remember(['c']);
		for (let time = 0; time < 3; time++)
			expect(await opened(store).accepted(['b', 'c', 'a', 'd'])).toEqual(new Set(['a', 'c']));
	});

	it('is in doubt for later executions when it is not known whether it was accepted, and not when nothing was started', async () => {
		const store = new ProcessedData();
		const memory = opened(store);
		await memory.accepted(['accepted', 'refused', 'unknown']);
		expect(memory.inDoubt).toEqual(new Set());
		await Promise.all([memory.remember(['accepted']), memory.forget(['refused'])]);
		const later = opened(store);
		const all = ['accepted', 'refused', 'unknown', 'new'];
		expect(await later.accepted(all)).toEqual(new Set(['accepted']));
		expect(later.inDoubt).toEqual(new Set(['unknown']));
		await later.remember(['unknown']);
		const last = opened(store);
		expect(await last.accepted(['unknown'])).toEqual(new Set(['unknown']));
		expect(last.inDoubt).toEqual(new Set());
	});

	it('is known only in its scope', async () => {
		const store = new ProcessedData();
		const memory = opened(store, { scope: 'node' });
		await memory.accepted(['a']);
		await memory.remember(['a']);
		expect(await opened(store, { scope: 'workflow' }).accepted(['a'])).toEqual(new Set());
		expect(await opened(store, { scope: 'node' }).accepted(['a'])).toEqual(new Set(['a']));
	});

	it('may be accepted twice in one execution', async () => {
		const store = new ProcessedData();
		const memory = opened(store);
		await memory.accepted(['a']);
		await memory.remember(['a', 'a']);
		expect(await opened(store).accepted(['a'])).toEqual(new Set(['a']));
	});

	it('is remembered among at least 20,000, of which the oldest are forgotten first', async () => {
		const store = new ProcessedData();
		const first = listOf(20_000, 'first');
		await opened(store).accepted(first);
		await opened(store).remember(first);
		expect((await opened(store).accepted(first)).size).toBe(20_000);
		const later = listOf(20_000, 'later');
		for (const part of [later.slice(0, 10_000), later.slice(10_000)]) {
			await opened(store).accepted(part);
			await opened(store).remember(part);
			expect(store.sizeOf('node')).toBeLessThanOrEqual(40_000);
		}
		expect((await opened(store).accepted(later)).size).toBe(20_000);
		const refused = listOf(30_000, 'refused');
		await opened(store).accepted(refused);
		expect(await opened(store).accepted([...later.slice(0, 10), ...refused])).toEqual(new Set());
	});
});

it('A document of which one mark was forgotten does not count as accepted', async () => {
	const store = new ProcessedData();
	const others = listOf(19_999, 'other');
	await opened(store).accepted(['a']);
	await opened(store).accepted(others);
	await opened(store).remember(['other 0']);
	await opened(store).accepted(['b']);
	expect(store.sizeOf('node')).toBe(40_000);
	for (let time = 0; time < 3; time++)
		expect(await opened(store).accepted(['a'])).toEqual(new Set());
	await opened(store).remember(['a']);
	expect(await opened(store).accepted(['a'])).toEqual(new Set(['a']));
});

it('A document that is queried again stays open for as long as it is remembered', async () => {
	const store = new ProcessedData();
	await opened(store).accepted(['a']);
	await opened(store).accepted(listOf(19_999));
	await opened(store).remember(['document 0']);
	await opened(store).accepted(['b']);
	await opened(store).remember(['b']);
	expect(await opened(store).accepted(['a'])).toEqual(new Set());
	await opened(store).accepted(['c']);
	expect(await opened(store).accepted(['a'])).toEqual(new Set());
});

describe('the store', () => {
	it('is not queried without documents', async () => {
		const store = new ProcessedData();
		await opened(store).accepted([]);
		await opened(store).remember([]);
		expect(store.calls).toEqual([]);
	});

	it('is queried once, and written once to remove the marks of the query', async () => {
		const store = new ProcessedData();
		await opened(store).accepted(['a', 'b']);
		await opened(store).accepted(['a', 'b']);
		await opened(store).remember(['b']);
		await opened(store).accepted(['a', 'b']);
		expect(store.calls).toEqual(['record 4', 'record 4', 'remove 1', 'record 4', 'remove 1']);
	});

	it('is queried once for many simultaneous documents', async () => {
		const store = new ProcessedData();
		await opened(store).accepted(['a', 'c']);
		await opened(store).remember(['a']);
		const before = store.calls.length;
		const memory = opened(store);
		for (const known of await Promise.all([
			memory.accepted(['a', 'b']),
			memory.accepted(['c', 'a']),
			memory.accepted(['d']),
		]))
			expect(known).toEqual(new Set(['a']));
		expect(store.calls.slice(before)).toEqual(['record 8', 'remove 1']);
		expect(await memory.accepted(['d'])).toEqual(new Set());
	});

	it('is written once for many documents accepted simultaneously', async () => {
		const store = new ProcessedData();
		const documents = listOf(500);
		const memory = opened(store);
		await memory.accepted(documents);
		const before = store.calls.length;
		await Promise.all(documents.map(async (document) => memory.remember([document])));
		expect(store.calls.length - before).toBe(1);
		expect((await opened(store).accepted(documents)).size).toBe(500);
	});

	it('is written once more for documents accepted during a write', async () => {
		const store = new ProcessedData();
		const late: Array<Promise<void>> = [];
		let isWriting = false;
		const memory = opened(store, {
			access: async () => {
				if (isWriting && late.length === 0)
					late.push(memory.remember(['b']), memory.remember(['c']));
			},
		});
		await memory.accepted(['a', 'b', 'c']);
		isWriting = true;
		await memory.remember(['a']);
		await Promise.all(late);
		expect(store.calls).toEqual(['record 6', 'remove 1', 'remove 2']);
		expect(await opened(store).accepted(['a', 'b', 'c'])).toEqual(new Set(['a', 'b', 'c']));
	});

	it('is called by one execution of this process at a time', async () => {
		const store = new ProcessedData();
		let underWay = 0;
		const helpers = store.helpers(async () => void (await new Promise(setImmediate)));
		const alone =
			<A extends unknown[], R>(call: (...given: A) => Promise<R>) =>
			async (...given: A) => {
				expect(++underWay).toBe(1);
				return call(...given).finally(() => underWay--);
			};
		const context = contextOf({
			helpers: {
				checkProcessedAndRecord: alone(helpers.checkProcessedAndRecord),
				removeProcessed: alone(helpers.removeProcessed),
			},
		});
		const documents = listOf(20);
		await Promise.all(
			documents.map(async (document) => {
				const memory = new SentMemory(context, 'node');
				await memory.accepted([document]);
				await memory.remember([document]);
			}),
		);
		expect((await opened(store).accepted(documents)).size).toBe(20);
	});

	it('may fail, as when another node uses it differently, and is queried again by the next execution', async () => {
		const store = new ProcessedData();
		store.keepOtherMode('workflow');
		await expect(opened(store, { scope: 'workflow' }).accepted(['a'])).rejects.toThrow(
			'incompatible setting',
		);
		expect(await opened(store, { scope: 'node' }).accepted(['a'])).toEqual(new Set());
	});
});

describe('the memory of sent documents', () => {
	const DOCUMENTS = ['a', 'b', 'c'];
	/** One n8n execution: the documents it queries, those that the service accepts, and the database access before which it crashes. */
	const execution = fc.record({
		documents: fc.subarray(DOCUMENTS, { minLength: 1 }),
		acceptable: fc.subarray(DOCUMENTS),
		end: fc.option(fc.nat({ max: 8 }), { nil: undefined, freq: 2 }),
	});

	async function run(
		memory: SentMemory,
		{ documents, acceptable }: { documents: string[]; acceptable: string[] },
		sent: Set<string>,
	): Promise<void> {
		const known = await memory.accepted(documents);
		for (const document of known) expect(sent).toContain(document);
		for (const document of documents.filter(
			(each) => !known.has(each) && acceptable.includes(each),
		)) {
			sent.add(document);
			await memory.remember([document]);
		}
	}

	function endingBefore(end: number | undefined): Access {
		let accesses = 0;
		return async () => {
			if (accesses++ >= (end ?? Infinity)) throw new Crash();
		};
	}

	it('never contains an unaccepted document, wherever and however often n8n crashes', async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(execution, { maxLength: 8 }), async (executions) => {
				const store = new ProcessedData();
				const sent = new Set<string>();
				for (const each of executions)
					await run(opened(store, { access: endingBefore(each.end) }), each, sent).catch(
						ignoreCrash,
					);
				for (const document of await opened(store).accepted(DOCUMENTS))
					expect(sent).toContain(document);
			}),
			cases(1000),
		);
	});

	it('contains exactly the accepted documents if n8n does not crash', async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(execution, { maxLength: 8 }), async (executions) => {
				const store = new ProcessedData();
				const sent = new Set<string>();
				for (const each of executions) await run(opened(store), each, sent);
				expect(await opened(store).accepted(DOCUMENTS)).toEqual(sent);
			}),
		);
	});

	it('never contains an unaccepted document, whatever two n8n processes do simultaneously', async () => {
		const processes: Array<typeof SentMemory> = [];
		for (let number = 0; number < 2; number++) {
			jest.isolateModules(() =>
				processes.push(
					jest.requireActual<typeof SentMemoryModule>(
						'../../../../nodes/DocumentWorkflow/documents/sentMemory',
					).SentMemory,
				),
			);
		}
		expect(processes[0]).not.toBe(processes[1]);
		await fc.assert(
			fc.asyncProperty(
				fc.scheduler(),
				fc.array(execution, { maxLength: 4 }),
				fc.array(execution, { maxLength: 4 }),
				async (scheduler, ...work) => {
					const store = new ProcessedData();
					const sent = new Set<string>();
					const inProcess = async (number: number) => {
						for (const each of work[number] ?? []) {
							const end = endingBefore(each.end);
							const access = async () => scheduler.schedule(Promise.resolve()).then(end);
							await run(opened(store, { access, Memory: processes[number] }), each, sent).catch(
								ignoreCrash,
							);
						}
					};
					await scheduler.waitFor(Promise.all([inProcess(0), inProcess(1)]));
					for (const document of await opened(store).accepted(DOCUMENTS))
						expect(sent).toContain(document);
				},
			),
			cases(500),
		);
	});
});

class Crash extends Error {}

function ignoreCrash(error: unknown): void {
	if (!(error instanceof Crash) && !String(error).includes('UNIQUE')) throw error;
}
