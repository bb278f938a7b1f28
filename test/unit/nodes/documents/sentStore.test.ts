import type * as SentStoreModule from '../../../../nodes/DocumentWorkflow/documents/sentStore';
import type { SentEvent, SentState } from '../../../../nodes/DocumentWorkflow/documents/sentStore';
import { SentStore } from '../../../../nodes/DocumentWorkflow/documents/sentStore';
import { contextOf } from '../../support/context';
import { ProcessedData } from '../../support/processedData';
import { cases, fc } from '../../../properties';

type Access = () => Promise<void>;
interface Place {
	scope?: 'node' | 'workflow';
	access?: Access;
	Store?: typeof SentStore;
}

/** Opens the store as one n8n execution. */
function opened(
	store: ProcessedData,
	{ scope = 'node', access, Store = SentStore }: Place = {},
): SentStore {
	return new Store(contextOf({ helpers: store.helpers(access) }), scope);
}

type Event = 'ask' | SentEvent;

const to = (memory: SentStore, event: Event, documents: string[]): Promise<unknown> =>
	event === 'ask' ? memory.ask(documents) : memory.write(event, documents);

async function happen(store: ProcessedData, events: Event[], documents = ['a']): Promise<void> {
	for (const event of events) await to(opened(store), event, documents);
}

async function stateOf(store: ProcessedData, document = 'a', place?: Place): Promise<SentState> {
	return (await opened(store, place).ask([document])).get(document) ?? 'new';
}

const listOf = (count: number, name = 'document') =>
	Array.from({ length: count }, (_, number) => `${name} ${number}`);

/** Ends the work of n8n before its access to the database with this number. */
function killedBefore(end = Infinity): Access {
	let accesses = 0;
	return async () => {
		if (accesses++ >= end) throw new Kill();
	};
}

class Kill extends Error {}

function ignoreKill(error: unknown): void {
	if (!(error instanceof Kill) && !String(error).includes('UNIQUE')) throw error;
}

const ENDS: Array<[string, Event[], SentState]> = [
	['was asked about once is being sent', ['ask'], 'unknown'],
	['was accepted has no result yet', ['ask', 'accepted'], 'accepted'],
	['was accepted after a lost response has no result yet', ['ask', 'ask', 'accepted'], 'accepted'],
	['was output has a result', ['ask', 'accepted', 'cameOut'], 'cameOut'],
	['started nothing is new', ['ask', 'forget'], 'new'],
	['failed in the service is new', ['ask', 'accepted', 'forget'], 'new'],
	['failed after its result is new', ['ask', 'accepted', 'cameOut', 'forget'], 'new'],
];

describe('a document', () => {
	it('that nobody asked about is new', async () =>
		expect(await stateOf(new ProcessedData())).toBe('new'));

	it.each(ENDS)('that %s, also for those who ask again', async (_what, events, state) => {
		const store = new ProcessedData();
		await happen(store, events);
		const later = state === 'new' ? 'unknown' : state;
		expect([await stateOf(store), await stateOf(store), await stateOf(store)]).toEqual([
			state,
			later,
			later,
		]);
	});

	it('that was asked about again after its result is not sent, whatever happens next', async () => {
		const store = new ProcessedData();
		await happen(store, ['ask', 'accepted', 'cameOut', 'ask', 'accepted', 'cameOut', 'ask']);
		expect(await stateOf(store)).toBe('cameOut');
	});

	it('is known only in its scope', async () => {
		const store = new ProcessedData();
		await happen(store, ['ask', 'accepted']);
		expect(await stateOf(store, 'a', { scope: 'workflow' })).toBe('new');
		expect(await stateOf(store)).toBe('accepted');
	});

	it('may be named twice', async () => {
		const store = new ProcessedData();
		await happen(store, ['ask', 'accepted', 'cameOut'], ['a', 'a']);
		expect([await stateOf(store), store.sizeOf('node')]).toEqual(['cameOut', 1]);
	});
});

