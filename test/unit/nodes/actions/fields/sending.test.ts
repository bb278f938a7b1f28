import { readContent } from '../../../../../nodes/DocumentWorkflow/actions/fields/content';
import {
	readLostResponse,
	readMaxInParallel,
} from '../../../../../nodes/DocumentWorkflow/actions/fields/sending';
import { CREATE_FIELDS } from '../../../../../service/contract';
import { contextOf, errorWith } from '../../../support/context';

const SENDING = ['additionalFields', 'lostResponse', 'maximumInParallel'];

const contextWith = (options: Record<string, unknown>) =>
	contextOf({
		parameters: Object.fromEntries(
			Object.entries(options).map(([name, value]) => [
				`${SENDING.includes(name) ? 'sendingOptions' : 'inputs'}.${name}`,
				value,
			]),
		),
	});
const SETTINGS = { names: CREATE_FIELDS, executionIdField: '', fileAccess: { client: 'x' } };
const contentOf = (
	options: Record<string, unknown>,
	itemIndex: number,
	fileUrls = ['https://files.example.com/a.pdf'],
) => readContent({ context: contextWith(options), itemIndex }, SETTINGS, fileUrls);
/** The result of an expression such as {{ $now }}. */
const DATE_OF_N8N = { ts: 1769842800000, toJSON: () => '2026-01-31T08:00:00.000+01:00' };
const pairs = (...names: string[]) => ({
	pairs: names.map((name) => ({ name, value: `${name} value` })),
});

describe('metadata', () => {
	const read = (options: Record<string, unknown>) => contentOf(options, 1).metadata;

	it('is empty by default', () => expect(read({})).toEqual({}));

	it('is combined from JSON, pairs and the external ID', () => {
		expect(
			read({ metadataJson: '{"priority": 1}', metadata: pairs('mailbox'), externalId: ' INV-1 ' }),
		).toEqual({ priority: 1, mailbox: 'mailbox value', external_id: 'INV-1' });
	});

	it.each([[''], [' '], [null], [undefined]])('has no external ID for %j', (externalId) =>
		expect(read({ externalId })).toEqual({}),
	);

	it.each([
		[2024001, '2024001'],
		[false, 'false'],
		[new Date(Date.UTC(2026, 0, 31)), '2026-01-31T00:00:00.000Z'],
		[DATE_OF_N8N, '2026-01-31T08:00:00.000+01:00'],
	])('may have %j as external ID', (externalId, text) =>
		expect(read({ externalId })).toEqual({ external_id: text }),
	);

	it.each([[{}], [['INV-1']], [new Date('soon')]])(
		'fails when its external ID is %j',
		(externalId) => {
			expect(() => read({ externalId })).toThrow(
				errorWith({
					message: "'External ID' must be a text, a number or a date",
					description: 'Enter a text, a number or a date, e.g. the expression $json.id',
					itemIndex: 1,
				}),
			);
		},
	);

	it.each([
		['JSON and pairs', { metadataJson: '{"mailbox": 1}', metadata: pairs('mailbox') }, 'mailbox'],
		[
			'JSON and the external ID',
			{ metadataJson: '{"external_id": "a"}', externalId: 'b' },
			'external_id',
		],
		[
			'pairs and the external ID',
			{ metadata: pairs('external_id'), externalId: 'b' },
			'external_id',
		],
	])('fails when %s have the same name', (_, options, name) => {
		expect(() => read(options)).toThrow(
			errorWith({
				message: `'${name}' appears twice in the metadata`,
				description:
					"Enter it only once, in 'Metadata', 'Metadata (JSON)' or, for external_id, in 'External ID'",
				itemIndex: 1,
			}),
		);
	});

	it('fails with the names of its fields in the message', () => {
		expect(() => read({ metadata: pairs('') })).toThrow(
			'The metadata entry at position 1 has no name',
		);
		expect(() => read({ metadataJson: '[1]' })).toThrow(
			"'Metadata (JSON)' must be an object, but is a list",
		);
	});
});

