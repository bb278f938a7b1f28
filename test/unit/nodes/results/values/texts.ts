import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const KINDS = [
	'money',
	'count',
	'number',
	'date',
	'boolean',
	'identifier',
	'percent',
	'absent',
	'words',
	'misread',
	'hostile',
] as const;
export const STYLES = ['us', 'uk', 'europe'] as const;
export const DECLARED = ['', 'number', 'integer', 'boolean', 'date', 'date-time'] as const;

/** "Today" of the table: years of two digits are read from here. */
export const TODAY = '2026-11-24';

/** A text of a real document, and what should come out of it. */
export interface TextCase {
	kind: (typeof KINDS)[number];
	/** The document that writes so. */
	source: string;
	style: (typeof STYLES)[number];
	/** The name as it stands in a row. */
	field: string;
	declared: (typeof DECLARED)[number];
	isNumberField: boolean;
	text: string;
	/** The text itself where it stays. */
	expected: string | number | boolean | null;
	/** The text stays and a person is asked. */
	isAsked: boolean;
	/** A person of this style would read it in one way only, so it has to be converted. */
	isUnmistakable: boolean;
	/** What the rules leave open, or why it must be so. */
	note: string;
}

export const COLUMNS = [
	'kind',
	'source',
	'style',
	'field',
	'declared',
	'numberField',
	'text',
	'expected',
	'review',
	'unmistakable',
	'note',
] as const;

const FILE = join(__dirname, '../../../../fixtures/values/texts.tsv');

/** The header and the rows, each cut into its cells. */
export const LINES = readFileSync(FILE, 'utf8')
	.replace(/\n$/, '')
	.split('\n')
	.map((line) => line.split('\t'));

export const TEXT_CASES = LINES.slice(1).map(caseOf);

function caseOf(cells: string[]): TextCase {
	const cell = (column: (typeof COLUMNS)[number]) => cells[COLUMNS.indexOf(column)] ?? '';
	return {
		kind: cell('kind') as TextCase['kind'],
		source: cell('source'),
		style: cell('style') as TextCase['style'],
		field: cell('field'),
		declared: cell('declared') as TextCase['declared'],
		isNumberField: cell('numberField') === 'yes',
		text: JSON.parse(cell('text')) as string,
		expected: JSON.parse(cell('expected')) as TextCase['expected'],
		isAsked: cell('review') === 'yes',
		isUnmistakable: cell('unmistakable') === 'yes',
		note: cell('note'),
	};
}