describe('after a kill of n8n', () => {
	it.each<[string, Event[], Event, number, SentState]>([
		['before it is recorded as being sent, a document is new', [], 'ask', 1, 'new'],
		['before the record of the answer, it is being sent', ['ask'], 'accepted', 1, 'unknown'],
		['before the end of the node, it has no result', ['ask', 'accepted'], 'cameOut', 1, 'accepted'],
		[
			'between the two writes of a question, it counts as being sent, not as new or as accepted',
			['ask', 'accepted', 'cameOut'],
			'ask',
			2,
			'unknown',
		],
	])('%s', async (_what, events, killed, end, state) => {
		const store = new ProcessedData();
		await happen(store, events);
		const memory = opened(store, { access: killedBefore(end) });
		await expect(to(memory, killed, ['a'])).rejects.toThrow(Kill);
		expect(await stateOf(store)).toBe(state);
	});
});

describe('the limit', () => {
	it('is 20,000 documents in any state, of which the oldest are forgotten first', async () => {
		const store = new ProcessedData();
		await happen(store, ['ask', 'accepted'], listOf(20_000, 'first'));
		await happen(store, ['ask'], listOf(10_000, 'later'));
		expect(store.sizeOf('node')).toBe(60_000);
		const first = await opened(store).ask(['first 0', 'first 19999']);
		expect([...first.values()]).toEqual(['new', 'accepted']);
		expect(await stateOf(store, 'later 0')).toBe('unknown');
		await happen(store, ['ask'], listOf(20_000, 'last'));
		expect(await stateOf(store, 'last 0')).toBe('unknown');
		expect(store.sizeOf('node')).toBe(60_000);
	});

	it.each<[number, SentState]>([
		[1, 'unknown'],
		[2, 'new'],
	])('never makes a document look accepted that lost %s of its marks', async (lost, state) => {
		const store = new ProcessedData();
		await happen(store, ['ask']);
		await happen(store, ['ask'], listOf(19_999, 'other'));
		await happen(store, ['accepted'], listOf(3 - lost, 'other'));
		await happen(store, ['ask'], ['new']);
		expect([await stateOf(store), await stateOf(store), await stateOf(store)]).toEqual([
			...[state, 'unknown', 'unknown'],
		]);
	});
});

describe('the store', () => {
	it('is not used without documents', async () => {
		const store = new ProcessedData();
		await happen(store, ['ask', 'accepted', 'cameOut', 'forget'], []);
		expect(store.calls).toEqual([]);
	});

	it('is written once for documents that are new, once more for those that it knows', async () => {
		const store = new ProcessedData();
		await happen(store, ['ask', 'accepted', 'ask', 'cameOut', 'ask', 'forget']);
		expect(store.calls).toEqual([
			...['record 3', 'remove 1', 'record 3', 'remove 1', 'remove 1'],
			...['record 3', 'remove 2', 'remove 3'],
		]);
	});

	it('is asked and written once for many documents at the same time', async () => {
		const store = new ProcessedData();
		const documents = listOf(500);
		await happen(store, ['ask', 'accepted'], ['document 7']);
		const before = store.calls.length;
		const memory = opened(store);
		const states = await Promise.all(documents.map(async (document) => memory.ask([document])));
		expect(states.map((each, number) => each.get(`document ${number}`))).toEqual(
			documents.map((_, number) => (number === 7 ? 'accepted' : 'new')),
		);
		await Promise.all(documents.map(async (document) => memory.write('accepted', [document])));
		await Promise.all(documents.map(async (document) => memory.write('cameOut', [document])));
		expect(store.calls.slice(before)).toEqual([
			...['record 1500', 'remove 1', 'remove 500', 'remove 500'],
		]);
	});

	it('is called by one n8n execution of this process at a time', async () => {
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
				const memory = new SentStore(context, 'node');
				await memory.ask([document]);
				await memory.write('accepted', [document]);
			}),
		);
		expect(new Set((await opened(store).ask(documents)).values())).toEqual(new Set(['accepted']));
	});

	it('may fail, as when another node uses it differently, and is asked again by the next n8n execution', async () => {
		const store = new ProcessedData();
		store.keepOtherMode('workflow');
		await expect(opened(store, { scope: 'workflow' }).ask(['a'])).rejects.toThrow('incompatible');
		expect(await stateOf(store)).toBe('new');
	});
});

