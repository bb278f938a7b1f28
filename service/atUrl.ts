/**
 * Content that is only an address, in place of the data (published for notifications only). Whoever has the address may
 * read the data by it, because its query may be a signature.
 */
import { FIELDS, type Json } from './contract';
import { isObject, isRecord } from './json';

/** With a scheme or without (`s3://bucket/1`, `//files.example.com/1`, `/signed/1`), and nothing around it. */
const ADDRESS = /^(?:(?:[a-z][a-z\d+.-]{0,30}:)?\/\/\S|\/[^\s/])\S*$/i;

/** No text, or a time, such as the one at which an address expires. */
const SAYS_NOTHING = /^(?:\d{4}-\d\d-\d\d(?:[T ][\d:.+Z-]+)?)?$/;

/** Whether all texts of the data are addresses. Numbers and times may be beside them. */
export function isAtUrl(data: Json | undefined): data is Json {
	const isOther = (text: string) => !isAddress(text) && !SAYS_NOTHING.test(text);
	return !someText(data, isOther) && someText(data, isAddress);
}

export function withoutQueries(data: Json): Json {
	if (typeof data === 'string') return isAddress(data) ? withoutQuery(data) : data;
	if (Array.isArray(data)) return data.map(withoutQueries);
	if (!isRecord(data)) return data;
	const entries = Object.entries(data).map(([name, each]) => [name, withoutQueries(each)]);
	return Object.fromEntries(entries) as Json;
}

function isAddress(text: string): boolean {
	return ADDRESS.test(text.trim());
}

/** Without user name and password too. */
function withoutQuery(address: string): string {
	const [place = ''] = address.trim().split(/[?#]/, 1);
	return place.replace(/(?<=^[^/]*\/\/)[^/]*@/, '');
}

/** Whether the data has such a text. What is published beside data is left out. */
function someText(data: Json | undefined, is: (text: string) => boolean): boolean {
	if (typeof data === 'string') return is(data);
	if (!isObject(data)) return false;
	const { beside } = FIELDS.step;
	return Object.entries(data).some(([name, each]) => !beside.includes(name) && someText(each, is));
}
