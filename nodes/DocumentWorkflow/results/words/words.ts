import type { Json } from '../../../../service/contract';
import { plainText } from '../../../../service/text';
import type { Path } from '../judge/row';

/** Limits of single texts, in characters (assumed). */
const MAX_LABEL_LENGTH = 120;
const MAX_VALUE_LENGTH = 300;
const MAX_ID_LENGTH = 200;
const MAX_NAME_LENGTH = 200;

/** Records and lists within a value are written out to this depth. */
const MAX_DEPTH = 4;

/** The name of a field or a step, or a path, for people: `policy_number` is "Policy number". */
export function labelOf(...parts: Array<string | number>): string {
	const words = plainText(pathInWords(parts), [], MAX_LABEL_LENGTH);
	const isPlain = /^[a-z][a-z\d]*(?:[ ,:]|$)/.test(words);
	return (isPlain ? words.charAt(0).toUpperCase() + words.slice(1) : words) || '(no name)';
}

export function idOf(id: unknown): string {
	const isOne = ['string', 'number'].includes(typeof id);
	return isOne ? plainText(String(id), [], MAX_ID_LENGTH) : '';
}

export function isOnScale(score: number): boolean {
	return score >= 0 && score <= 1;
}

/** A confidence in percent where it is on the known scale. */
export function scoreInWords(score: number | null): string {
	if (score === null) return '';
	if (!isOnScale(score)) return String(score);
	// A score just below the minimum must not look like the minimum.
	// The addend undoes binary fractions: 0.29 * 100 is below 29.
	return `${Math.floor(score * 100 + 1e-9)} %`;
}

/** A path for people: `losses[0].date_of_loss` is "losses, row 1: date of loss". */
export function pathInWords(path: Path): string {
	return path
		.map((part, index) => {
			if (typeof part === 'number') return `, row ${part + 1}`;
			const isPlain = /^[a-z\d]+(?:[_-][a-z\d]+)*$/.test(part);
			return (index === 0 ? '' : ': ') + (isPlain ? part.replaceAll(/[_-]/g, ' ') : part);
		})
		.join('');
}

/** A path as an n8n expression writes it: `losses[2].paid`, `["Policy No."]`. */
export function textOf(path: Path): string {
	const parts = path.map((part, index) => {
		if (typeof part === 'number') return `[${part}]`;
		const name = shortName(part);
		if (!/^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u.test(name)) return `[${JSON.stringify(name)}]`;
		return index === 0 ? name : `.${name}`;
	});
	// A joined text takes less memory than one that was added up.
	return parts.join('');
}

/** A path with names as its text has them. A path without long names is not copied. */
export function shortened(path: Path): Path {
	const short = (part: string | number) => (typeof part === 'number' ? part : shortName(part));
	return path.some((part) => short(part) !== part) ? path.map(short) : path;
}

/** Every path below a very long name repeats it. */
function shortName(name: string): string {
	return name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH - 1)}…` : name;
}

type Plain = string | number | boolean | null | undefined;

function isPlain(value: unknown): value is Plain {
	return typeof value !== 'object' || value === null;
}

const WORDS = new Map<Plain, string>([
	[true, 'Yes'],
	[false, 'No'],
	[null, ''],
	[undefined, ''],
]);

/** A value as a line of text, empty where there is none. It ends soon after it is long enough. */
export function valueInWords(value: unknown): string {
	let text = '';
	write(value, 0);
	return plainText(text, [], MAX_VALUE_LENGTH);

	function write(each: unknown, depth: number): void {
		if (isPlain(each)) text += (WORDS.get(each) ?? String(each)).slice(0, 10 * MAX_VALUE_LENGTH);
		else if (depth === MAX_DEPTH) text += '…';
		else writeInner(each, depth);
	}

	function writeInner(each: unknown, depth: number): void {
		const isList = Array.isArray(each);
		for (const [index, [name, inner]] of Object.entries(each as object).entries()) {
			if (text.length > MAX_VALUE_LENGTH) return;
			if (index > 0) text += isList ? '; ' : ', ';
			if (!isList) text += `${labelOf(name)}: `;
			write(inner, depth + 1);
		}
	}
}

/** The documents in a list of an output item, each with its file name or URL. */
export function namedIn<T extends { fileName?: string; address?: string }>(
	list: T[] = [],
): Array<{ name: string; entry: T }> {
	return list
		.map((entry) => ({ name: idOf(entry.fileName) || idOf(entry.address), entry }))
		.filter(({ name }) => name !== '');
}

/** A list or record as text for people, without what is empty: `a, b`; a table has a line for each row, `coverage: Building; limit: 1`. */
export function flat(value: Json): string | number | boolean | null {
	if (isPlain(value)) return value;
	const entries = [value].flat();
	return joined(entries.map(inLine), entries.every(isPlain) ? ', ' : '\n') || null;
}

function inLine(value: Json): string {
	if (isPlain(value)) return String(value ?? '');
	if (Array.isArray(value)) return joined(value.map(inner), ', ');
	const fields = Object.entries(value).map(([name, each]) => ({ name, text: inner(each) }));
	const shown = fields.filter(({ text }) => text !== '');
	return shown.map(({ name, text }) => `${name}: ${text}`).join('; ');
}

/** Parentheses keep apart what belongs to a value within a line. */
function inner(value: Json): string {
	const text = inLine(value);
	return isPlain(value) || text === '' ? text : `(${text})`;
}

function joined(texts: string[], separator: string): string {
	return texts.filter(Boolean).join(separator);
}

/** n8n evaluates {{ }} in HTML that becomes a parameter, so a brace is escaped like a tag. */
const ENTITIES: Record<string, string> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;',
	'{': '&#123;',
};

/** n8n shows hints as HTML, and names in them come from outside. */
export function escapeHtml(text: string): string {
	return text.replaceAll(/[&<>"'{]/g, (sign) => ENTITIES[sign] ?? sign);
}
