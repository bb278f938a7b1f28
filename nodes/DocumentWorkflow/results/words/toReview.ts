/** Why an item needs review, as one text for people. */
import type { IDataObject } from 'n8n-workflow';

import { meaningOfStatus } from '../../../../service/status';
import { listed, plainText } from '../../../../service/text';
import { mayLackResult } from '../../documents/alreadySent';
import { encryptedIn } from '../../documents/sent';
import { hasNoData, type Judgement } from '../judge/judge';
import { depthOf, type Doubt, type JudgedRow, type Path } from '../judge/row';
import { namedIn, pathInWords, scoreInWords, textOf, valueInWords } from './words';

/** More are counted. */
const MAX_NAMED = 10;

/** In characters. Longer names and texts are cut. */
const MAX_NAME = 120;
const MAX_TEXT = 40;

/** Says why a row needs review, or why there is none; null where nothing needs review. Without a row: of all. */
export function toReviewOf(
	judgement: Judgement,
	beside: IDataObject,
): (row?: JudgedRow) => string | null {
	const describe = reasonsOf(judgement, beside);
	return (row) => {
		const { needsReview, doubts } = row ?? judgement;
		if (!needsReview) return null;
		if (row === undefined)
			return describe(judgement.rows, describeDoubts(doubts, pathInResult(judgement)));
		const pathInRow = (path: Path) => path.slice(depthOf(row));
		return describe([row], describeDoubts(doubts, pathInRow));
	};
}

/** Says why some rows need review. `values`: what to say of their values. */
export function reasonsOf(judgement: Judgement, beside: IDataObject) {
	const { execution } = judgement;
	const { phase, status, failureReason } = execution;
	const ofEach = sentences([
		phase === 'failed' && ['The execution failed', failureReason].filter(Boolean).join(': '),
		phase === 'failed' && encryptedIn(beside.documents),
		phase === 'running' &&
			(status === 'running' ? 'Still running' : `Still running: its status is "${status}"`),
		phase === 'completed' &&
			meaningOfStatus(status) === undefined &&
			`The status "${status}" is unknown`,
		meaningOfStatus(status) === 'partial' && `The status is "${status}"`,
		...execution.faults.map((fault) => `The service reports: ${fault}`),
		notSent(beside.skipped),
		judgement.absentFields.length > 0 && `Missing: ${quoted(judgement.absentFields)}`,
	]);
	return (rows: JudgedRow[], values: string): string => {
		const missing = rows.find(({ number, needsReview }) => number === null && needsReview);
		const hasRow = rows.some(({ number }) => number !== null);
		const reasons = sentences([
			ofEach,
			...faultsOf(rows, judgement),
			missing && (beside.dataNotRead ?? (phase === 'completed' && noRow(missing, rows, judgement))),
			judgement.lacksScores && hasRow && 'There are no confidence scores',
			values,
		]);
		return reasons ?? 'Review the whole result';
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

/** What is missing comes first. */
const KINDS = ['missing', 'unconverted', 'low'] as const;

/** The values to check, each once; empty where there are none. `shownPath`: their paths as people read them. */
function describeDoubts(doubts: Doubt[], shownPath: (path: Path) => Path): string {
	const named = new Map<string, [path: Path, doubt: Doubt]>();
	for (const doubt of KINDS.flatMap((kind) => doubts.filter((each) => each.kind === kind))) {
		const path = shownPath(doubt.path);
		const text = textOf(path);
		if (!named.has(text)) named.set(text, [path, doubt]);
	}
	if (named.size === 0) return '';
	const entries = listed(
		[...named],
		MAX_NAMED,
		([text, [path, doubt]]) => `${nameOf(text, path)} (${describeDoubt(doubt)})`,
	);
	return `Check: ${entries}`;
}

/** For example `42 %`, `no value`, `not a number in this style: "$1M"`. */
function describeDoubt(doubt: Doubt): string {
	const { kind, value, confidence } = doubt;
	if (kind !== 'low') {
		const reason = reasonOf(doubt);
		const shown = typeof value === 'string' ? `: "${plainText(value, [], MAX_TEXT)}"` : '';
		return `${reason.charAt(0).toLowerCase()}${reason.slice(1)}${shown}`;
	}
	if (value === null) return 'not found';
	if (confidence === null) return 'no readable confidence';
	if (confidence < 0 || confidence > 1) return `confidence ${confidence}`;
	return scoreInWords(confidence);
}

export const MISSING = 'No value';

/** Why a value is no value. */
export function reasonOf({ kind, type }: Doubt): string {
	if (kind === 'missing' || type === 'text') return MISSING;
	return type === 'boolean' ? 'Not yes or no' : `Not a ${type} in this style`;
}

/** Names at paths that were asked for last: rows have the same fields, and masking takes longer than all else of a row. */
const names = new Map<string, string>();
const MOST_NAMES = 1_000;

function nameOf(text: string, path: Path): string {
	const name = names.get(text) ?? nameAt(path);
	if (names.size >= MOST_NAMES) names.clear();
	names.set(text, name);
	return name;
}

/** The row is named only where its step has more than one. */
export function pathInResult({ steps }: Judgement): (path: Path) => Path {
	const single = new Set(steps.filter(({ rows }) => rows.length === 1).map(({ name }) => name));
	return ([step = '', row, ...parts]) =>
		row === undefined || single.has(String(step)) ? [step, ...parts] : [step, row, ...parts];
}

function nameAt(path: Path): string {
	return plainText(pathInWords(path), [], MAX_NAME) || '(no name)';
}

function faultsOf(rows: JudgedRow[], { steps }: Judgement): string[] {
	const names = new Set(rows.map(({ stepName }) => stepName));
	return steps
		.filter(({ name, faults }) => names.has(name) && faults.length > 0)
		.map(({ name, faults }) => `In ${quoted([name])}: ${listed(faults, MAX_NAMED, String)}`);
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
	const { steps, stepNames, unknownSteps } = judgement;
	const isThere = new Set(rows.map(({ stepName }) => stepName));
	const atUrl = steps.filter(({ name, isAtUrl }) => isAtUrl && isThere.has(name));
	if (atUrl.length > 0) return `The data of ${quoted(atUrl.map(({ name }) => name))} is at a URL`;
	if (data !== undefined) return '';
	if (stepNames.length === 0) return judgement.dataNotRead;
	const empty = steps.filter(hasNoData).map(({ name }) => name);
	return sentences([
		unknownSteps.length > 0 && `No step is named ${quoted(unknownSteps)}`,
		empty.length > 0 && `There are no rows in ${quoted(empty)}`,
		`The steps are: ${quoted(stepNames)}`,
	]);
}

function quoted(texts: string[]): string {
	return listed(texts, MAX_NAMED, (text) => `"${plainText(text, [], MAX_NAME)}"`);
}

function sentences(reasons: unknown[]): string | null {
	const texts = reasons.filter(
		(reason): reason is string => typeof reason === 'string' && reason !== '',
	);
	return texts.map((text) => text.replace(/\.$/, '')).join('. ') || null;
}
