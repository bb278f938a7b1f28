import type { IContextObject, IDataObject } from 'n8n-workflow';

import {
	type CreateLabel,
	Journal,
} from '../../../../../nodes/DocumentWorkflow/actions/sending/journal';
import type { About } from '../../../../../nodes/DocumentWorkflow/about';
import { contextOf } from '../../../support/context';

const log = jest.fn();
beforeEach(() => log.mockClear());

/** A run, or a try, of the node. n8n keeps `memory` between them. */
function opened(
	memory: IContextObject,
	{
		executionId = '1',
		runIndex = 0,
		input = { n: 1 },
	}: { executionId?: string; runIndex?: number; input?: IDataObject } = {},
) {
	return new Journal(
		contextOf({
			getContext: () => memory,
			getExecutionId: () => executionId,
			runIndex,
			getInputData: () => [{ json: input }],
			logger: { info: log, warn: log, error: log, debug: log },
		}),
	);
}

type Opened = ReturnType<typeof opened>;

const label = (given: Partial<CreateLabel> = {}): CreateLabel => ({
	workflowId: 'w',
	itemIndex: 0,
	hash: 'hash',
	externalId: '',
	files: '',
	...given,
});

/** The last create of a job, and whether its outcome is known. */
function of(journal: Opened, job: string, hash: string) {
	const create = journal.of(job, hash);
	return create && { kind: create.started ? 'accepted' : 'unknown', ...create, ...create.started };
}

/** Records a create that is sent, but not answered yet. */
function send(journal: Opened, job: string, given: Partial<CreateLabel> = {}) {
	const record = journal.recordOf(job, label(given));
	record.sent();
	return record;
}

function accept(
	journal: Opened,
	job: string,
	executionId: string,
	{ about = { documents: [] }, ...given }: Partial<CreateLabel> & { about?: About } = {},
): void {
	const execution = { workflowId: 'w', executionId, status: 'running' };
	send(journal, job, given).accepted({ execution, about, sentHash: '' });
}

describe('what was started', () => {
	it('is found by the next try of the same run, if it sends the same', () => {
		const memory: IContextObject = {};
		accept(opened(memory), '3', 'e-1');
		const next = opened(memory);
		expect(of(next, '3', 'hash')).toMatchObject({
			kind: 'accepted',
			execution: { executionId: 'e-1' },
			about: { documents: [] },
		});
		expect(of(next, '3', 'hash')).toMatchObject({ kind: 'accepted' });
		expect([of(next, '3', 'another hash'), of(next, '2', 'hash')]).toEqual([undefined, undefined]);
	});

	it('is found by a try that n8n counts as a separate run, as for tools', () => {
		const memory: IContextObject = {};
		accept(opened(memory), '0', 'e-1');
		expect(of(opened(memory, { runIndex: 1 }), '0', 'hash')).toMatchObject({ kind: 'accepted' });
		expect(of(opened(memory, { runIndex: 2 }), '0', 'hash')).toMatchObject({ kind: 'accepted' });
	});

	it('is found when n8n repeats a finished run', () => {
		const memory: IContextObject = {};
		const first = opened(memory);
		accept(first, '0', 'e-1');
		first.close();
		expect(of(opened(memory), '0', 'hash')).toMatchObject({ kind: 'accepted' });
	});

	it('is found when a user retries the n8n execution, which n8n counts as another one', () => {
		const memory: IContextObject = {};
		accept(opened(memory), '0', 'e-1');
		const retried = opened(JSON.parse(JSON.stringify(memory)) as IContextObject, {
			executionId: '2',
		});
		expect(of(retried, '0', 'hash')).toMatchObject({
			kind: 'accepted',
			execution: { executionId: 'e-1' },
		});
		accept(retried, '1', 'e-2');
		expect(of(retried, '1', 'hash')).toMatchObject({ execution: { executionId: 'e-2' } });
	});

	it.each([
		['pass of a loop, once the one before has come to its end', { runIndex: 1 }],
		['run with another input', { runIndex: 1, input: { n: 2 } }],
		['run of the same number, with another input', { input: { n: 2 } }],
	])('is not found in another %s', (_, other) => {
		const memory: IContextObject = {};
		const first = opened(memory);
		accept(first, '0', 'e-1');
		first.close();
		expect(of(opened(memory, other), '0', 'hash')).toBeUndefined();
	});

	it('is not found in a run with another input while the first is unfinished', () => {
		const memory: IContextObject = {};
		accept(opened(memory), '0', 'e-1');
		const other = opened(memory, { runIndex: 1, input: { n: 2 } });
		expect(of(other, '0', 'hash')).toBeUndefined();
		accept(other, '0', 'e-2');
		expect(of(opened(memory), '0', 'hash')).toMatchObject({ execution: { executionId: 'e-1' } });
	});

	it('is remembered for the last twenty runs', () => {
		const memory: IContextObject = {};
		for (let runIndex = 0; runIndex <= 20; runIndex++)
			accept(opened(memory, { runIndex, input: { n: runIndex } }), '0', `e-${runIndex}`);
		expect(of(opened(memory, { runIndex: 1, input: { n: 1 } }), '0', 'hash')).toMatchObject({
			kind: 'accepted',
		});
		expect(of(opened(memory, { runIndex: 0, input: { n: 0 } }), '0', 'hash')).toBeUndefined();
	});

	it('is remembered as long as its outcome is unknown', () => {
		const memory: IContextObject = {};
		send(opened(memory), '0');
		for (let runIndex = 1; runIndex <= 40; runIndex++)
			accept(opened(memory, { runIndex, input: { n: -runIndex } }), '0', `e-${runIndex}`);
		expect(of(opened(memory, { runIndex: 41 }), '0', 'hash')).toMatchObject({ kind: 'unknown' });
		expect(memory.documentWorkflowJournal).toHaveLength(20);
	});

	it('survives being stored as JSON, as n8n stores it', () => {
		const memory: IContextObject = {};
		send(opened(memory), '0');
		expect(
			of(opened(JSON.parse(JSON.stringify(memory)) as IContextObject), '0', 'hash'),
		).toMatchObject({
			kind: 'unknown',
		});
	});

	it('is nothing when each create of the job was rejected', () => {
		const memory: IContextObject = {};
		const journal = opened(memory);
		send(journal, '0').refused();
		send(journal, '0').refused();
		expect([of(journal, '0', 'hash'), of(opened(memory), '0', 'hash'), journal.summary()]).toEqual([
			undefined,
			undefined,
			'',
		]);
	});

	it('is unknown while one of its creates is unanswered, even if a later one is rejected', () => {
		const memory: IContextObject = {};
		send(opened(memory), '0');
		const journal = opened(memory);
		send(journal, '0').refused();
		expect(of(journal, '0', 'hash')).toMatchObject({ kind: 'unknown' });
		expect(journal.summary()).toBe('Possibly started: item 0, workflow w');
	});

	it('is found even if something else was rejected for the same job', () => {
		const journal = opened({});
		accept(journal, '0', 'e-1');
		send(journal, '0', { hash: 'another hash' }).refused();
		expect(of(journal, '0', 'hash')).toMatchObject({ execution: { executionId: 'e-1' } });
	});

	it('includes the documents for Skip Already Sent', () => {
		const memory: IContextObject = {};
		const remembered = ['w abc'];
		const execution = { workflowId: 'w', executionId: 'e-1', status: 'running' };
		send(opened(memory), '0').accepted({ execution, about: {}, sentHash: '', remembered });
		expect(of(opened(memory), '0', 'hash')).toMatchObject({ kind: 'accepted', remembered });
	});

	it('includes why the outcome stays unknown', () => {
		const memory: IContextObject = {};
		const lost = { message: 'A reset', advice: '' };
		send(opened(memory), '0').unknown(lost);
		expect(of(opened(memory), '0', 'hash')).toMatchObject({ kind: 'unknown', cause: lost });
	});
});

