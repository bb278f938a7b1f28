/** One item for an execution: Simplified, Selected Fields and Raw. */
import type { IDataObject } from 'n8n-workflow';

import type { Json, JsonRecord } from '../../../../service/contract';
import type { About } from '../../about';
import { mapRows } from '../../connection/time';
import type { Judgement } from '../judge/judge';
import { confidenceIn, type Doubt, type JudgedRow, type Path, valuesIn } from '../judge/row';
import type { OutputSettings } from '../settings/settings';
import { MISSING, reasonOf, type Reviewer } from '../words/toReview';
import { shortened, textOf } from '../words/words';
import { selectFields } from './selected';

/** What the answer of the service says of an execution as a whole. */
type Outcome = Pick<About, 'status' | 'failureReason' | 'dataNotRead' | 'externalId'>;

export interface Material {
	judgement: Judgement;
	settings: OutputSettings;
	about: About;
	/** The same as JSON, which each item has. */
	beside: IDataObject;
	reviewer: Reviewer;
}

/** Plain values by step, then their review, their confidence scores in the same shape, and the technical fields. */
export async function makeSimplified({ judgement, beside, reviewer }: Material) {
	const { metadata, workflowId, executionId } = judgement.execution;
	const data: Array<[string, Json | undefined]> = [];
	const confidence: Array<[string, Json | undefined]> = [];
	for (const { name, rows, content } of judgement.steps) {
		const values = await mapRows(rows, ({ fields }) => valuesIn(fields));
		const scores = await mapRows(rows, ({ fields }) => confidenceIn(fields));
		data.push([name, content === undefined ? values : content.data]);
		confidence.push([name, content?.isScored === true ? content.fields[0]?.confidence : scores]);
	}
	return {
		// Object.fromEntries keeps a name such as __proto__ as an ordinary field.
		data: Object.fromEntries(data) as JsonRecord,
		needsReview: judgement.needsReview,
		toReview: reviewer.describeAll(),
		...reviewFields(judgement, judgement, 0, judgement.absentFields),
		confidence: Object.fromEntries(confidence) as JsonRecord,
		...outcomeOf(judgement),
		metadata,
		...beside,
		workflowId,
		executionId,
	};
}

/** As Simplified, with only the requested fields, and the names of those that do not exist. */
export async function makeSelected(material: Material): Promise<IDataObject> {
	const { judgement, settings, beside } = material;
	const all = await makeSimplified({ ...material, beside: {} });
	const { json, unknown } = selectFields(all, settings.fields);
	const isUnknown = unknown.length > 0 && judgement.execution.phase !== 'running';
	const fieldsNotFound = isUnknown ? { fieldsNotFound: unknown } : {};
	const { workflowId, executionId, ...rest } = json;
	return { ...rest, ...fieldsNotFound, ...beside, workflowId, executionId };
}

/** The unchanged answer, with signed addresses where the service sends them. */
export function makeRaw({ judgement, beside, reviewer }: Material): IDataObject {
	const { status, workflowId, executionId, raw: response } = judgement.execution;
	return {
		response,
		needsReview: judgement.needsReview,
		toReview: reviewer.describeAll(),
		...reviewFields(judgement, judgement, 0, judgement.absentFields),
		status,
		...beside,
		workflowId,
		executionId,
	};
}

/** The values to review, of all rows or of one, with their paths from `depth` on. Each list is only there where it could have an entry. */
export function reviewFields(
	{ isJudged, isRead }: Judgement,
	{ doubts, lowestConfidence }: Pick<JudgedRow, 'doubts' | 'lowestConfidence'>,
	depth: number,
	absentFields: string[] = [],
): IDataObject {
	const listOf = (kind: Doubt['kind'], entryOf: (doubt: Doubt, path: Path) => JsonRecord) =>
		doubts
			.filter((doubt) => doubt.kind === kind)
			.map((doubt) => entryOf(doubt, doubt.path.slice(depth)));
	const low = ({ value, confidence }: Doubt, path: Path) => ({
		...describePath(path),
		value,
		confidence,
	});
	const open = (doubt: Doubt, path: Path) => {
		const { value, type } = doubt;
		return {
			...describePath(path),
			step: String(doubt.path[0]),
			value,
			type,
			reason: reasonOf(doubt),
		};
	};
	return {
		...(isJudged ? { lowConfidenceFields: listOf('low', low) } : {}),
		...(isRead
			? {
					unconvertedFields: listOf('unconverted', open),
					missingFields: [...absentFields.map(absentEntry), ...listOf('missing', open)],
				}
			: {}),
		...(isJudged ? { lowestConfidence } : {}),
	};
}

function describePath(path: Path): { field: string; path: Array<string | number> } {
	return { field: textOf(path), path: shortened(path) };
}

function absentEntry(field: string): JsonRecord {
	return { field, path: [], step: null, value: null, type: 'text', reason: MISSING };
}

export function outcomeOf({ execution, dataNotRead }: Judgement): Outcome {
	const { status, failureReason, externalId } = execution;
	const known = Object.entries({ failureReason, dataNotRead, externalId });
	return { status, ...Object.fromEntries(known.filter(([, value]) => value !== undefined)) };
}