describe('additional fields of the body', () => {
	const read = (additionalFields: unknown) => contentOf({ additionalFields }, 2).additional;

	it('are read from the JSON object', () =>
		expect([read('{"desk": "claims"}'), read({ a: 1 }), read(undefined)]).toEqual([
			{ desk: 'claims' },
			{ a: 1 },
			{},
		]));

	it.each([
		['files', 'the files'],
		['user_inputs', 'the text inputs'],
		['client', "'File Access Fields (JSON)' in the credential"],
	])('fail when one has the name %s, which is that of %s', (name, other) => {
		expect(() => read({ a: 1, [name]: 'x' })).toThrow(
			errorWith({
				message: `The request field '${name}' is set twice: by ${other} and by 'Additional Fields (JSON)'`,
				description:
					"Remove or rename it in one of the two. The names for files, text inputs, metadata and file URLs are in the Document Workflow API credential under 'Advanced Settings'",
				itemIndex: 2,
			}),
		);
	});

	it('may have the name of a file access field when files are uploaded, which goes without those', () =>
		expect(contentOf({ additionalFields: { client: 'y' } }, 2, []).additional).toEqual({
			client: 'y',
		}));

	it('fail when they are no object', () =>
		expect(() => read('high')).toThrow(
			"'Additional Fields (JSON)' is not valid JSON: a value is expected at line 1, column 1",
		));
});

describe('the handling of a submission', () => {
	it.each([
		['fail', 'fail'],
		['continue', 'continue'],
		['again', 'again'],
		['guess', 'fail'],
		[undefined, 'fail'],
	])('is, for a lost response %j: %s', (lostResponse, read) =>
		expect(readLostResponse({ context: contextWith({ lostResponse }), itemIndex: 0 })).toBe(read),
	);

	it.each([
		[undefined, 8],
		[1, 1],
		['20', 20],
		[3.9, 3],
		[null, 8],
	])('allows for %j: %d in parallel', (maximumInParallel, most) =>
		expect(readMaxInParallel(contextWith({ maximumInParallel }))).toBe(most),
	);

	it.each([[0], [0.5], [-1], [101], ['many'], [''], [NaN], [true]])(
		'fails for %j in parallel',
		(maximumInParallel) => {
			expect(() => readMaxInParallel(contextWith({ maximumInParallel }))).toThrow(
				"'Maximum in Parallel' must be a number from 1 to 100, but is ",
			);
		},
	);
});

describe('text inputs', () => {
	const read = (options: Record<string, unknown>) => contentOf(options, 1).textInputs;

	it('are combined from pairs and JSON', () => {
		const textInputsJson = '{"claim": 1}';
		expect(read({ textInputs: pairs('policy_number'), textInputsJson })).toEqual({
			claim: 1,
			policy_number: 'policy_number value',
		});
		expect(read({ textInputs: pairs('policy_number') })).toEqual({
			policy_number: 'policy_number value',
		});
		expect(read({ textInputsJson })).toEqual({ claim: 1 });
	});

	it('are empty by default', () => expect(read({})).toEqual({}));

	it('fail when pairs and JSON have the same name', () => {
		expect(() => read({ textInputs: pairs('claim'), textInputsJson: '{"claim": 1}' })).toThrow(
			errorWith({
				message: "'claim' appears twice in the text inputs",
				description: "Enter it only once, in 'Text Inputs' or in 'Text Inputs (JSON)'",
				itemIndex: 1,
			}),
		);
	});

	it('show a long name that is given twice only in part', () => {
		const long = 'x'.repeat(500);
		expect(() => read({ textInputs: pairs(long), textInputsJson: `{"${long}": 1}` })).toThrow(
			`'${'x'.repeat(79)}…' appears twice`,
		);
	});

	it('fail with the names of their fields in the message', () => {
		expect(() => read({ textInputs: pairs('a', 'a') })).toThrow("The text input 'a' appears twice");
		expect(() => read({ textInputsJson: '{' })).toThrow(
			"'Text Inputs (JSON)' is not valid JSON: a name in double quotes is expected at line 1, column 2",
		);
	});
});
