/** The review form of an item, as n8n shows it and returns its answers. */
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { tryToParseJsonToFormFields } from 'n8n-workflow';

import { correctedItem } from '../../../../../nodes/DocumentWorkflow/results/review/corrections';
import type { Corrected } from '../../../../../nodes/DocumentWorkflow/results/review/corrections';
import type { Place } from '../../../../../nodes/DocumentWorkflow/panel/options';
import type { Json, JsonRecord } from '../../../../../service/contract';
import { node } from '../../../support/context';
import type { Given } from '../support';
import { cell, shaped, step } from '../support';

export const AT = '2026-01-31T12:00:00.000Z';
export const REVIEWER = 'Reviewed by';
const ON: Given = { minimumConfidence: 0.8, reviewForm: true, includeDetails: true };

export const itemsOf = (body: JsonRecord, given: Given = {}) =>
	shaped(body, { ...ON, ...given }).items;
export const onlyItem = (...given: Parameters<typeof itemsOf>) => itemsOf(...given)[0] ?? {};
export const policy = (row: Record<string, Json>, ...others: Json[]) => ({
	steps: [
		step('policy', [
			Object.fromEntries(Object.entries(row).map(([name, value]) => [name, cell(value, 0.5)])),
			...others,
		]),
	],
});

interface Field {
	label: string;
	type: string;
	shown: string;
}

export const definitionOf = (json: IDataObject): unknown => json.reviewForm;

/** What Apply Corrections has put into an item. */
export const reviewIn = ({ review, executionDetails }: IDataObject) =>
	(review ?? (executionDetails as IDataObject).review) as IDataObject;

/** The form that n8n makes of a definition, and what a browser shows of it. */
export function opened(json: IDataObject): Field[] {
	const definition = String(definitionOf(json));
	// As n8n inserts the value of an expression.
	const inserted = '{{ $json.reviewForm }}'.replace('{{ $json.reviewForm }}', definition);
	expect(inserted).not.toContain('{{');
	return tryToParseJsonToFormFields(inserted).map((field) => {
		const {
			fieldLabel = '',
			fieldType = '',
			defaultValue = '',
		} = field as unknown as Record<string, string>;
		const text = defaultValue.replace(/\r\n?/g, '\n').replace(/[\0\p{Cs}]/gu, '\ufffd');
		const shown = fieldType === 'textarea' ? text.replace(/^\n/, '') : text.replaceAll('\n', '');
		return { label: fieldLabel, type: fieldType, shown };
	});
}

/** What n8n returns of a form after some of its fields were changed. */
export function answersTo(json: IDataObject, changes: Record<string, string> = {}): JsonRecord {
	const entries = opened(json).map(({ label, type, shown }): [string, string] => {
		const text = changes[label] ?? shown;
		if (type === 'html') return ['reviewOf', headOf(json)];
		return [label, type === 'textarea' ? text.replace(/\r?\n/g, '\r\n') : text.trim()];
	});
	return { ...Object.fromEntries(entries), submittedAt: AT, formMode: 'production' };
}

/** The head of a form as n8n returns it: with only those entities that HTML needs. */
export function headOf(json: IDataObject): string {
	const [head] = JSON.parse(String(definitionOf(json))) as Array<Record<string, string>>;
	return (head?.html ?? '')
		.replaceAll('&quot;', '"')
		.replaceAll('&#39;', "'")
		.replaceAll('&#123;', '{');
}

const place: Place = { context: { getNode: () => node } as IExecuteFunctions, itemIndex: 0 };

export const correct = (json: IDataObject, input: IDataObject) =>
	correctedItem(place, json, input, AT);

export function corrected(json: IDataObject, changes: Record<string, string> = {}): Corrected {
	return correct(json, answersTo(json, changes));
}

export const labelsOf = (json: IDataObject) =>
	opened(json)
		.filter(({ type }) => type !== 'html')
		.map(({ label }) => label);
