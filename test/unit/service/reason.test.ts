import { readErrorBody, readFailureReason } from '../../../service/reason';
import { fastest } from '../support/fastest';
import { fc } from '../../properties';

const SECRET = 'S3cret-"\\-Value-1';

const deep = (levels: number, wrap: (inner: unknown) => unknown): unknown => {
	let value: unknown = 'the reason';
	for (let level = 0; level < levels; level++) value = wrap(value);
	return value;
};

describe('an error body', () => {
	it.each([
		[{ detail: 'No such workflow' }, 'No such workflow'],
		[
			{
				detail: [
					{ loc: ['body', 'client_id'], msg: 'field required', type: 'value_error.missing' },
				],
			},
			'client_id: field required',
		],
		[{ detail: [{ msg: 'one' }, '', { loc: [], msg: 'two' }] }, 'one; two'],
		[{ detail: [{ loc: ['body', 'files', 0, 'name'], msg: 'bad' }] }, 'files.0.name: bad'],
		[{ detail: { code: 'E7' } }, 'E7'],
		[{ detail: ' spaced ' }, 'spaced'],
		[{ message: 'busy' }, 'busy'],
		[{ error: { message: 'in an object' } }, 'in an object'],
		[{ error: 'invalid_client', error_description: 'Unknown client' }, 'Unknown client'],
		[
			{ statusCode: 400, message: ['a must be text', 'b is missing'], error: 'Bad Request' },
			'a must be text; b is missing',
		],
		[{ reason: 'quota' }, 'quota'],
		[{ errors: [{ message: 'too large' }, { message: 'not a PDF' }] }, 'too large; not a PDF'],
		[{ errors: { files: ['is required'] } }, '{"files":["is required"]}'],
		[{ detail: '{"error":"JSON in a text"}' }, 'JSON in a text'],
		[
			{ detail: `invalid token ${['eyJhbGciOi', 'eyJzdWIiOj', 'c2ln'].join('.')}` },
			'invalid token [token]',
		],
		[{ detail: 7 }, '7'],
		[{ fault: { code: 17 } }, '{"fault":{"code":17}}'],
		[[{ message: 'in a list' }], 'in a list'],
		[Array.from({ length: 12 }, (_, index) => `r${index}`), /^r0; .*r9; 2 more$/],
		['plain text', 'plain text'],
		['"a JSON text"', 'a JSON text'],
		['{"detail": "JSON of another type"}', 'JSON of another type'],
		['{not JSON', '{not JSON'],
		[
			'<html><head><title>502 Bad\nGateway</title></head><p>x',
			'a page instead of JSON: 502 Bad Gateway',
		],
		['<p>Go <b>away</b></p>', 'a page instead of JSON: Go away'],
		['<html>', 'a page instead of JSON'],
		['<3 errors', '<3 errors'],
		[{ __proto__: null, constructor: 'x' }, '{"constructor":"x"}'],
		[7, '7'],
	])('has in %j the reason %j', (body, text) => {
		expect(readErrorBody(body)).toMatch(
			text instanceof RegExp
				? text
				: new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`),
		);
	});

	it.each([
		[undefined],
		[null],
		[''],
		[' \n'],
		[{}],
		[[]],
		[{ detail: null, message: '' }],
		[{ detail: [] }],
	])('has no reason only when it is empty: %j', (body) => {
		expect(readErrorBody(body)).toBe('');
	});

	it.each([
		['an object', { detail: { input: { client: SECRET } } }],
		['the place of a fault', { detail: [{ loc: ['body', SECRET], msg: `not ${SECRET}` }] }],
		['a field name', { detail: { [SECRET]: 1 } }],
		['a JSON text', JSON.stringify({ a: { b: SECRET } })],
		['a JSON text in a text', { detail: `got ${JSON.stringify({ a: SECRET })}` }],
		['a URL', { detail: `got https://a.example/${encodeURIComponent(SECRET)}` }],
		['a page', `<html><title>${SECRET}</title>`],
		['deep inside', deep(50, (inner) => ({ detail: inner ?? SECRET }))],
	])('never shows the secret within %s', (_, body) => {
		expect(readErrorBody(body, [SECRET])).not.toMatch(/S3cret|Value/);
	});

	it.each([
		['lists', deep(20_000, (inner) => [inner])],
		['details', deep(20_000, (inner) => ({ detail: inner }))],
		['objects of an unknown shape', deep(20_000, (inner) => ({ a: inner }))],
		['JSON texts', '"'.repeat(100_000)],
		['a list of lists', JSON.stringify([[['x'.repeat(99_000)]]])],
		['brackets', '['.repeat(100_000)],
		['unclosed elements', '<a '.repeat(30_000)],
		['titles', '<title '.repeat(14_000)],
		['addresses', { detail: 'http://'.repeat(14_000) }],
		['tokens', { error: '-eyJ'.repeat(25_000) }],
		['many reasons', { detail: Array.from({ length: 5_000 }, () => ({ msg: 'x'.repeat(20) })) }],
	])('is read within 50 ms when it holds 100 kB of %s', (_, body) => {
		expect(readErrorBody(body, [SECRET]).length).toBeLessThanOrEqual(500);
		expect(fastest(() => readErrorBody(body, [SECRET]))).toBeLessThan(50);
	});

	it('gives one short line, whatever it is', () => {
		const text = fc.oneof(fc.string(), fc.constant(`a ${SECRET} b`), fc.constant(SECRET));
		const { body } = fc.letrec((tie) => ({
			body: fc.oneof(
				{ maxDepth: 5 },
				text,
				fc.integer(),
				fc.constant(null),
				fc.array(tie('body'), { maxLength: 4 }),
				fc.dictionary(
					fc.oneof(text, fc.constantFrom('detail', 'error', 'errors', 'msg', 'loc')),
					tie('body'),
				),
			),
		}));
		fc.assert(
			fc.property(body, (any) => {
				const reason = readErrorBody(any, [SECRET]);
				expect(reason.length).toBeLessThanOrEqual(500);
				expect(reason).not.toMatch(/[\p{Cc}\p{Cs}]|S3cret/u);
			}),
		);
	});
});

describe('the reason of a failed execution', () => {
	const about = {
		workflow_id: 'wf',
		workflow_execution_id: 'ex',
		status: 'failed',
		metadata: { a: 1 },
	};

	it.each([
		[{}, ''],
		[{ steps: [] }, ''],
		[{ error: null, message: 'why' }, 'why'],
		[{ error: { message: 'inner' }, message: 'outer' }, 'inner'],
		[{ errors: [{ message: 'first' }] }, 'first'],
		[{ reason: 'no pages' }, 'no pages'],
		[{ problem: { page: 3 } }, '{"problem":{"page":3}}'],
	])('is in %j: %j', (more, reason) => {
		expect(readFailureReason({ ...about, ...more })).toBe(reason);
	});
});
