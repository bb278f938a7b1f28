import type * as SentStoreModule from '../../../../nodes/DocumentWorkflow/documents/sentStore';
import type { SentEvent, SentState } from '../../../../nodes/DocumentWorkflow/documents/sentStore';
import { SentStore } from '../../../../nodes/DocumentWorkflow/documents/sentStore';
import { contextOf } from '../../support/context';
import { ProcessedData } from '../../support/processedData';
import { cases, fc } from '../../../properties';

type Access = () => Promise<void>;
interface Place {
	access?: Access;
	Store?: typeof SentStore;
}

/** Opens the store as one n8n execution. */
function opened(store: ProcessedData, { access, Store = SentStore }: Place = {}): SentStore {
	return new Store(contextOf({ helpers: store.helpers(access) }));
}

type Event = 'ask' | SentEvent;

const to = (memory: SentStore, event: Event, documents: string[]): Promise<unknown> =>
	event === 'ask' ? memory.ask(documents) : memory.write(event, documents);

async function happen(store: ProcessedData, events: Event[], documents = ['a']): Promise<void> {
	for (const event of events) await to(opened(store), event, documents);
}

/** What each of several questions about the document "a" returns. */
async function statesOf(store: ProcessedData, times = 3): Promise<unknown[]> {
	const states: unknown[] = [];
	for (let time = 0; time < times; time++) states.push((await opened(store).ask(['a'])).get('a'));
	return states;
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

describe('a document', () => {
	it.each<[string, Event[], SentState]>([
		['nobody asked about is new', [], 'new'],
		['was asked about is being sent', ['ask'], 'unknown'],
		['was accepted has no result yet', ['ask', 'accepted'], 'accepted'],
		['was accepted after a lost response has none either', ['ask', 'ask', 'accepted'], 'accepted'],
		['was output has a result', ['ask', 'accepted', 'cameOut'], 'cameOut'],
		['started nothing is new', ['ask', 'forget'], 'new'],
		['failed in the service is new', ['ask', 'accepted', 'forget'], 'new'],
	])('that %s, also for those who ask again', async (_what, events, state) => {
		const store = new ProcessedData();
		await happen(store, events);
		const later = state === 'new' ? 'unknown' : state;
		expect(await statesOf(store)).toEqual([state, later, later]);
	});

	it('may be named twice', async () => {
		const store = new ProcessedData();
		await happen(store, ['ask', 'accepted', 'cameOut'], ['a', 'a']);
		expect([await statesOf(store, 1), store.sizeOf('node')]).toEqual([['cameOut'], 1]);
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
		expect(await statesOf(store, 1)).toEqual([state]);
	});
});

describe('the limit', () => {
	it('is 20,000 documents in any state, of which the oldest are forgotten first', async () => {
		const store = new ProcessedData();
		await happen(store, ['ask', 'accepted'], listOf(20_000, 'first'));
		await happen(store, ['ask'], listOf(10_000, 'later'));
		expect(store.sizeOf('node')).toBe(60_000);
		const asked = ['first 0', 'first 19999', 'later 0'];
		expect([...(await opened(store).ask(asked)).values()]).toEqual(['new', 'accepted', 'unknown']);
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
		// There is room for the lost marks. Without order the next document would push out "unanswered".
		await happen(store, ['forget'], ['new']);
		expect(await statesOf(store, 1)).toEqual([state]);
		await happen(store, ['ask'], ['newer']);
		expect(await statesOf(store)).toEqual(['unknown', 'unknown', 'unknown']);
	});
});

describe('the store', () => {
	it('is written once for new documents, twice for known ones, and not without documents', async () => {
		const store = new ProcessedData();
		await happen(store, ['ask', 'accepted', 'cameOut', 'forget'], []);
		await happen(store, ['ask', 'accepted', 'ask', 'cameOut', 'ask', 'forget']);
		expect(store.calls).toEqual([
			...['record 3', 'remove 1', 'record 3', 'remove 1', 'remove 1'],
			...['record 3', 'remove 2', 'remove 3'],
		]);
	});

	it('is asked and written once for many documents at the same time', async () => {
		const store = new ProcessedData();
		const documents = listOf(500);
		const memory = opened(store);
		const states = await Promise.all(documents.map(async (document) => memory.ask([document])));
		expect(states.map((each, at) => each.get(documents[at] ?? ''))).toEqual(
			documents.map(() => 'new'),
		);
		await Promise.all(documents.map(async (document) => memory.write('accepted', [document])));
		expect(store.calls).toEqual(['record 1500', 'remove 500']);
	});

	it('loses nothing when many n8n executions of this process use it at the same time', async () => {
		const store = new ProcessedData();
		const documents = listOf(20);
		const one = async (document: string) => {
			const memory = opened(store, { access: async () => new Promise(setImmediate) });
			await memory.ask([document]);
			await memory.write('accepted', [document]);
		};
		await Promise.all(documents.map(one));
		expect(new Set((await opened(store).ask(documents)).values())).toEqual(new Set(['accepted']));
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
		const isSent = (each: string) => ['new', 'unknown'].includes(String(states.get(each)));
		const accepted = given.documents.filter(
			(each) => isSent(each) && given.acceptable.includes(each),
		);
		for (const document of accepted) {
			facts.accepted.add(document);
			await memory.write('accepted', [document]);
		}
		if (given.outcome === 'cameOut') for (const document of accepted) facts.cameOut.add(document);
		await memory.write(given.outcome, accepted);
	}

	it('no document counts as accepted or as output that was not, also with two n8n processes at the same time', async () => {
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
			cases(1000),
		);
	});
});
