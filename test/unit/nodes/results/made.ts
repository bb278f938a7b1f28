/** Random executions, each with its known content: the oracle of the property tests. */
import type { Json, JsonRecord } from '../../../../service/contract';
import { fc } from '../../../properties';

/** A part of an execution: its JSON and its meaning. */
interface Made {
	wire: Json;
	value: Json;
	/** In the shape of the value. */
	confidence: Json;
	/** Including those of tables. */
	scores: number[];
	/** How many scores cannot be read. */
	unreadable: number;
}

export interface MadeStep {
	stepName: string;
	wire: Json;
	/** Empty for a step that has no rows. */
	rows: Made[];
	/** Present where the data of the step is no table. */
	other?: Json;
}

const NAMES = [
	'__proto__',
	'constructor',
	'toString',
	'hasOwnProperty',
	'value',
	'data',
	'error',
	'error_',
	'$error',
	'executionDetails',
	'step',
	'row',
	'needsReview',
	'_files',
	'url',
	'0',
	'12',
	'Policy No.',
	'Prämie',
	'保険料',
	'سعر',
	'a.b',
	'["',
	'👍',
	'',
];

const name = fc.oneof(
	fc.constantFrom(...NAMES),
	fc.string({ unit: 'grapheme', maxLength: 8 }),
	fc.constantFrom('premium', 'paid', 'number'),
);

/** JSON that does not look like a cell. Other tests have examples of records that look like cells. */
const plain: fc.Arbitrary<Json> = fc
	.jsonValue({ maxDepth: 1 })
	.map((value): Json => JSON.parse(JSON.stringify(value)) as Json)
	.filter((value) => !JSON.stringify(value).includes('"value"'));

const score = fc.oneof(
	fc.double({ min: 0, max: 1, noNaN: true }).map((number) => number + 0),
	fc.constantFrom(0, 1, -1, 98),
);

const { row } = fc.letrec<{ leaf: Made; table: Made; cell: Made; row: Made }>((tie) => ({
	leaf: fc.oneof(
		fc.record({ value: plain, given: score }).map(({ value, given }): Made => ({
			wire: { value, confidence_score: given },
			value,
			confidence: given,
			scores: [given],
			unreadable: 0,
		})),
		fc.record({ value: plain, given: score }).map(({ value, given }): Made => ({
			wire: { value, confidence_score: ` ${given}` },
			value,
			confidence: given,
			scores: [given],
			unreadable: 0,
		})),
		fc
			.record({
				value: plain,
				given: fc.constantFrom<JsonRecord>(
					{},
					{ confidence_score: null },
					{ confidence_score: 'high' },
				),
			})
			.map(({ value, given }): Made => ({
				wire: { value, ...given },
				value,
				confidence: null,
				scores: [],
				unreadable: given.confidence_score === 'high' ? 1 : 0,
			})),
		plain.map((value): Made => ({
			wire: value,
			value,
			confidence: null,
			scores: [],
			unreadable: 0,
		})),
	),
	table: fc
		.record({
			rows: fc.array(tie('row'), { minLength: 1, maxLength: 2, size: 'max' }),
			own: fc.option(score, { nil: undefined }),
		})
		.filter(({ rows }) => rows.some(({ scores }) => scores.length > 0))
		.map(({ rows, own }): Made => {
			return {
				wire:
					own === undefined
						? rows.map(({ wire }) => wire)
						: { value: rows.map(({ wire }) => wire), confidence_score: own },
				value: rows.map(({ value }) => value),
				confidence: rows.map(({ confidence }) => confidence),
				scores: [...(own === undefined ? [] : [own]), ...rows.flatMap(({ scores }) => scores)],
				unreadable: rows.reduce((sum, { unreadable }) => sum + unreadable, 0),
			};
		}),
	cell: fc.oneof(
		{ maxDepth: 2, withCrossShrink: true },
		{ weight: 5, arbitrary: tie('leaf') },
		{ weight: 1, arbitrary: tie('table') },
	),
	row: fc
		.uniqueArray(fc.tuple(name, tie('cell')), {
			selector: ([field]) => field,
			maxLength: 4,
			size: 'max',
		})
		.filter(isNoCell)
		.map(rowOf),
}));

/** A row whose fields have the names of the parts of a cell looks exactly like a cell. */
function isNoCell(fields: Array<[string, Made]>): boolean {
	const given = new Map(fields.map(([field, { wire }]) => [field, wire]));
	const second = given.get('confidence_score');
	return (
		!given.has('value') ||
		(given.size > 1 && (typeof second === 'object' ? second !== null : second === undefined))
	);
}

function rowOf(fields: Array<[string, Made]>): Made {
	const of = (pick: (made: Made) => Json): JsonRecord =>
		Object.fromEntries(fields.map(([field, made]) => [field, pick(made)]));
	return {
		wire: of(({ wire }) => wire),
		value: of(({ value }) => value),
		confidence: of(({ confidence }) => confidence),
		scores: fields.flatMap(([, { scores }]) => scores),
		unreadable: fields.reduce((sum, [, { unreadable }]) => sum + unreadable, 0),
	};
}

const stepName = fc.oneof(
	fc.constantFrom('policy', 'policy', 'policy_2', 'losses', '__proto__', 'constructor', '7'),
	fc
		.string({ unit: 'grapheme', minLength: 1, maxLength: 6 })
		.filter((text) => text.trim() === text),
);

const step: fc.Arbitrary<MadeStep> = fc.oneof(
	{
		weight: 4,
		arbitrary: fc
			.record({
				stepName,
				rows: fc.array(row, { maxLength: 3, size: 'max' }),
				isWrapped: fc.boolean(),
			})
			.map(({ stepName: own, rows, isWrapped }) => {
				const list = rows.map(({ wire }) => wire);
				return {
					stepName: own,
					rows,
					wire: isWrapped ? { schema: {}, data: list, metadata: {} } : list,
				};
			}),
	},
	{
		weight: 1,
		arbitrary: fc
			.record({
				stepName,
				other: fc.constantFrom<Json>(null, 'text', 7, {}, { text: 'none', pages: [1] }),
			})
			.map((made) => ({ ...made, rows: [], wire: made.other })),
	},
);

/** The steps of an execution, and the answer of the service with them. */
export const madeExecution = fc
	.record({
		steps: fc.array(step, { maxLength: 4, size: 'max' }),
		metadata: fc.dictionary(fc.string(), plain),
	})
	.map(({ steps, metadata }) => ({
		steps,
		body: {
			status: 'completed',
			metadata,
			steps: steps.map(({ stepName: own, wire }) => ({ step_name: own, data: wire })),
		},
	}));
