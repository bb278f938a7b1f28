/** Reading JSON texts of the service. `JSON.parse` alone rounds long integers, such as numeric IDs. */

/** Shorter integers are always exact. Without the upper bound, a pattern throws on millions of digits. */
const LONG_INTEGER = /(?<![\d.e+-])-?\d{16,10000}(?![\d.e])/gi;

/** The value of a JSON text; undefined when it is none. Integers beyond 2^53, of up to 10,000 digits, become texts. */
export function parseJson(text: string): unknown {
	// A byte order mark is no JSON.
	const json = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
	try {
		return JSON.parse(json.search(LONG_INTEGER) < 0 ? json : withExactIntegers(json)) as unknown;
	} catch {
		return undefined;
	}
}

/** What is between two quotes is in or outside of a string. A quote behind an odd number of backslashes ends no string. */
function withExactIntegers(json: string): string {
	let isString = false;
	const parts = json.split('"').map((part) => {
		const exact = isString ? part : part.replace(LONG_INTEGER, exactInteger);
		isString = !isString || endsWithEscape(part);
		return exact;
	});
	return parts.join('"');
}

function exactInteger(digits: string): string {
	return Number.isSafeInteger(Number(digits)) ? digits : `"${digits}"`;
}

function endsWithEscape(part: string): boolean {
	let backslashes = 0;
	while (part.at(-1 - backslashes) === '\\') backslashes++;
	return backslashes % 2 === 1;
}
