import type { IDataObject } from 'n8n-workflow';

import { meaningOfStatus } from '../../../service/status';
import { listed, plainText } from '../../../service/text';
import { mayLackResult } from '../documents/alreadySent';
import { encryptedIn } from '../documents/sent';
import type { OpenField } from './asked';
import type { LowConfidenceField } from './cells';
import { type Lists, listsOf } from './lists';
import { hasNoData, type JudgedRow, type Judgement } from './judgement';
import { outcomeOf } from './outputs';
import { type Path, placeInWords } from './path';
import { namedIn, scoreInWords, valueInWords } from './report/words';

/** More are counted. */
const MAX_NAMED = 10;

/** In characters. Longer names and texts are cut. */
const MAX_NAME = 120;
const MAX_TEXT = 40;

/** Says why a row is to review, or why there is none, as a text for people; null where nothing is to review. Without a row: of all. */
export function toReviewOf(
	judgement: Judgement,
	beside: IDataObject,
): (row?: JudgedRow) => string | null {
	const inWords = reasonsOf(judgement, beside);
	const { unconvertedFields, lowConfidenceFields } = judgement;
	return (row) => {
		if (!(row ?? judgement).needsReview) return null;
		if (row !== undefined) return inWords([row], valuesToReview(listsOf(row.fields, row.stepName)));
		const missingFields = judgement.missingFields.filter(({ step }) => step !== null);
		const lists = { missingFields, unconvertedFields, lowConfidenceFields };
		return inWords(judgement.rows, valuesToReview(lists, shortIn(judgement)));
	};
}

/** Says why some rows are to review. `values`: what to say of their values. */
export function reasonsOf(judgement: Judgement, beside: IDataObject) {
	const { phase, status, failureReason } = judgement.execution;
	const ofEach = sentences([
		phase === 'failed' && ['The execution failed', failureReason].filter(Boolean).join(': '),
		phase === 'failed' && encryptedIn(beside.documents),
		phase === 'running' && `The execution is not finished. Its status is "${status}"`,
		phase === 'completed' &&
			meaningOfStatus(status) === undefined &&
			`The status "${status}" is unknown`,
		meaningOfStatus(status) === 'partial' && `The status is "${status}"`,
		notSent(beside.skipped),
		judgement.absentFields.length > 0 && `Missing: ${quoted(judgement.absentFields)}`,
	]);
	return (rows: JudgedRow[], values: string): string => {
		const missing = rows.find(({ number, needsReview }) => number === null && needsReview);
		const hasRow = rows.some(({ number }) => number !== null);
		const reasons = sentences([
			ofEach,
			missing && (beside.dataNotRead ?? (phase === 'completed' && noRow(missing, rows, judgement))),
			judgement.lacksScores && hasRow && 'There are no confidence scores',
			values,
		]);
		return reasons ?? 'Review the whole result';
	};
}

/** A path without the row where its step has only one. */
function shortIn({ steps }: Pick<Judgement, 'steps'>): (parts: Path) => Path {
	return ([name = '', index, ...parts]) => {
		const isOnly = steps.some((step) => step.name === name && step.rows.length === 1);
		return isOnly || index === undefined ? [name, ...parts] : [name, index, ...parts];
	};
}

/** The same for an item about an execution without data: skipped, failed, not known to exist, or not finished in time. */
export function toReviewAbout(about: IDataObject): string | null {
	const { status, outcome, message, description, reason, advice, dataNotRead, skipped } = about;
	const isSkipped = status === 'skipped';
	return sentences([
		message,
		description,
		reason,
		outcome === 'unknown' && advice,
		dataNotRead,
		isSkipped
			? `Nothing was sent: ${reasonsIn(namedIn(skipped)) || 'there is no document'}`
			: notSent(skipped),
	]);
}

