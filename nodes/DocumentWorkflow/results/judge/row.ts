/** A row with its values judged: each is read and judged once, here. */
import { isLooseScore, isMissing, readCell, readScore } from '../../../../service/cells';
import type { Cell, Json, JsonRecord, Row } from '../../../../service/contract';
import { recordOf } from '../../../../service/json';
import type { Minimums } from '../settings/minimums';
import type { ValueType } from './values/field';
import type { TextReader } from './values/texts';

/** The names and positions from the outside to a value. */
export type Path = Array<string | number>;

/** A value that a person has to check, to enter or to convert. */
export interface Doubt {
	kind: 'low' | 'unconverted' | 'missing';
	/** From the step on: its name, the index of the row where it has rows, the field, and the way to a value within. */
	path: Path;
	value: Json;
	/** Null where the score cannot be read, or where a field with a minimum of its own has none. */
	confidence: number | null;
	/** What the value should be. */
	type: ValueType | 'text';
}

/** What the service says of a value beside its score, such as a page and a quote. */
export interface Evidence {
	path: Path;
	details: JsonRecord;
}

/** A field of a row as outputs show it. */
export interface JudgedField {
	name: string;
	value: Json;
	/** In the shape of the value; null where the service gave none. */
	confidence: Json;
	/** The lowest readable score of a list or a record. Of any other value the confidence is its score. */
	lowest?: number | null;
}

/** A row. Content in place of rows counts as one, and so does an execution without data. */
export class JudgedRow {
	fields: JudgedField[] = [];
	doubts: Doubt[] = [];
	evidence: Evidence[] = [];
	lowestConfidence: number | null = null;
	/** Whether it has any score, so that it can be judged. */
	isScored = false;

	/** `stepName`: null where it is about no single step. `number`: from 1; null where it is no row. */
	constructor(
		readonly stepName: string | null,
		readonly number: number | null,
		public needsReview = false,
	) {}
}

/** How many parts a path has before the field: the step and the row. Content is under the name of its step. */
export function depthOf({ number }: JudgedRow): number {
	return number === null ? 0 : 2;
}

/** What a person asks of the values of a step. */
export interface StepDemands {
	minimums: Minimums;
	/** Names of fields that must have a value. */
	required: ReadonlySet<string>;
	/** Whether a value may be absent, where its field is not required and has no minimum of its own. */
	mayBeAbsent: boolean;
}

/** The minimum of a value. */
interface Minimum {
	value: number | undefined;
	/** Whether it is for this field by name, so that a value without a score does not meet it. */
	isExplicit: boolean;
	/** Whether it is for this field, or for one around it. */
	isOwn: boolean;
}

export class RowJudge {
	/** The names of fields that have a minimum of their own. */
	readonly withMinimum = new Set<string>();

	/** The required fields that are there: in some row, and at any depth. */
	readonly inRows = new Set<string>();
	readonly atAnyDepth = new Set<string>();

	private row: JudgedRow;
	private path: Array<string | number> = [];
	private readonly general: Minimum;

	constructor(
		private readonly stepName: string,
		private readonly asked: StepDemands,
		private readonly reader: TextReader,
	) {
		this.row = new JudgedRow(stepName, null);
		this.general = { value: asked.minimums.general, isExplicit: false, isOwn: false };
	}

	judgeRow(cells: Row, index: number): JudgedRow {
		const row = this.begin(new JudgedRow(this.stepName, index + 1), this.stepName, index);
		row.fields = this.judgeFields(cells, this.general, this.reader);
		for (const { name } of cells) if (this.asked.required.has(name)) this.inRows.add(name);
		return finish(row);
	}

	/** Content with scores in it: its cells are judged as those of a row. */
	judgeContent(cell: Cell): JudgedRow {
		const row = this.begin(new JudgedRow(this.stepName, null), cell.name);
		row.fields = [this.judgeCell(cell, this.general, this.reader)];
		return finish(row);
	}

	/** Gives a row null for what it does not have, and has to have. */
	completeRow(row: JudgedRow, inEachRow: string[]): void {
		const lacking = inEachRow.filter((name) => !row.fields.some((field) => field.name === name));
		if (lacking.length === 0) return;
		const cells = lacking.map((name) => readCell(name, null));
		this.begin(row, this.stepName, Number(row.number) - 1);
		row.fields.push(...this.judgeFields(cells, this.general, this.reader));
		finish(row);
	}

	private begin(row: JudgedRow, ...path: Path): JudgedRow {
		this.row = row;
		this.path = [...path];
		return row;
	}

	private judgeFields(cells: Cell[], inherited: Minimum, reader: TextReader): JudgedField[] {
		return cells.map((cell) => {
			const { name, value, confidenceScore, inner } = cell;
			const inField = reader.within(name);
			this.path.push(name);
			const minimum = this.minimumOf(name, inherited);
			if (confidenceScore === undefined && inner === undefined && !minimum.isExplicit)
				this.checkLooseScore(name, value, minimum.value, cells);
			const field = this.judgeCell(cell, minimum, inField);
			this.checkRequired(name, value, field.value, inField);
			this.path.pop();
			return field;
		});
	}

