import { FIELDS, SPELLINGS, type Json, type JsonRecord } from '../../service/contract';

const MOST_ENTRIES = 3;
/** A name as in code. Others, such as `Harbor Bakery`, could be data. */
const FIELD_NAME = /^[a-z_][a-z_-]{0,40}\d{0,2}$|^[a-z]+(?:[A-Z][a-z]+)+$/;
const WORD = /^[a-z][a-z_ -]{0,30}$/i;
/** The fields with words of the service itself, and the records that have them beside the answer as a whole. */
const WORDS: readonly string[] = [...SPELLINGS.status, 'token_type'];
const RECORDS: readonly string[] = [...SPELLINGS.aroundExecution, FIELDS.execution.steps];

/** What a text looks like, and the text that stands for it. The first that fits counts. */
const KINDS: Array<[RegExp, string]> = [
	[/^\s*$/, ''],
	[/^[\w-]{10,}\.[\w-]{10,}\.[\w-]*$/, 'header.payload.signature'],
	[/^https?:\/\/[^?]*\?/i, 'https://files.example.com/file?signature=none'],
	[/^https?:\/\//i, 'https://files.example.com/file'],
	[/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i, '00000000-0000-4000-8000-000000000000'],
	[/^\S+@\S+\.\S+$/, 'name@example.com'],
	[/^\d{4}-\d\d-\d\dT\S+$/, '2026-01-31T00:00:00Z'],
	[/^\d{4}-\d\d-\d\d$/, '2026-01-31'],
	[/^\d{1,2}[./]\d{1,2}[./]\d{2,4}$/, '01/31/2026'],
	[/^[$€£]\s?-?[\d.,]+$/, '$1.00'],
	[/^-?[\d.,]+\s?%$/, '1 %'],
	[/^-?\d+$/, '1'],
	[/^-?[\d.,]+$/, '1.5'],
	[/\n/, 'text\ntext'],
];

/**
 * An answer without any of its values: the names of its fields stay, each value becomes one of the same kind, and a list keeps its first
 * entries. Words of the service stay: the status of the execution and of its steps, not of data.
 */
export function shapeOf(value: Json, isOfService = true): Json {
	if (Array.isArray(value))
		return value.slice(0, MOST_ENTRIES).map((each) => shapeOf(each, isOfService));
	if (typeof value === 'object' && value !== null) return recordShape(value, isOfService);
	if (typeof value === 'number') return numberShape(value);
	if (typeof value === 'boolean') return true;
	return typeof value === 'string' ? textShape(value) : null;
}

function recordShape(record: JsonRecord, isOfService: boolean): JsonRecord {
	const entries = Object.entries(record).map(([name, value], index): [string, Json] => {
		const isWord =
			isOfService && WORDS.includes(name) && typeof value === 'string' && WORD.test(value);
		return [
			FIELD_NAME.test(name) ? name : `field_${index + 1}`,
			isWord ? value : shapeOf(value, isOfService && RECORDS.includes(name)),
		];
	});
	return Object.fromEntries(entries);
}

function numberShape(value: number): number {
	if (Number.isInteger(value)) return 1;
	return value > 0 && value < 1 ? 0.5 : 1.5;
}

function textShape(text: string): string {
	return KINDS.find(([pattern]) => pattern.test(text))?.[1] ?? 'text';
}