/** The values to check in the lists of an item; empty where there are none. `pathTo`: their paths as people read them. */
function valuesToReview(lists: Lists, pathTo?: (parts: Path) => Path): string {
	const { missingFields, unconvertedFields, lowConfidenceFields } = lists;
	const all = [...missingFields, ...unconvertedFields, ...lowConfidenceFields];
	const named = new Set<unknown>();
	const entries = all.filter(({ field }) => !named.has(field) && named.add(field));
	const words = listed(entries, MAX_NAMED, (each) => toCheckInWords(each, pathTo));
	return entries.length === 0 ? '' : `Check: ${words}`;
}

/** For example `policy, row 2: limit (not a number in this style: "$1M")`, `policy: number (no value)`. */
function toCheckInWords(
	entry: LowConfidenceField | OpenField,
	pathTo?: (parts: Path) => Path,
): string {
	const name = pathTo === undefined ? nameOf(entry) : nameAt(pathTo(entry.path));
	if (!isOpen(entry)) return lowInWords(name, entry);
	const { value, reason } = entry;
	const shown = typeof value === 'string' ? `: "${plainText(value, [], MAX_TEXT)}"` : '';
	return `${name} (${reason.charAt(0).toLowerCase()}${reason.slice(1)}${shown})`;
}

function isOpen(entry: LowConfidenceField | OpenField): entry is OpenField {
	return 'reason' in entry;
}

/** For example `policy, row 2: total premium (42 %)`. */
function lowInWords(name: string, { value, confidence }: LowConfidenceField): string {
	if (value === null) return `${name} (not found)`;
	if (confidence === null) return `${name} (no readable confidence)`;
	if (confidence < 0 || confidence > 1) return `${name} (confidence ${confidence})`;
	return `${name} (${scoreInWords(confidence)})`;
}

/** Names at paths that were asked for last: rows have the same fields, and masking takes longer than all else of a row. */
const names = new Map<string, string>();
const MOST_NAMES = 1_000;

function nameOf({ field, path }: LowConfidenceField | OpenField): string {
	const name = names.get(field) ?? nameAt(path);
	if (names.size >= MOST_NAMES) names.clear();
	names.set(field, name);
	return name;
}

function nameAt(parts: Path): string {
	return plainText(placeInWords(parts), [], MAX_NAME) || '(no name)';
}

/** The documents that are missing in the data, although they may belong to it. */
function notSent(skipped: unknown): string {
	const missing = namedIn(skipped).filter(
		({ entry }) => entry.unusable === true || mayLackResult(entry),
	);
	return missing.length === 0 ? '' : `Not sent: ${reasonsIn(missing)}`;
}

function reasonsIn(documents: ReturnType<typeof namedIn>): string {
	return listed(
		documents,
		MAX_NAMED,
		({ name, entry }) => `${name} (${valueInWords(entry.reason)})`,
	);
}

/** Why a completed execution has no row here. Content is in place of rows. */
function noRow({ data }: JudgedRow, rows: JudgedRow[], judgement: Judgement): unknown {
	const { execution, steps, stepNames, unknownSteps } = judgement;
	const isThere = new Set(rows.map(({ stepName }) => stepName));
	const atUrl = steps.filter(({ name, isAtUrl }) => isAtUrl && isThere.has(name));
	if (atUrl.length > 0) return `The data of ${quoted(atUrl.map(({ name }) => name))} is at a URL`;
	if (data !== undefined) return '';
	if (stepNames.length === 0) return outcomeOf(execution).dataNotRead;
	const empty = steps.filter(hasNoData).map(({ name }) => name);
	return sentences([
		unknownSteps.length > 0 && `No step is named ${quoted(unknownSteps)}`,
		empty.length > 0 && `There are no rows in ${quoted(empty)}`,
		`The steps are: ${quoted(stepNames)}`,
	]);
}

function quoted(names: string[]): string {
	return listed(names, MAX_NAMED, (name) => `"${plainText(name, [], MAX_NAME)}"`);
}

function sentences(reasons: unknown[]): string | null {
	const texts = reasons.filter(
		(reason): reason is string => typeof reason === 'string' && reason !== '',
	);
	return texts.map((text) => text.replace(/\.$/, '')).join('. ') || null;
}
