import { plainText } from '../../../service/text';

/** Limits of single texts, in characters (assumed). */
const MAX_LABEL_LENGTH = 80;
const MAX_VALUE_LENGTH = 300;
const MAX_ID_LENGTH = 200;

/** Records and lists within a value are written out to this depth. */
const MAX_DEPTH = 4;

/** A value as a line of text. */
export interface ShownValue {
	/** Empty where there is no value. */
	text: string;
	isNumber: boolean;
}

export interface Score {
	/** In percent where the score is on the known scale: `62 %`. */
	text: string;
	/** In percent, from 0 to 100; undefined where it is not on the known scale. */
	percent: number | undefined;
	isLow: boolean;
}

/** The name of a field or a step for people: `policy_number` is shown as "Policy number". Other names stay as they are. */
export function labelOf(name: string): string {
	const plain = plainText(name, [], MAX_LABEL_LENGTH);
	if (!/^[a-z][a-z\d]*(?:[_-][a-z\d]+)*$/.test(plain)) return plain || '(no name)';
	return plain.charAt(0).toUpperCase() + plain.slice(1).replaceAll(/[_-]/g, ' ');
}

export function idOf(id: unknown): string {
	return typeof id === 'string' || typeof id === 'number'
		? plainText(String(id), [], MAX_ID_LENGTH)
		: '';
}

export function shownValue(value: unknown): ShownValue {
	return {
		text: plainText(written(value), [], MAX_VALUE_LENGTH),
		isNumber: typeof value === 'number',
	};
}

/** `isLow`: whether the score is below the minimum; then a missing score is one that cannot be read. */
export function scoreOf(score: number | null, isLow: boolean): Score | undefined {
	if (score === null)
		return isLow ? { text: 'not readable', percent: undefined, isLow } : undefined;
	if (score < 0 || score > 1) return { text: String(score), percent: undefined, isLow };
	// A score just below the minimum must not look like the minimum. The addend undoes binary fractions: 0.29 * 100 is below 29.
	const percent = Math.floor(score * 100 + 1e-9);
	return { text: `${percent} %`, percent, isLow };
}

/** Ends soon after the text is long enough, however much the value holds. */
function written(value: unknown): string {
	let text = '';
	write(value, 0);
	return text;

	function write(each: unknown, depth: number): void {
		if (typeof each === 'string') text += each.slice(0, 10 * MAX_VALUE_LENGTH);
		else if (typeof each === 'boolean') text += each ? 'Yes' : 'No';
		else if (typeof each === 'number') text += String(each);
		else if (typeof each === 'object' && each !== null) writeInner(each, depth);
	}

	function writeInner(each: object, depth: number): void {
		if (depth === MAX_DEPTH) {
			text += '…';
			return;
		}
		let isFirst = true;
		for (const [name, inner] of Object.entries<unknown>({ ...each })) {
			if (text.length > MAX_VALUE_LENGTH) return;
			if (!isFirst) text += Array.isArray(each) ? '; ' : ', ';
			if (!Array.isArray(each)) text += `${labelOf(name)}: `;
			write(inner, depth + 1);
			isFirst = false;
		}
	}
}
