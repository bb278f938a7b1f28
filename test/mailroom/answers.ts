/** What the service answers for a document, as such services do: clean, as texts, doubtful, incomplete, or not at all. */
import { between } from '../chaos/plan';
import type { Policy } from './judge';

type Cells = Record<string, Record<string, unknown>>;

export interface Answer {
	/** How long its execution takes. */
	seconds: number;
	/** The data of each step, by its name. */
	steps: Record<string, unknown>;
	/** The service fails the execution. */
	failure?: string;
	/** The policies in it that are to stand in the table, once each. */
	policies: Policy[];
	/** Why a person has to look at it, as the words that he reads. */
	doubt?: RegExp;
}

type Random = () => number;

const NAMES = [
	...['Müller & Söhne GmbH', 'Sample Bakery LLC', "O'Neill Roofing, Inc.", 'Société Exemple SA'],
	...['Example Manufacturing Inc.', '=Quick Print "24h" LLC', 'Łódź Logistics Sp. z o.o.'],
	...[
		'Fictional Foods Co.',
		'A/B Testing Partners',
		'株式会社サンプル',
		'Smith, Jones & Daughters',
	],
];

/** Short mostly, some minutes often, a quarter of an hour now and then. */
function secondsOf(random: Random): number {
	const kind = random();
	if (kind < 0.6) return between(random, 4, 50);
	if (kind < 0.9) return between(random, 60, 180);
	return kind < 0.97 ? 300 : 900;
}

export function policyOf(random: Random, number: number): Policy {
	return {
		policyNumber: `EMC-CP-${700_000 + number}-26`,
		namedInsured: NAMES[between(random, 0, NAMES.length - 1)] ?? '',
		totalPremium: between(random, 90_000, 250_000_000) / 100,
	};
}

const dollars = (amount: number) =>
	amount.toLocaleString('en-US', { style: 'currency', currency: 'USD' });

function cellsOf(values: Record<string, unknown>, evidence = {}): Cells {
	const cell = (value: unknown) => ({ value, confidence_score: 0.96, ...evidence });
	return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, cell(value)]));
}

const typed = ({ policyNumber, namedInsured, totalPremium }: Policy) => ({
	policy_number: policyNumber,
	named_insured: namedInsured,
	effective_date: '2026-03-01',
	expiration_date: '2027-03-01',
	total_premium: totalPremium,
	deductible: 2500,
});

const texts = (policy: Policy) => ({
	...typed(policy),
	effective_date: '03/01/2026',
	expiration_date: '03/01/2027',
	total_premium: dollars(policy.totalPremium),
	deductible: '$2,500',
});

const TYPES = {
	...{ policy_number: 'text', named_insured: 'text', effective_date: 'date' },
	...{ expiration_date: 'date', total_premium: 'number', deductible: 'number' },
};
const AS_TEXTS = Object.fromEntries(
	Object.keys(TYPES).map((name) => [name, 'string']),
) as typeof TYPES;

function table(rows: Cells[], types: Record<string, string> = TYPES) {
	const fields = Object.entries(types).map(([name, type]) => ({ name, type }));
	return { schema: { fields }, data: rows, metadata: {} };
}

const COVERAGE = cellsOf({ coverage: 'Building', limit: 1_650_000, premium: 28_415 });
const COVERAGES = table([COVERAGE], { coverage: 'text', limit: 'number', premium: 'number' });

type Kind = Omit<Answer, 'seconds'>;

const details = (policies: Policy[], rows: Cells[], types = TYPES, more = {}): Kind => ({
	policies,
	steps: { policy_details: table(rows, types), coverages: COVERAGES, ...more },
});

const failed = (failure: string) => (): Kind => ({
	...{ policies: [], steps: {}, failure, doubt: new RegExp(failure) },
});

/** The value of one field is another one, or its score is, so that a person has to look at this field. */
function doubtful(field: keyof typeof TYPES, changed: object, types = TYPES) {
	return (policy: Policy): Kind => {
		const cells = cellsOf(typed(policy));
		const row = { ...cells, [field]: { ...cells[field], ...changed } };
		return { ...details([], [row], types), doubt: new RegExp(field.replace('_', '[ _]'), 'i') };
	};
}

function twoOf(policy: Policy): [Policy[], Cells[]] {
	const other = { ...policy, policyNumber: policy.policyNumber.replace('CP', 'GL') };
	return [[policy, other], [policy, other].map((each) => cellsOf(typed(each)))];
}

const CONTENT = {
	summary: { schema: {}, data: 'A policy for one location.', metadata: {} },
	document_class: { schema: {}, data: { class: 'Commercial Property' }, metadata: {} },
};
const QUOTE = { page: 1, quote: 'as printed' };

/** By name, with weights: a kind with 0 is for certain files. */
const KINDS = {
	typed: [8, (policy) => details([policy], [cellsOf(typed(policy))])],
	texts: [5, (policy) => details([policy], [cellsOf(texts(policy))], AS_TEXTS)],
	summary: [4, (policy) => details([policy], [cellsOf(typed(policy))], TYPES, CONTENT)],
	quotes: [2, (policy) => details([policy], [cellsOf(typed(policy), QUOTE)])],
	two: [2, (policy) => details(...twoOf(policy))],
	low: [3, doubtful('named_insured', { confidence_score: 0.41 })],
	missing: [2, doubtful('policy_number', { value: null })],
	notFound: [1, doubtful('policy_number', { value: 'Not found' })],
	odd: [2, doubtful('total_premium', { value: 'See attached' })],
	misread: [1, doubtful('total_premium', { value: '$1,O00' }, AS_TEXTS)],
	empty: [2, () => ({ ...details([], []), doubt: /\bno (?:rows?|data|values?)\b|\bempty\b/i })],
	failed: [2, failed('The document has no pages')],
	locked: [0, failed('The document is protected by a password')],
	unsupported: [0, failed('Files of this type are not supported')],
} satisfies Record<string, [number, (policy: Policy) => Kind]>;

export type AnswerKind = keyof typeof KINDS;

const PLACES = (Object.keys(KINDS) as AnswerKind[]).flatMap((name) =>
	Array<AnswerKind>(KINDS[name][0]).fill(name),
);

/** An answer of a kind, by default of a drawn one. */
export function answerOf(
	random: Random,
	policy: Policy,
	kind = PLACES[between(random, 0, PLACES.length - 1)] ?? 'typed',
): Answer {
	return { seconds: secondsOf(random), ...KINDS[kind][1](policy) };
}

/** The answer for an execution with several documents: their rows in the same steps. */
export function together(answers: Answer[]): Answer {
	const steps: Record<string, unknown> = {};
	for (const answer of answers)
		for (const [name, data] of Object.entries(answer.steps))
			steps[name] = joined(steps[name], data);
	const failure = answers.map((each) => each.failure).find((each) => each !== undefined);
	return {
		seconds: Math.max(0, ...answers.map(({ seconds }) => seconds)),
		steps,
		policies: answers.flatMap(({ policies }) => policies),
		...(failure === undefined ? {} : { failure }),
	};
}

function joined(one: unknown, other: unknown): unknown {
	const [mine, yours] = [one, other] as Array<{ data?: unknown } | undefined>;
	if (!Array.isArray(mine?.data) || !Array.isArray(yours?.data)) return other;
	return { ...mine, data: [...(mine.data as unknown[]), ...(yours.data as unknown[])] };
}
