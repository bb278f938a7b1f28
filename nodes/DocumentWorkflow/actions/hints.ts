import type { NodeExecutionHint } from 'n8n-workflow';

import { hintsForShaped } from '../results/hints';
import type { Result } from './operation';

/** What the output pane says above the items, so that nothing is left out silently. */
export function hintsFor(results: Result[]): NodeExecutionHint[] {
	const successes = results.filter((result) => result.ok);
	// One for each execution, also where no item of it is left, and where it failed after documents were skipped.
	const items = results.map((result) => (result.ok ? { ...result.items[0]?.json, ...result.beside } : result.json));
	const skipped = items.reduce((count, { skipped: documents }) => count + (Array.isArray(documents) ? documents.length : 0), 0);
	const withoutExecution = items.filter(({ status }) => status === 'skipped').length;
	const unknown = items.filter(({ outcome }) => outcome === 'unknown').length;
	const late = items.filter(({ timedOut }) => timedOut === true).length;
	const risked = items.filter(({ sentAgain }) => sentAgain !== undefined).length;
	return [
		hintsForShaped(successes.flatMap(({ shaped }) => (shaped === undefined ? [] : [shaped]))),
		hint('info', skipped, (count) => `${count} ${count === 1 ? 'document was' : 'documents were'} skipped; the output lists them under skipped, with the reason`),
		hint('info', withoutExecution, (count) => `${count} of ${items.length} items started no execution, because no document was left; their status is skipped`),
		hint('warning', unknown, (count) => `Of ${count} of ${items.length} items it is not known whether an execution was started; their status is unknown`),
		hint('warning', late, (count) => `${count} of ${items.length} executions had not ended in time; their items have timedOut, and the IDs for another Wait for Completion`),
		hint('warning', risked, (count) => `${count} of ${items.length} items were sent again after an outcome that was not known; a second execution may exist`),
	].flat();
}

function hint(type: 'info' | 'warning', count: number, words: (count: number) => string): NodeExecutionHint[] {
	return count === 0 ? [] : [{ message: words(count), type, location: 'outputPane' }];
}
