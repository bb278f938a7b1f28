/** Compares what n8n says about each document with the books of the service. */
import { isRecord } from '../../service/json';

export interface Sent {
	/** Its External ID. */
	id: string;
	/** SHA-256 of its files, by name. */
	files: Record<string, string>;
	/** What the service extracts from it. */
	cases: string[];
}

/** An execution in the books of the service. */
export interface Booked {
	executionId: string;
	files: Record<string, string>;
}

/** What n8n shows about a document. */
export interface Told {
	/** The JSON of its output items. */
	items: Array<Record<string, unknown>>;
	/** The error of its n8n execution; empty when there is none. */
	error: string;
	/** Its n8n executions, for findings. */
	about?: string;
}

export const VERDICTS = {
	result: 'its own result',
	started: 'the execution ID',
	failure: 'an error with the execution ID',
	doubt: '"outcome unknown", and the service has started it',
	needlessDoubt: '"outcome unknown", and the service has not started it',
	twice: 'that it was sent again, and the service has started it twice',
	once: 'that it was sent again, and the service has started it once',
	refused: 'an error, and the service has not started it',
	lost: 'lost: nothing, or nothing of an execution that the service has started',
	doubled: 'doubled without mark: started twice, and no output says that this can be',
	mixedUp: 'mixed up: the result or the ID of another document, changed files, two outputs',
} as const;

export type Verdict = keyof typeof VERDICTS;

/** What must not happen. */
export const FAULTS: readonly Verdict[] = ['lost', 'doubled', 'mixedUp'];

/** How a document ended. */
export function judge(sent: Sent, booked: Booked[], told: Told): Verdict {
	const [item, ...others] = told.items;
	if (item === undefined && told.error === '') return 'lost';
	if (others.length > 0 || booked.some(({ files }) => !sameEntries(files, sent.files)))
		return 'mixedUp';
	const said = `${JSON.stringify(told.items)}${told.error}`;
	const unnamed = booked.filter(({ executionId }) => !said.includes(executionId));
	const admitted = admittedFor(sent.id, item, told.error);
	if (unnamed.length > admitted || (booked.length > 1 && admitted === 0))
		return booked.length > 1 ? 'doubled' : 'lost';
	const ownId = textOf(item, 'executionId');
	if (ownId !== '' && !booked.some(({ executionId }) => executionId === ownId)) return 'mixedUp';
	const isResult = item !== undefined && item.error === undefined && item.status === 'completed';
	if (isResult && casesIn(item).join() !== sent.cases.join()) return 'mixedUp';
	if (admitted > 0 && ownId !== '') return booked.length > 1 ? 'twice' : 'once';
	if (admitted > 0) return booked.length === 0 ? 'needlessDoubt' : 'doubt';
	if (booked.length === 0) return 'refused';
	if (isResult) return 'result';
	return item === undefined || item.error !== undefined || item.status === 'failed'
		? 'failure'
		: 'started';
}

/** How many executions without an ID n8n admits that there may be. */
function admittedFor(id: string, item: Record<string, unknown> | undefined, error: string): number {
	const inner = isRecord(item?.error) ? item.error : item;
	if (inner !== undefined) {
		if (inner.sentAgain === true || inner.outcome === 'unknown') return 1;
	}
	return new RegExp(`External ID:? "${id}"`).test(error) ? 1 : 0;
}

/** A field of an item, or of the error in it. */
function textOf(item: Record<string, unknown> | undefined, name: string): string {
	const value = item?.[name] ?? (isRecord(item?.error) ? item.error[name] : undefined);
	return typeof value === 'string' ? value : '';
}

/** The case numbers in the data of an item. */
export function casesIn({ data }: Record<string, unknown>): string[] {
	const rows = isRecord(data) && Array.isArray(data.case) ? (data.case as unknown[]) : [];
	return rows.map((row) => textOf(isRecord(row) ? row : undefined, 'case_number')).sort();
}

function sameEntries(one: Record<string, string>, other: Record<string, string>): boolean {
	const text = (entries: Record<string, string>) => JSON.stringify(Object.entries(entries).sort());
	return text(one) === text(other);
}
