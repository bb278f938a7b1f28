import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { isLoopback } from '../../../service/baseAddress';
import { addressesIn } from './addressesIn';

const FIELD = "'File URLs'";

/** An address that is not handed over, and why. */
export interface SkippedAddress extends IDataObject {
	itemIndex: number;
	address: string;
	reason: string;
}

/** Addresses, and those that were left out. */
export interface FileUrls {
	fileUrls: string[];
	skipped: SkippedAddress[];
}

/**
 * The addresses in 'File URLs', each once: one or several in a text, apart by white space or commas, or a list from an expression.
 * @throws NodeOperationError naming the address by its number, because the address itself may hold a signature
 */
export function fileUrlsOf(
	context: IExecuteFunctions,
	itemIndex: number,
	given: unknown,
): FileUrls {
	const texts = addressesIn(given);
	const refuse = (message: string, description: string) =>
		new NodeOperationError(context.getNode(), message, { itemIndex, description });
	if (texts === undefined)
		throw refuse(
			`${FIELD} must be addresses, and it is something else`,
			'Enter text, or a list of texts from an expression',
		);
	if (texts.length === 0)
		throw refuse(
			`${FIELD} is empty`,
			"Enter the address of a file, or choose another source under 'Documents'",
		);
	texts.forEach((text, index) => {
		const fault = faultOf(text);
		if (fault !== undefined)
			throw refuse(
				`The address at position ${index + 1} in ${FIELD} ${fault.message}`,
				fault.advice,
			);
	});
	return eachOnce(texts.map((url) => ({ itemIndex, url })));
}

/** Addresses, each once, where it is first. Those that differ in their query are different ones. */
export function eachOnce(given: Array<{ itemIndex: number; url: string }>): FileUrls {
	const seen = new Set<string>();
	const skipped: SkippedAddress[] = [];
	for (const { itemIndex, url } of given) {
		if (seen.has(url))
			skipped.push({
				itemIndex,
				address: shownAddress(url),
				reason: 'it is the same as an address before it',
			});
		seen.add(url);
	}
	return { fileUrls: [...seen], skipped };
}

/** An address without its query and fragment: a signed one is as good as the file itself. */
export function shownAddress(url: string): string {
	const { origin, pathname } = new URL(url);
	return origin + pathname;
}

/** Also behind another address in the same text, which a list from an expression may hold. */
const CREDENTIALS = /:\/\/[^/?#]*@/;

/** What the service could not use, or must not be given (published: it fetches the files itself). */
function faultOf(text: string): { message: string; advice: string } | undefined {
	if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text) || !URL.canParse(text))
		return {
			message: 'is not an absolute address',
			advice: 'Enter it whole, e.g. https://files.example.com/policy.pdf, with %20 for a space',
		};
	const { protocol, username, password, hostname } = new URL(text);
	if (username !== '' || password !== '' || CREDENTIALS.test(text)) {
		return {
			message: 'holds a user name or password',
			advice: 'Use an address without them, e.g. a link that is signed by the file store',
		};
	}
	if (protocol !== 'https:' && !(protocol === 'http:' && isLoopback(hostname))) {
		return {
			message: 'does not begin with https://',
			advice: 'The service fetches files over HTTPS only',
		};
	}
	return undefined;
}
