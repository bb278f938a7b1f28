/** One item for an execution: Simplified, Selected Fields and Raw. */
import type { IDataObject } from 'n8n-workflow';

import { type Execution, EXTERNAL_ID, type JsonRecord } from '../../../../service/contract';
import { mapRows } from '../../connection/time';
import type { Judgement } from '../judge/judge';
import {
	confidenceIn,
	depthOf,
	type Doubt,
	type JudgedRow,
	type Path,
	valuesIn,
} from '../judge/row';
import type { OutputSettings } from '../settings/settings';
import { MISSING, reasonOf } from '../words/toReview';
import { shortened, textOf } from '../words/words';
import { selectFields } from './selected';

export interface Material {
	judgement: Judgement;
	settings: OutputSettings;
	/** Further fields of each item, such as the documents that were sent. */
	beside: IDataObject;
	/** What to review of a row, or of all, in words. */
	toReview: (row?: JudgedRow) => string | null;
}

/** Plain values by step, then their review, their confidence scores in the same shape, and the technical fields. */
export async function simplified({ judgement, beside, toReview }: Material): Promise<IDataObject> {
	const { execution, steps } = judgement;
	const { workflowId, executionId } = execution;
	const data: Array<[string, unknown]> = [];
	const confidence: Array<[string, unknown]> = [];
	for (const { name, rows, content } of steps) {
		const values = await mapRows(rows, ({ fields }) => valuesIn(fields));
		const scores = await mapRows(rows, ({ fields }) => confidenceIn(fields));
		data.push([name, content === undefined ? values : content.data]);
		confidence.push([name, content?.isScored === true ? content.fields[0]?.confidence : scores]);
	}
	return {
		// Object.fromEntries keeps a name such as __proto__ as an ordinary field.
		data: Object.fromEntries(data),
		needsReview: judgement.needsReview,
		toReview: toReview(),
		...reviewFields(judgement),
		confidence: Object.fromEntries(confidence),
		...outcomeOf(judgement),
		metadata: execution.metadata,
		...beside,
		workflowId,
		executionId,
	};
}

/** As Simplified, with only the requested fields, and the names of those that do not exist. */
export async function selected(material: Material): Promise<IDataObject> {
	const { judgement, settings, beside } = material;
	const all = await simplified({ ...material, beside: {} });
	const { json, unknown } = selectFields(all, settings.fields);
	const isUnknown = unknown.length > 0 && judgement.execution.phase !== 'running';
	const fieldsNotFound = isUnknown ? { fieldsNotFound: unknown } : {};
	const { workflowId, executionId, ...rest } = json;
	return { ...rest, ...fieldsNotFound, ...beside, workflowId, executionId };
}

/** The unchanged answer, with signed addresses where the service sends them. */
export function raw({ judgement, beside, toReview }: Material): IDataObject {
	const { status, workflowId, executionId, raw: response } = judgement.execution;
	return {
		response,
		needsReview: judgement.needsReview,
		toReview: toReview(),
		...reviewFields(judgement),
		status,
		...beside,
		workflowId,
		executionId,
	};
}

/** The values to review: of all rows, or of one, with their paths from its fields on. Each list is only there where it could have an entry. */
export function reviewFields(judgement: Judgement, row?: JudgedRow): IDataObject {
	const depth = row === undefined ? 0 : depthOf(row);
	const { isJudged, isRead } = judgement;
	const { doubts, lowestConfidence } = row ?? judgement;
	const listOf = (kind: Doubt['kind'], entryOf: (doubt: Doubt, path: Path) => JsonRecord) =>
		doubts
			.filter((doubt) => doubt.kind === kind)
			.map((doubt) => entryOf(doubt, doubt.path.slice(depth)));
	const low = ({ value, confidence }: Doubt, path: Path) => ({
		...placeOf(path),
		value,
		confidence,
	});
	const open = (doubt: Doubt, path: Path) => {
		const { value, type } = doubt;
		return { ...placeOf(path), step: String(doubt.path[0]), value, type, reason: reasonOf(doubt) };
	};
	const absent = row === undefined ? judgement.absentFields.map(absentEntry) : [];
	return {
		...(isJudged ? { lowConfidenceFields: listOf('low', low) } : {}),
		...(isRead
			? {
					unconvertedFields: listOf('unconverted', open),
					missingFields: [...absent, ...listOf('missing', open)],
				}
			: {}),
		...(isJudged ? { lowestConfidence } : {}),
	};
}

function placeOf(path: Path): { field: string; path: Array<string | number> } {
	return { field: textOf(path), path: shortened(path) };
}

function absentEntry(field: string): JsonRecord {
	return { field, path: [], step: null, value: null, type: 'text', reason: MISSING };
}

export function outcomeOf({ execution, dataNotRead }: Judgement): IDataObject {
	const { status, phase, metadata, failureReason } = execution;
	const externalId = Object.hasOwn(metadata, EXTERNAL_ID) ? metadata[EXTERNAL_ID] : undefined;
	return {
		status,
		...(phase === 'failed' ? { failureReason } : {}),
		...(dataNotRead === undefined ? {} : { dataNotRead }),
		...(isExternalId(externalId) ? { externalId } : {}),
	};
}

/** Every row of an execution repeats it, so a very long text stays in the metadata (assumed). */
function isExternalId(id: Execution['metadata'][string] | undefined): id is string | number {
	return typeof id === 'number' || (typeof id === 'string' && id !== '' && id.length <= 500);
}
