import { fault } from '../../../service/errors';
import type { Fault } from '../../../service/http';
import { parseJson } from '../../../service/json';
import { isSafe } from '../../../credentials/settings';
import { errorAt, type Place } from '../panel/options';

const FIELD = "'File URLs'";

/**
 * The addresses in 'File URLs', each once. A different query makes a different address.
 * @throws NodeOperationError naming an address by its position, because the address itself may contain a signature
 */
export function fileUrlsOf(place: Place, given: unknown): string[] {
	const texts = addressesIn(given);
	if (texts === undefined) {
		const advice = 'Enter URLs as text, or as a list of texts from an expression';
		throw errorAt(place, `${FIELD} must be text or a list of texts`, advice);
	}
	if (texts.length === 0) {
		const advice = "Enter the URL of a file, or choose another source under 'Documents'";
		throw errorAt(place, `${FIELD} is empty`, advice);
	}
	texts.forEach((text, index) => {
		const found = faultOf(text);
		if (found !== undefined)
			throw errorAt(place, `URL ${index + 1} in ${FIELD} ${found.message}`, found.advice);
	});
	return [...new Set(texts)];
}

/** An address without its query and fragment, which may be a signature that gives access to the file. */
export function shownAddress(url: string): string {
	const { origin, pathname } = new URL(url);
	return origin + pathname;
}

/** Matches in every address of the text, as in a list entry with several. */
const CREDENTIALS = /:\/{2,}[^/?#]*@/;

/** Why an address must not be sent (published: the service fetches the files itself). */
function faultOf(text: string): Fault | undefined {
	if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text) || !URL.canParse(text))
		return fault(
			'is not a complete URL',
			'Enter a complete URL such as https://files.example.com/policy.pdf, with %20 for spaces',
		);
	if (CREDENTIALS.test(text))
		return fault(
			'contains a user name or password',
			'Use a URL without them, e.g. a signed link of your file storage',
		);
	return isSafe(new URL(text))
		? undefined
		: fault('does not begin with https://', 'The service downloads files only over HTTPS');
}

/** White space. Also commas, semicolons and bars, but only before white space, the end or another address. */
const SEPARATOR = /\s+|(?<![,;|])[,;|]+(?=\s|$|[a-z][a-z0-9+.-]*:\/\/)/i;
/** A list entry is one address, or several separated by white space. */
const SEPARATOR_IN_ENTRY = /(?<![,;|])[,;|]*\s+/;

/** The addresses in a text or a list of texts, also as JSON, which AI agents write; undefined for any other value. */
export function addressesIn(given: unknown): string[] | undefined {
	const list = typeof given === 'string' ? (parseJson(given) ?? given) : (given ?? []);
	if (typeof list === 'string') return list.split(SEPARATOR).filter(Boolean);
	const isList = Array.isArray(list) && list.every((entry) => typeof entry === 'string');
	return isList
		? list.flatMap((entry) => entry.split(SEPARATOR_IN_ENTRY)).filter(Boolean)
		: undefined;
}
