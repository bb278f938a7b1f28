import type { NodeExecutionHint } from 'n8n-workflow';

import type { Shaped } from './shape';

/** Longer lists of names are cut. */
const MAX_NAMES = 10;

/** The hints above the output items, so that nothing is missing or omitted silently. */
export function hintsForShaped(results: Shaped[]): NodeExecutionHint[] {
	const count = results.length;
	const toReview = results.filter(({ needsReview }) => needsReview).length;
	const leftOut = results.reduce((sum, result) => sum + result.leftOut, 0);
	const atAddress = results.filter(({ stepsAtAddress }) => stepsAtAddress.length > 0);
	const there = namesIn(results, ({ stepNames }) => stepNames);
	const steps = there === '' ? 'there are no steps' : `the steps are: ${there}`;
	return [
		hint(
			'warning',
			toReview > 0,
			`${ofExecutions(toReview, count)} ${toReview === 1 ? 'needs' : 'need'} review: lowConfidenceFields lists the values below the minimum confidence`,
		),
		hint(
			'info',
			leftOut > 0,
			`${leftOut} ${leftOut === 1 ? 'item was' : 'items were'} left out, because nothing in ${leftOut === 1 ? 'it' : 'them'} is below the minimum confidence`,
		),
		missing(
			results,
			({ unknownSteps }) => unknownSteps,
			({ stepNames }) => stepNames,
			(names) => `No step is named ${names}; ${steps}`,
		),
		missing(
			results,
			({ unknownFields }) => unknownFields,
			({ foundFields }) => foundFields,
			(names) => `No field is named ${names}; ${steps}`,
		),
		hint(
			'warning',
			atAddress.length > 0,
			`The data of ${namesIn(atAddress, ({ stepsAtAddress }) => stepsAtAddress)} is at an address of the service and was not fetched: switch on 'Fetch Data From Addresses' under Options`,
		),
	].flat();
}

function ofExecutions(some: number, all: number): string {
	return all === 1 ? 'The execution' : `${some} of ${all} executions`;
}

/** Reports only names that no execution of the run has: executions may have different steps and fields. */
function missing(
	results: Shaped[],
	unknown: NamesOf,
	known: NamesOf,
	words: (names: string) => string,
): NodeExecutionHint[] {
	const there = new Set(results.flatMap(known));
	const names = [...new Set(results.flatMap(unknown))].filter((name) => !there.has(name));
	return hint('warning', names.length > 0, words(quote(names)));
}

type NamesOf = (result: Shaped) => string[];

function namesIn(results: Shaped[], pick: NamesOf): string {
	return quote([...new Set(results.flatMap(pick))]);
}

function quote(names: string[]): string {
	const shown = names.slice(0, MAX_NAMES).map((name) => `"${escapeHtml(name)}"`);
	return [...shown, ...(names.length > MAX_NAMES ? [`${names.length - MAX_NAMES} more`] : [])].join(
		', ',
	);
}

/** n8n shows hints as HTML, and names come from outside. */
export function escapeHtml(text: string): string {
	return text
		.replaceAll('&', '&amp;')
		.replaceAll('<', '&lt;')
		.replaceAll('>', '&gt;')
		.replaceAll('"', '&quot;');
}

function hint(type: 'info' | 'warning', isShown: boolean, message: string): NodeExecutionHint[] {
	return isShown ? [{ message, type, location: 'outputPane' }] : [];
}
