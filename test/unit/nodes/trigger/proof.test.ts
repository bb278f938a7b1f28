import type { ApiKeySettings } from '../../../../credentials/webhook/apiKey';
import { isProven } from '../../../../nodes/DocumentWorkflow/trigger/proof/isProven';

type Headers = Parameters<typeof isProven>[1]['headers'];

const call = (headers: Headers) => ({
	headers,
	rawBody: Buffer.from('{"status": "completed"}'),
	now: Date.UTC(2026, 0, 15, 12),
});

describe('without a check', () => {
	it('every call is accepted', () => expect(isProven({ method: 'none' }, call({}))).toBe(true));
});

describe('an API key', () => {
	const settings: ApiKeySettings = {
		method: 'apiKey',
		header: 'x-api-key',
		keys: ['key-1', 'key-2'],
	};
	const proves = (headers: Headers) => isProven(settings, call(headers));

	it('is accepted in its header, whose name may be in any case on either side', () => {
		expect(proves({ 'content-type': 'application/json', 'x-api-key': 'key-1' })).toBe(true);
		expect(proves({ 'X-API-Key': 'key-1' })).toBe(true);
		expect(isProven({ ...settings, header: 'X-Api-Key' }, call({ 'x-api-key': 'key-1' }))).toBe(
			true,
		);
	});

	it('may be either of two while they are exchanged, and only the new one afterwards', () => {
		expect(proves({ 'x-api-key': 'key-2' })).toBe(true);
		expect(isProven({ ...settings, keys: ['key-2'] }, call({ 'x-api-key': 'key-1' }))).toBe(false);
		expect(isProven({ ...settings, keys: ['key-2'] }, call({ 'x-api-key': 'key-2' }))).toBe(true);
	});

	it.each<[string, Headers]>([
		['missing', {}],
		['in another header', { 'x-key': 'key-1', authorization: 'Bearer key-1' }],
		['empty', { 'x-api-key': '' }],
		['not there', { 'x-api-key': undefined }],
		['wrong', { 'x-api-key': 'key-3' }],
		['in other letters', { 'x-api-key': 'KEY-1' }],
		['cut', { 'x-api-key': 'key-' }],
		['longer', { 'x-api-key': 'key-11' }],
		['with white space', { 'x-api-key': 'key-1 ' }],
		['much too long', { 'x-api-key': 'key-1'.repeat(1_000_000) }],
		['doubled, as Node joins it', { 'x-api-key': 'key-1, key-1' }],
		['a list', { 'x-api-key': ['key-1'] }],
		['a list of two', { 'x-api-key': ['key-1', 'key-1'] }],
		['there under two spellings', { 'x-api-key': 'key-1', 'X-API-KEY': 'key-1' }],
		['of letters beyond ASCII', { 'x-api-key': 'kéy-1' }],
		['half of a surrogate', { 'x-api-key': '\ud800' }],
	])('is refused when it is %s', (_, headers) => expect(proves(headers)).toBe(false));

	it('is refused beyond the size of headers, and accepted up to it', () => {
		const [fits, oversized] = ['k'.repeat(16_384), 'k'.repeat(16_385)];
		const long = { ...settings, keys: [fits, oversized] };
		expect(isProven(long, call({ 'x-api-key': fits }))).toBe(true);
		expect(isProven(long, call({ 'x-api-key': oversized }))).toBe(false);
	});

	it('proves nothing where no key was entered', () => {
		expect(isProven({ ...settings, keys: [] }, call({ 'x-api-key': 'key-1' }))).toBe(false);
		expect(isProven({ ...settings, keys: [''] }, call({ 'x-api-key': '' }))).toBe(false);
	});
});
