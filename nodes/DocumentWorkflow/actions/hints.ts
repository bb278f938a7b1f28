import type { IDataObject, NodeExecutionHint } from 'n8n-workflow';

import { isKnownStatus } from '../../../service/status';
import { hintsForShaped } from '../results/hints';
import { escapeHtml } from '../results/html';
import type { Job, Result } from './operation';
import type { Skipped } from './submission';

/** Longer lists of documents are cut. */
const MAX_NAMED = 10;

/** The hints above the output items, so that nothing is skipped silently. `keptRunning`: why n8n did not pause during a long wait. */
export function hintsFor(
	jobs: ReadonlyArray<Pick<Job, 'itemIndexes'>>,
	results: Result[],
	keptRunning?: string,
): NodeExecutionHint[] {
	const successes = results.filter((result) => result.ok);
	// One for each execution, even if it has no output item or failed.
	const about = results.map((result, number): About => ({
		itemIndexes: jobs[number]?.itemIndexes ?? [],
		json: itemOf(result),
	}));
	const skipped = skippedOf(results.filter(isListing));
	const unlisted = skippedOf(results.filter((result) => !isListing(result)));
	const items = inputItems(about);
	const withoutExecution = inputItems(about.filter(({ json: { status } }) => status === 'skipped'));
	const unknown = inputItems(about.filter(({ json: { outcome } }) => outcome === 'unknown'));
	const executions = about.filter(({ json: { executionId } }) => executionId !== undefined).length;
	const late = about.filter(({ json: { timedOut } }) => timedOut === true);
	const notKnown = late.find(
		({ json: { status } }) => typeof status === 'string' && isUnknown(status),
	);
	const risked = about.filter(({ json: { sentAgain } }) => sentAgain !== undefined).length;
	return [
		hintsForShaped(successes.flatMap(({ shaped }) => (shaped === undefined ? [] : [shaped]))),
		hint(
			'info',
			skipped.length,
			`${skipped.length} ${skipped.length === 1 ? 'document was' : 'documents were'} skipped. The field skipped in the output has the reasons`,
		),
		hint(
			'info',
			unlisted.length,
			`${unlisted.length} ${unlisted.length === 1 ? 'document was' : 'documents were'} skipped and not in the output: ${named(unlisted)}`,
		),
		hint(
			'info',
			withoutExecution,
			`${withoutExecution} of ${items} items started no execution, because all their documents were skipped`,
		),
		hint(
			'warning',
			unknown,
			`For ${unknown} of ${items} items it is unknown whether an execution was started. Check the dashboard of the service before you send them again`,
		),
		hint(
			'warning',
			late.length,
			`${late.length} of ${executions} executions were not finished in time. Their items have timedOut and the IDs for another Wait for Completion`,
		),
		hint(
			'warning',
			notKnown === undefined ? 0 : 1,
			`The status "${shownText(notKnown?.json.status)}" is unknown to this node, so the execution was treated as running`,
		),
		hint(
			'warning',
			risked,
			`${risked} of ${executions} executions were sent again after a lost response. A second execution may exist`,
		),
		hint('info', keptRunning === undefined ? 0 : 1, keptRunning ?? ''),
	].flat();
}

/** An execution: its input items, and what its output says. */
interface About {
	itemIndexes: number[];
	json: IDataObject;
}

/** How many input items some executions have. */
function inputItems(about: About[]): number {
	return new Set(about.flatMap(({ itemIndexes }) => itemIndexes)).size;
}

/** Whether a status of the service has no known meaning; the node itself says unknown where no check succeeded. */
function isUnknown(status: string): boolean {
	return status !== 'unknown' && !isKnownStatus(status);
}

function itemOf(result: Result): IDataObject {
	return result.ok ? (result.about ?? {}) : result.json;
}

/** Whether an item lists the skipped documents: an execution may have no item, and a row only its fields. */
function isListing(result: Result): boolean {
	return !result.ok || (result.items.length > 0 && result.shaped?.hasDetails !== false);
}

function skippedOf(results: Result[]): Skipped[] {
	return results
		.map(itemOf)
		.flatMap(({ skipped }) => (Array.isArray(skipped) ? (skipped as Skipped[]) : []));
}

function named(documents: Skipped[]): string {
	const shown = documents
		.slice(0, MAX_NAMED)
		.map(
			({ fileName, address, reason }) =>
				`"${shownText(fileName ?? address)}" (${shownText(reason)})`,
		);
	const more = documents.length - shown.length;
	return shown.join(', ') + (more > 0 ? `, and ${more} more` : '');
}

function shownText(text: unknown): string {
	return typeof text === 'string' ? escapeHtml(text) : '';
}

function hint(type: 'info' | 'warning', count: number, message: string): NodeExecutionHint[] {
	return count === 0 ? [] : [{ message, type, location: 'outputPane' }];
}
