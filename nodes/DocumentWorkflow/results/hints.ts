import type { NodeExecutionHint } from 'n8n-workflow';

import { FIELDS } from '../../../service/contract';
import { plainText } from '../../../service/text';
import { escapeHtml } from './html';
import type { Shaped } from './shape';

/** Longer lists of names are cut. */
const MAX_NAMES = 10;

/** In characters. Longer names are cut. */
const MAX_NAME_LENGTH = 100;

/** The hints above the output items, so that nothing is missing or omitted silently. */
export function hintsForShaped(results: Shaped[]): NodeExecutionHint[] {
	const count = results.length;
	const toReview = results.filter(({ hasLowConfidence }) => hasLowConfidence);
	const unjudged = results.filter(({ unjudgedSteps }) => unjudgedSteps.length > 0);
	const withoutData = results.filter(({ fieldsWithoutData }) => fieldsWithoutData !== undefined);
	const elsewhere = results.filter(({ stepsField }) => stepsField !== FIELDS.execution.steps);
	const partial = namesIn(results, ({ partialStatus }) => listed(partialStatus));
	const unknownStatus = namesIn(results, ({ unknownStatus: status }) => listed(status));
	const leftOut = results.reduce((sum, result) => sum + result.leftOut, 0);
	const atAddress = results.filter(({ stepsAtAddress }) => stepsAtAddress.length > 0);
	const emptySteps = namesIn(results, (result) => result.emptySteps);
	const mixedSteps = namesIn(results, (result) => result.mixedSteps);
	const renamed = namesIn(results, ({ renamedFields }) => renamedFields);
	const there = namesIn(results, ({ stepNames }) => stepNames);
	const steps = there === '' ? 'there are no steps' : `the steps are: ${there}`;
	return [
		hint(
			'warning',
			toReview.length > 0,
			`${ofExecutions(toReview.length, count)} ${toReview.length === 1 ? 'needs' : 'need'} review: ${whereLowValuesAre(toReview)}`,
		),
		hint(
			'warning',
			unjudged.length > 0,
			`${ofExecutions(unjudged.length, count)} ${unjudged.length === 1 ? 'has' : 'have'} data without confidence scores, which needs review: ${namesIn(unjudged, ({ unjudgedSteps }) => unjudgedSteps)}`,
		),
		hint(
			'warning',
			withoutData.length > 0,
			`${ofExecutions(withoutData.length, count)} ${withoutData.length === 1 ? 'has' : 'have'} no readable data. The answer has these fields: ${namesIn(withoutData, ({ fieldsWithoutData }) => fieldsWithoutData ?? [])}. To see all of it, choose 'Raw' under 'Output'`,
		),
		hint(
			'info',
			elsewhere.length > 0,
			`The answer has no steps. The data was read from the field ${namesIn(elsewhere, ({ stepsField }) => [stepsField])}`,
		),
		hint(
			'warning',
			partial !== '',
			`The service reports that a result is incomplete or needs review: its status is ${partial}`,
		),
		hint(
			'warning',
			unknownStatus !== '',
			`The status ${unknownStatus} is unknown to this node. An execution with this status counts as completed if its steps have data, and as running otherwise`,
		),
		hint(
			'info',
			leftOut > 0,
			`${leftOut} ${leftOut === 1 ? 'item was' : 'items were'} left out, because nothing in ${leftOut === 1 ? 'it' : 'them'} needs review`,
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
		missing(
			results,
			({ unknownMinimums }) => unknownMinimums,
			({ foundMinimums }) => foundMinimums,
			(names) => `'Minimums per Field': no field is named ${names}; ${steps}`,
		),
		hint(
			'info',
			emptySteps !== '',
			`No items for ${emptySteps}, because there are no rows and 'Row Details' is None`,
		),
		hint(
			'info',
			mixedSteps !== '',
			`The items are rows of different steps: ${mixedSteps}. For a table with the same columns in each row, enter one of them under 'Step'`,
		),
		hint(
			'info',
			renamed !== '',
			`Extracted fields named ${renamed} got underscores at the end of their names, because n8n reserves these names`,
		),
		hint(
			'warning',
			atAddress.length > 0,
			`The data of ${namesIn(atAddress, ({ stepsAtAddress }) => stepsAtAddress)} is at a URL and was not downloaded. To download it, add 'Download Data' under 'Output Options'`,
		),
	].flat();
}

function ofExecutions(some: number, all: number): string {
	return all === 1 ? 'The execution' : `${some} of ${all} executions`;
}

/** Names a field only where all items with such values have it. */
function whereLowValuesAre(toReview: Shaped[]): string {
	const fields = [...new Set(toReview.map(({ lowConfidenceField }) => lowConfidenceField))];
	return fields.includes(undefined)
		? 'values are below the minimum confidence'
		: `${fields.join(' or ')} lists the values below the minimum confidence`;
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

function listed(name: string | undefined): string[] {
	return name === undefined ? [] : [name];
}

type NamesOf = (result: Shaped) => string[];

function namesIn(results: Shaped[], pick: NamesOf): string {
	return quote([...new Set(results.flatMap(pick))]);
}

function quote(names: string[]): string {
	const shown = names
		.slice(0, MAX_NAMES)
		.map((name) => `"${escapeHtml(plainText(name, [], MAX_NAME_LENGTH))}"`);
	return [...shown, ...(names.length > MAX_NAMES ? [`${names.length - MAX_NAMES} more`] : [])].join(
		', ',
	);
}

function hint(type: 'info' | 'warning', isShown: boolean, message: string): NodeExecutionHint[] {
	return isShown ? [{ message, type, location: 'outputPane' }] : [];
}