describe('whatever happens to n8n', () => {
	const DOCUMENTS = ['a', 'b', 'c'];
	/** One n8n execution: its documents, what the service accepts of them, how that ends, and where n8n is killed. */
	const execution = fc.record({
		documents: fc.subarray(DOCUMENTS, { minLength: 1 }),
		acceptable: fc.subarray(DOCUMENTS),
		outcome: fc.constantFrom<SentEvent>('cameOut', 'forget', 'accepted'),
		end: fc.option(fc.nat({ max: 10 }), { nil: undefined, freq: 2 }),
	});
	type Execution = typeof execution extends fc.Arbitrary<infer T> ? T : never;

	/** The documents that the service accepted, and those of them whose result came out. */
	class Facts {
		readonly accepted = new Set<string>();

		readonly cameOut = new Set<string>();

		expect(states: ReadonlyMap<string, SentState>): void {
			for (const [document, state] of states) {
				if (state === 'accepted' || state === 'cameOut') expect(this.accepted).toContain(document);
				if (state === 'cameOut') expect(this.cameOut).toContain(document);
			}
		}
	}

	async function run(memory: SentStore, given: Execution, facts: Facts): Promise<void> {
		const states = await memory.ask(given.documents);
		facts.expect(states);
		const sent = given.documents.filter((each) =>
			['new', 'unknown'].includes(String(states.get(each))),
		);
		const accepted = sent.filter((each) => given.acceptable.includes(each));
		for (const document of accepted) {
			facts.accepted.add(document);
			await memory.write('accepted', [document]);
		}
		if (given.outcome === 'cameOut') for (const document of accepted) facts.cameOut.add(document);
		await memory.write(given.outcome, accepted);
	}

	it('no document counts as accepted or as output that was not, wherever and however often n8n is killed', async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(execution, { maxLength: 8 }), async (executions) => {
				const [store, facts] = [new ProcessedData(), new Facts()];
				for (const each of executions)
					await run(opened(store, { access: killedBefore(each.end) }), each, facts).catch(
						ignoreKill,
					);
				facts.expect(await opened(store).ask(DOCUMENTS));
			}),
			cases(1000),
		);
	});

	it('the same is true for two n8n processes that write at the same time', async () => {
		const processes: Array<typeof SentStore> = [];
		for (let number = 0; number < 2; number++)
			jest.isolateModules(() =>
				processes.push(
					jest.requireActual<typeof SentStoreModule>(
						'../../../../nodes/DocumentWorkflow/documents/sentStore',
					).SentStore,
				),
			);
		expect(processes[0]).not.toBe(processes[1]);
		const executions = fc.array(execution, { maxLength: 4 });
		await fc.assert(
			fc.asyncProperty(fc.scheduler(), executions, executions, async (scheduler, ...work) => {
				const [store, facts] = [new ProcessedData(), new Facts()];
				const inProcess = async (number: number) => {
					for (const each of work[number] ?? []) {
						const end = killedBefore(each.end);
						const access = async () => scheduler.schedule(Promise.resolve()).then(end);
						const memory = opened(store, { access, Store: processes[number] });
						await run(memory, each, facts).catch(ignoreKill);
					}
				};
				await scheduler.waitFor(Promise.all([inProcess(0), inProcess(1)]));
				facts.expect(await opened(store).ask(DOCUMENTS));
			}),
			cases(500),
		);
	});
});
