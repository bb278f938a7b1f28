/** Why an item needs review, as one text for people. */
import { isMissing } from '../../../../service/cells';
import type { Execution, Meaning } from '../../../../service/contract';
import { isHeld, meaningOfStatus } from '../../../../service/status';
import { cut, excerptOf, listed, plainText } from '../../../../service/text';
import { type About, describeSkip, isMissingInData, type SkippedFile } from '../../about';
import { mapRows } from '../../connection/time';
import { encryptedIn } from '../../documents/sent';
import { hasNoData, type JudgedStep, type Judgement } from '../judge/judge';
import { depthOf, type Doubt, type JudgedRow, type Path } from '../judge/row';
import { isOnScale, namedIn, pathInWords, scoreInWords, valueInWords } from './words';

/** More are counted. */
const MAX_NAMED = 10;

/** In characters. Longer names and texts are cut. */
const MAX_NAME = 120;
const MAX_TEXT = 40;

/** Characters of a report about the execution or its step, which each row repeats. */
const MAX_SHARED = 300;

/** Says why an execution needs review; null where it does not. */
export async function describeAll(judgement: Judgement, about: About): Promise<string | null> {
	const { needsReview, rows } = judgement;
	if (!needsReview) return null;
	const doubts = (await mapRows(rows, doubtfulValues)).flat();
	return reasonsOf(judgement, about)(rows, describeDoubts(doubts, pathInResult(judgement)));
}

/** Says why a row needs review; null where it does not. */
export function rowReviewer(judgement: Judgement, about: About) {
	const describe = reasonsOf(judgement, about, MAX_SHARED);
	return (row: JudgedRow): string | null => {
		const pathInRow = (path: Path) => path.slice(depthOf(row));
		return row.needsReview ? describe([row], describeDoubts(doubtfulValues(row), pathInRow)) : null;
	};
}

/** Says why some rows need review. `values`: what to say of their values. `longest`: characters of what the service reports. */
export function reasonsOf(judgement: Judgement, about: About, longest = Infinity) {
	const { execution, absentFields, looseScores } = judgement;
	const stepNamed = new Map<unknown, JudgedStep>(judgement.steps.map((step) => [step.name, step]));
	const dataNotRead = about.dataNotRead ?? judgement.dataNotRead;
	const ofAll = { execution, dataNotRead, ofSteps: describeSteps(judgement) };
	const ofEach = sentences([
		...OF_MEANING[execution.meaning](execution, about),
		cut(execution.faults.map((fault) => `The service reports: ${fault}`).join('. '), longest),
		...ifAny(looseScores, (all) => `In the result: ${listed(all, MAX_NAMED)}`),
		...notSent(about),
		about.warning,
		...ifAny(absentFields, (names) => `Missing: ${quoted(names)}`),
	]);
	return (rows: JudgedRow[], values: string): string => {
		const names = new Set(rows.map(({ stepName }) => stepName));
		const steps = [...names].flatMap((name) => stepNamed.get(name) ?? []);
		const withoutScores = judgement.lacksScores ? rows.filter(({ number }) => number !== null) : [];
		const reasons = sentences([
			ofEach,
			...faultsOf(steps).map((text) => cut(text, longest)),
			...whyNoRow(rows, steps, ofAll),
			...ifAny(withoutScores, () => 'There are no confidence scores'),
			values,
		]);
		return reasons ?? 'Review the whole result';
	};
}

/** What to say of an execution because of its status. */
const OF_MEANING: Record<Meaning, (execution: Execution, about: About) => string[]> = {
	completed: () => [],
	failed: ({ failureReason }, { documents }) => [
		['The execution failed', failureReason].filter(Boolean).join(': '),
		encryptedIn(documents),
	],
	held: ({ status }) => [describeHeld(status)],
	partial: ({ status }) => [`The status is "${status}"`],
	running: ({ status }) => [
		status === 'running' ? 'Still running' : `Still running: its status is "${status}"`,
	],
	unknown: ({ status }) => [`The status "${status}" is unknown`],
};

export function describeHeld(status = ''): string {
	return `A person must act in the document service, where the status is "${status}"`;
}

/** Why a wait has ended without a result. */
export function describeOpen(status: string | undefined): string {
	if (status === undefined) return 'no check of the execution succeeded';
	if (status === 'running') return 'the execution is still running';
	if (isHeld(status)) return `the service waits for a person (status "${status}")`;
	return meaningOfStatus(status) === undefined
		? `the status "${status}" is unknown to this node`
		: `the execution is still running (status "${status}")`;
}

/** The same for an item about an execution without data: skipped, failed, not known to exist, or not finished in time. */
export function toReviewAbout(about: About): string | null {
	const { status, message, description, warning, dataNotRead, skipped } = about;
	const nothingSent = `Nothing was sent: ${reasonsIn(namedIn(skipped)) || 'there is no document'}`;
	return sentences([
		message,
		description,
		dataNotRead,
		warning,
		...(status === 'skipped' ? [nothingSent] : notSent(about)),
	]);
}

/** A required field without a value comes first. */
const KINDS = ['missing', 'unconverted', 'low'] as const;

function byKind(doubts: Doubt[]): Doubt[] {
	return KINDS.flatMap((kind) => doubts.filter((doubt) => doubt.kind === kind));
}