describe('the summary of what was started', () => {
	it("lists what was started and what is unknown, with the user's own identifier", () => {
		const journal = opened({});
		expect(journal.summary()).toBe('');
		accept(journal, '0', 'e-1');
		expect(journal.summary()).toBe('Started for item 0: e-1 (workflow w)');
		expect(journal.summary({ workflowId: 'w', executionId: 'e-1' })).toBe('');
		expect(journal.summary({ workflowId: 'other', executionId: 'e-1' })).not.toBe('');
		accept(journal, '1', 'e-2', { itemIndex: 5 });
		send(journal, '2', { itemIndex: 7 });
		send(journal, '3', { itemIndex: 8, externalId: 'INV-1', files: 'a.pdf' });
		expect(journal.summary()).toBe(
			'Started for item 0: e-1 (workflow w), for item 5: e-2 (workflow w). Possibly started: item 7, workflow w, item 8 (a.pdf), External ID INV-1, workflow w',
		);
		expect(journal.startedExecutions()).toMatchObject([
			{ executionId: 'e-1' },
			{ executionId: 'e-2' },
		]);
	});

	it('also lists what was started for other documents of the same job', () => {
		const journal = opened({});
		accept(journal, '0', 'e-1');
		accept(journal, '0', 'e-2', { hash: 'another hash' });
		expect(journal.startedExecutions()).toMatchObject([
			{ executionId: 'e-1' },
			{ executionId: 'e-2' },
		]);
		expect(journal.startedBy('0')).toMatchObject({ execution: { executionId: 'e-2' } });
	});
});

describe('the log of n8n', () => {
	it('has a line for each create that is sent and for each outcome, by which a person finds the documents', () => {
		const journal = opened({}, { executionId: '42' });
		const given = { itemIndex: 3, files: 'policy.pdf and 2 more', externalId: '"INV-1"' };
		send(journal, '0', given).refused();
		accept(journal, '0', 'e-1', given);
		const lost = { message: 'A reset', advice: '' };
		send(journal, '1').unknown(lost);
		const about = 'item 3 (policy.pdf and 2 more), External ID "INV-1", n8n execution 42';
		expect(log.mock.calls.flat()).toEqual([
			`Sending to workflow w: ${about}`,
			`No execution of workflow w was started: ${about}`,
			`Sending to workflow w: ${about}`,
			`Execution e-1 (workflow w) was started: ${about}`,
			'Sending to workflow w: item 0, n8n execution 42',
			'Unknown whether an execution of workflow w was started (A reset): item 0, n8n execution 42',
		]);
	});

	it('has no line of its own for an ID with a line break', () => {
		const journal = opened({});
		accept(journal, '0', 'e-1\nforged', { workflowId: 'w\u2028forged' });
		for (const [line] of log.mock.calls as string[][]) expect(line).not.toMatch(/[\n\u2028]/u);
	});
});
