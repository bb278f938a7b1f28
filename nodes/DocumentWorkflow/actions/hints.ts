import type { IDataObject, NodeExecutionHint } from 'n8n-workflow';

import { meaningOfStatus } from '../../../service/status';
import { hint, hintsForShaped } from '../results/hints';
import { escapeHtml } from '../results/html';
import type { Job, Result } from './operation';
import { aboutOf } from './operation';
import type { SkippedDocument } from '../documents/select';

/** Longer lists of documents are cut. */
const MAX_NAMED = 10;

/** What is known of an execution, even if it has no output item or failed. */
interface About {
	itemIndexes: number[];
	json: IDataObject;
	/** Whether none of its input items started an execution. */
	startsNone: boolean;
}

/** Which executions a hint is about, and its text where there are any. */
type Row = [
	type: 'info' | 'warning',
	when: (about: About) => boolean,
	text: (some: About[], all: About[]) => string,
];

const HINTS: Row[] = [
	[
		'warning',
		({ json }) => json.outcome === 'unknown',
		(some, all) =>
			`For ${itemsOf(some, all)} it is unknown whether an execution was started. Check the dashboard of the service before you send them again`,
	],
	[
		'warning',
		({ json }) => json.timedOut === true,
		(some, all) =>
			`${executionsOf(some, all)} were not finished in time. Their items have timedOut and the IDs for another Wait for Completion`,
	],
	[
		'warning',
		({ json: { status } }) => typeof status === 'string' && meaningOfStatus(status) === 'held',
		(some, all) =>
			`${executionsOf(some, all)} go on only once a person acts in the service: their status is "${shownText(some[0]?.json.status)}"`,
	],
	[
		'warning',
		({ json }) => json.sentAgain === true,
		(some, all) => `${executionsOf(some, all)} were sent again. A second execution may exist`,
	],
	[
		'info',
		(about) => skippedIn(about).length > 0,
		(some) => skippedDocuments(some.flatMap(skippedIn)),
	],
	[
		'info',
		({ startsNone }) => startsNone,
		(some, all) =>
			`${itemsOf(some, all)} started no execution, because they had no document to send`,
	],
];

/** The hints above the output items, so that nothing is skipped silently. `keptRunning`: why n8n did not pause during a long wait. */
export function hintsFor(
	jobs: ReadonlyArray<Pick<Job, 'itemIndexes'>>,
	results: Result[],
	keptRunning?: string,
): NodeExecutionHint[] {
	const shaped = results.flatMap((result) => (result.ok ? (result.shaped ?? []) : []));
	const about = results.map((result, number) => ({
		itemIndexes: jobs[number]?.itemIndexes ?? [],
		json: aboutOf(result),
	}));
	const others = about.filter(({ json }) => json.status !== 'skipped');
	const started = new Set(others.flatMap(({ itemIndexes }) => itemIndexes));
	const all = about.map((each): About => ({
		...each,
		startsNone: !each.itemIndexes.some((index) => started.has(index)),
	}));
	return [
		...hintsForShaped(shaped),
		...HINTS.flatMap(([type, when, text]) => {
			const some = all.filter(when);
			return some.length === 0 ? [] : hint(type, text(some, all));
		}),
		...(keptRunning === undefined ? [] : [hint('info', keptRunning)]),
	];
}

function skippedIn({ json: { skipped } }: About): SkippedDocument[] {
	return Array.isArray(skipped) ? (skipped as SkippedDocument[]) : [];
}

function itemsOf(some: About[], all: About[]): string {
	const count = (about: About[]) => new Set(about.flatMap(({ itemIndexes }) => itemIndexes)).size;
	return `${count(some)} of ${count(all)} items`;
}

function executionsOf(some: About[], all: About[]): string {
	const known = all.filter(({ json }) => json.executionId !== undefined);
	return `${some.length} of ${known.length} executions`;
}

function skippedDocuments(skipped: SkippedDocument[]): string {
	const shown = skipped
		.slice(0, MAX_NAMED)
		.map((each) => `"${escapeHtml(each.fileName)}" (${escapeHtml(each.reason)})`);
	const more = skipped.length - shown.length;
	const documents = skipped.length === 1 ? '1 document was' : `${skipped.length} documents were`;
	return `${documents} skipped: ${shown.join(', ')}${more > 0 ? `, and ${more} more` : ''}`;
}

function shownText(text: unknown): string {
	return typeof text === 'string' ? escapeHtml(text) : '';
}