/** The doubts of a row, one for each value, in any order. */
function doubtfulValues({ doubts }: JudgedRow): Doubt[] {
	// A value has at most one doubt of a kind.
	if (doubts.every(({ kind }) => kind === doubts[0]?.kind)) return doubts;
	const named = new Map<string, Doubt>();
	for (const doubt of byKind(doubts)) {
		const key = JSON.stringify(doubt.path);
		named.set(key, named.get(key) ?? doubt);
	}
	return [...named.values()];
}

/** The values to check, in the order of their kinds; empty where there are none. `shownPath`: their paths as people read them. */
function describeDoubts(doubts: Doubt[], shownPath: (path: Path) => Path): string {
	const describe = (doubt: Doubt) =>
		`${shownName(shownPath(doubt.path))} (${describeDoubt(doubt)})`;
	return ifAny(byKind(doubts), (all) => `Check: ${listed(all, MAX_NAMED, describe)}`).join('');
}

/** For example `42 %`, `no value`, `not a number in this style: "$1M"`. */
function describeDoubt({ kind, type, value, confidence }: Doubt): string {
	if (kind === 'unconverted')
		return `${inSentence(NOT_OF_TYPE[type])}: "${excerptOf(value, [], MAX_TEXT)}"`;
	if (kind === 'missing' || isMissing(value)) return inSentence(MISSING);
	if (confidence === null) return 'no readable confidence';
	return isOnScale(confidence) ? scoreInWords(confidence) : `confidence ${confidence}`;
}

function inSentence(reason: string): string {
	return reason.charAt(0).toLowerCase() + reason.slice(1);
}

export const MISSING = 'No value';

const NOT_OF_TYPE: Record<Doubt['type'], string> = {
	text: MISSING,
	boolean: 'Not yes or no',
	date: 'Not a date in this style',
	number: 'Not a number in this style',
};

/** Why a value is no value. */
export function reasonOf({ kind, type }: Doubt): string {
	return kind === 'missing' ? MISSING : NOT_OF_TYPE[type];
}

function shownName(path: Path): string {
	return plainText(pathInWords(path), [], MAX_NAME) || '(no name)';
}

/** The row is named only where its step has more than one. */
export function pathInResult({ steps }: Pick<Judgement, 'steps'>): (path: Path) => Path {
	const single = new Set<unknown>(
		steps.filter(({ rows }) => rows.length === 1).map(({ name }) => name),
	);
	return (path) => (single.has(path[0]) ? path.toSpliced(1, 1) : path);
}

function faultsOf(steps: JudgedStep[]): string[] {
	const faulty = steps.filter(({ faults }) => faults.length > 0);
	return [
		...faulty
			.slice(0, MAX_NAMED)
			.map(({ name, faults }) => `In ${quoted([name])}: ${listed(faults, MAX_NAMED)}`),
		...ifAny(faulty.slice(MAX_NAMED), ({ length }) => `More steps to review: ${length}`),
	];
}

/** The skipped documents that are named: those that are missing in the data, or all where nothing was sent. */
export function skippedInReview({ status, skipped = [] }: About): SkippedFile[] {
	return skipped.filter((file) => status === 'skipped' || isMissingInData(file));
}

function notSent(about: About): string[] {
	return ifAny(namedIn(skippedInReview(about)), (all) => `Not sent: ${reasonsIn(all)}`);
}

function reasonsIn(documents: Array<{ name: string; entry: SkippedFile }>): string {
	const reasons = documents.map(
		({ name, entry }) => `${name} (${valueInWords(describeSkip(entry))})`,
	);
	return listed(reasons, MAX_NAMED);
}

/** Why an execution has no row here. Content is in place of rows. */
function whyNoRow(
	rows: JudgedRow[],
	steps: JudgedStep[],
	ofAll: Pick<Judgement, 'execution' | 'dataNotRead'> & { ofSteps: string[] },
): unknown[] {
	const missing = rows.find(({ number, needsReview }) => number === null && needsReview);
	if (missing === undefined) return [];
	const { execution, dataNotRead, ofSteps } = ofAll;
	if (dataNotRead !== undefined || execution.phase !== 'completed') return [dataNotRead];
	const atUrl = steps.filter(({ isAtUrl }) => isAtUrl);
	if (missing.fields.length > 0 || atUrl.length > 0)
		return ifAny(atUrl, (all) => `The data of ${quoted(all.map(({ name }) => name))} is at a URL`);
	return ofSteps;
}

/** Which steps there are, and which lack rows. */
function describeSteps({ execution, steps, unknownSteps }: Judgement): string[] {
	const empty = steps.filter(hasNoData);
	return [
		...ifAny(unknownSteps, (all) => `No step is named ${quoted(all)}`),
		...ifAny(empty, (all) => `There are no rows in ${quoted(all.map(({ name }) => name))}`),
		`The steps are: ${quoted(execution.steps.map(({ name }) => name))}`,
	];
}

function quoted(texts: string[]): string {
	return listed(texts, MAX_NAMED, (text) => `"${plainText(text, [], MAX_NAME)}"`);
}

function ifAny<T>(all: T[], sentence: (all: T[]) => string): string[] {
	return all.length === 0 ? [] : [sentence(all)];
}

function sentences(reasons: unknown[]): string | null {
	const texts = reasons.filter(Boolean).map((reason) => String(reason).replace(/\.$/, ''));
	return texts.join('. ') || null;
}