	private within<T>(part: string | number, work: () => T): T {
		this.path.push(part);
		const done = work();
		this.path.pop();
		return done;
	}

	private minimumOf(name: string, inherited: Minimum): Minimum {
		const { byField } = this.asked.minimums;
		if (!byField.has(name)) return inherited;
		this.withMinimum.add(name);
		return { value: byField.get(name), isExplicit: true, isOwn: true };
	}

	private judgeCell(cell: Cell, minimum: Minimum, reader: TextReader): JudgedField {
		const { name, inner, confidenceScore, evidence } = cell;
		const value = inner === undefined ? this.readPlain(cell.value, reader) : cell.value;
		const score = typeof confidenceScore === 'number' ? confidenceScore : null;
		if (isBelow(cell, minimum) && !this.mayLack(cell, minimum))
			this.doubt('low', value, reader, score);
		if (evidence !== undefined) this.row.evidence.push({ path: [...this.path], details: evidence });
		this.row.isScored ||= confidenceScore !== undefined;
		if (inner === undefined) return { name, value, confidence: score };
		const outer = { ...minimum, isExplicit: false };
		if (Array.isArray(cell.value)) {
			const entries = inner.map((entry, at) =>
				this.within(at, () => this.judgeCell(entry, outer, reader)),
			);
			const values = entries.map((entry) => entry.value);
			const confidence = entries.map((entry) => entry.confidence);
			return { name, value: values, confidence, lowest: lowestIn(entries, score) };
		}
		const fields = this.judgeFields(inner, outer, reader);
		const lowest = lowestIn(fields, score);
		return { name, value: valuesIn(fields), confidence: confidenceIn(fields), lowest };
	}

	private mayLack({ name, value }: Cell, { isOwn }: Minimum): boolean {
		const { mayBeAbsent, required } = this.asked;
		return mayBeAbsent && !isOwn && isMissing(value) && !required.has(name);
	}

	/** A score that belongs to no value cannot be judged. One beside cells is that of their row. */
	private checkLooseScore(name: string, value: Json, minimum?: number, cells: Cell[] = []): void {
		if (minimum === undefined || !isLooseScore(name, value)) return;
		const isOfRow = cells.some(({ confidenceScore }) => confidenceScore !== undefined);
		if (isOfRow && isWithin(value, minimum)) return;
		this.doubt('low', value, this.reader, null, 'text');
	}

	/** A value without cells with its texts converted. */
	private readPlain(value: Json, reader: TextReader): Json {
		if (typeof value === 'string') {
			const { value: read = value, needed } = reader.read(value);
			if (needed !== undefined) this.doubt('unconverted', value, reader, null, needed);
			return read;
		}
		if (typeof value !== 'object' || value === null) return value;
		if (Array.isArray(value))
			return value.map((each, at) => this.within(at, () => this.readPlain(each, reader)));
		const entries = Object.entries(value).map(([name, each]) => ({ name, each }));
		return recordOf(entries, ({ name, each }) =>
			this.within(name, () => {
				this.checkLooseScore(name, each, this.general.value);
				const inField = reader.within(name);
				const read = this.readPlain(each, inField);
				this.checkRequired(name, each, read, inField);
				return read;
			}),
		);
	}

	/** Notes that a required field is there, and whether it lacks a value. */
	private checkRequired(name: string, given: Json, value: Json, reader: TextReader): void {
		if (!this.asked.required.has(name)) return;
		this.atAnyDepth.add(name);
		if (isMissing(given) || value === null) this.doubt('missing', null, reader, null);
	}

	private doubt(
		kind: Doubt['kind'],
		value: Json,
		reader: TextReader,
		confidence: number | null,
		type = reader.type,
	): void {
		this.row.doubts.push({ kind, path: [...this.path], value, confidence, type });
	}
}

function finish(row: JudgedRow): JudgedRow {
	row.needsReview = row.doubts.length > 0;
	row.lowestConfidence = lowestIn(row.fields, null);
	return row;
}

export function valuesIn(fields: readonly JudgedField[]): JsonRecord {
	return recordOf(fields, ({ value }) => value);
}

export function confidenceIn(fields: readonly JudgedField[]): JsonRecord {
	return recordOf(fields, ({ confidence }) => confidence);
}

export function isWithin(given: Json, minimum: number): boolean {
	const score = readScore(given) ?? NaN;
	return score >= minimum && score <= 1;
}

/** Whether a score (0 to 1) is below the minimum. One that is on an unknown scale, or cannot be read, always counts as below. */
function isBelow({ confidenceScore: score, inner }: Cell, { value, isExplicit }: Minimum): boolean {
	if (value === undefined) return false;
	if (score === undefined) return isExplicit && inner === undefined;
	return score === 'unreadable' || score < value || score > 1;
}

function lowestIn(fields: JudgedField[], score: number | null): number | null {
	return fields.reduce((lowest, field) => lowestOf(lowest, scoreOf(field)), score);
}

export function scoreOf({ confidence, lowest = null }: JudgedField): number | null {
	return typeof confidence === 'number' ? confidence : lowest;
}

/** The lower of two scores, which may be missing. */
export function lowestOf(score: number | null, other: number | null): number | null {
	if (score === null || other === null) return score ?? other;
	return Math.min(score, other);
}
