import type { Entered, Headers } from './support';
import * as support from './support';
import { SECRET, shown } from './support';

const byKey = (entered: Entered): Entered => ({ triggerAuthentication: 'apiKey', ...entered });
const accepts = (entered: Entered, headers: Headers) => support.accepts(byKey(entered), headers);
const refusal = (entered: Entered) => support.refusal(byKey(entered));
const usable = (entered: Entered) => support.usable(byKey(entered));

describe('the settings of an API key', () => {
	it('ask for a header and a key', () => {
		expect(shown({ triggerAuthentication: 'apiKey' })).toEqual([
			'Trigger Authentication',
			'Header Name',
			'Key',
			'Second Key',
		]);
	});

	it('are trimmed', () => {
		const entered = { headerName: ' X-Webhook-Key ', apiKey: ` ${SECRET}\n`, secondApiKey: '' };
		expect(accepts(entered, { 'x-webhook-key': SECRET })).toBe(true);
		expect(accepts(entered, { 'x-api-key': SECRET })).toBe(false);
		expect(usable(entered).required).toBe('the right key in the header x-webhook-key');
	});

	it('have the header x-api-key by default', () => {
		expect(usable({ apiKey: SECRET }).required).toBe('the right key in the header x-api-key');
	});

	it.each<[string, Entered]>([
		['nothing was entered', {}],
		['the key is empty', { apiKey: '', secondApiKey: '' }],
		['the key is white space', { apiKey: ' \t\n', secondApiKey: ' ' }],
		['only secrets of other methods are there', { jwtSecret: SECRET, publicKey: SECRET }],
	])('are refused when %s', (_, entered) => {
		expect(refusal(entered)).toEqual({
			message: "'Key' is empty",
			advice:
				'Enter it in the Document Workflow API credential. Until then, all calls are rejected',
		});
	});

	it.each([
		['Key', { apiKey: 'x'.repeat(15) }],
		['Second Key', { apiKey: SECRET, secondApiKey: ` ${'x'.repeat(15)} ` }],
	])("are refused when '%s' has fewer than 16 characters", (field, entered) => {
		expect(refusal(entered)).toEqual({
			message: `'${field}' has fewer than 16 characters, so others could guess it and start your n8n workflow`,
			advice:
				'Agree with the service operator on a longer one, such as 32 random letters and digits',
		});
		expect(usable({ apiKey: 'x'.repeat(16) }).required).toContain('the right key');
	});

	it.each(['x api key', 'x-api-key:', 'x-api-kéy', 'x,y', '(x)', '"x"', 'a\nb'])(
		'are refused when the header has the invalid name %j',
		(headerName) => {
			expect(refusal({ apiKey: SECRET, headerName })).toEqual({
				message: "'Header Name' is not a valid header name",
				advice: 'Enter only the name, without colon and spaces, e.g. x-api-key',
			});
		},
	);

	it.each([
		['Key', { apiKey: 'ein-Schlüssel-der-Tests' }],
		['Second Key', { apiKey: SECRET, secondApiKey: 'made-up-key-\tno-2' }],
		['Second Key', { apiKey: SECRET, secondApiKey: 'made-up-key-no-2\u007f' }],
	])("are refused when '%s' has a character that a header cannot carry (%#)", (field, entered) => {
		expect(refusal(entered)).toEqual({
			message: `'${field}' has a character that a header cannot carry`,
			advice:
				'Agree with the service operator on a key of letters without accents, digits and signs such as - and _',
		});
	});

	it('are refused when the name of the header was removed', () => {
		expect(refusal({ apiKey: SECRET, headerName: ' ' }).message).toBe("'Header Name' is empty");
	});
});

describe('an API key', () => {
	const both = { apiKey: 'made-up-key-no-1', secondApiKey: ' made-up-key-no-2 ' };

	it('is accepted in its header, whose name is not case-sensitive', () => {
		expect(
			accepts(both, { 'content-type': 'application/json', 'x-api-key': 'made-up-key-no-1' }),
		).toBe(true);
		expect(accepts({ ...both, headerName: 'X-Api-Key' }, { 'x-api-key': 'made-up-key-no-1' })).toBe(
			true,
		);
	});

	it('may be either of two during key rotation, but only the new one afterwards', () => {
		expect(accepts(both, { 'x-api-key': 'made-up-key-no-2' })).toBe(true);
		const later: Entered[] = [
			{ apiKey: 'made-up-key-no-2' },
			{ apiKey: ' ', secondApiKey: 'made-up-key-no-2' },
		];
		for (const after of later) {
			expect(accepts(after, { 'x-api-key': 'made-up-key-no-1' })).toBe(false);
			expect(accepts(after, { 'x-api-key': 'made-up-key-no-2' })).toBe(true);
			expect(accepts(after, { 'x-api-key': '' })).toBe(false);
		}
	});

	it('may have every character that a header can carry', () => {
		const key = 'Bearer ~!"#$%&()*+,-./09:;<=>?@AZ[]^_`az{|}';
		expect(accepts({ apiKey: key }, { 'x-api-key': key })).toBe(true);
	});

	it.each<[string, Headers]>([
		['missing', {}],
		[
			'in another header',
			{ 'x-key': 'made-up-key-no-1', authorization: 'Bearer made-up-key-no-1' },
		],
		['empty', { 'x-api-key': '' }],
		['not there', { 'x-api-key': undefined }],
		['wrong', { 'x-api-key': 'made-up-key-no-3' }],
		['in other letters', { 'x-api-key': 'MADE-UP-KEY-NO-1' }],
		['cut', { 'x-api-key': 'made-up-key-no-' }],
		['longer', { 'x-api-key': 'made-up-key-no-11' }],
		['with white space', { 'x-api-key': 'made-up-key-no-1 ' }],
		['much too long', { 'x-api-key': 'made-up-key-no-1'.repeat(1_000_000) }],
		['doubled, as Node joins it', { 'x-api-key': 'made-up-key-no-1, made-up-key-no-1' }],
		['a list', { 'x-api-key': ['made-up-key-no-1'] }],
		['a list of two', { 'x-api-key': ['made-up-key-no-1', 'made-up-key-no-1'] }],
		['of letters beyond ASCII', { 'x-api-key': 'made-up-kéy-no-1' }],
		['half of a surrogate', { 'x-api-key': '\ud800' }],
	])('is rejected when it is %s', (_, headers) => expect(accepts(both, headers)).toBe(false));
});
