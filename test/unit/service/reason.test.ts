import { readErrorBody, readFailureReason } from '../../../service/reason';
import { growthOf, LINEAR } from '../support/growth';
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
		[{ detail: [{ loc: ['body', null, { a: 1 }, 'name'], msg: 'not clear' }] }, 'name: not clear'],
		[{ detail: ' spaced ' }, 'spaced'],
		[{ detail: ' \n', message: 'busy' }, 'busy'],
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
		[
			{ detail: `invalid token ${['eyJhbGciOi', 'eyJzdWIiOj', 'c2ln'].join('.')}` },
			'invalid token [token]',
		],
		[{ detail: 7 }, '7'],
		[{ fault: { code: 17 } }, '{"fault":{"code":17}}'],
		[[{ message: 'in a list' }], 'in a list'],
		[Array.from({ length: 12 }, (_, index) => `r${index}`), /^r0; .*r9; 2 more$/],
		[Array.from({ length: 10 }, (_, index) => `r${index}`), /^r0; .*r9$/],
		['plain text', 'plain text'],
		['null', 'null'],
		['1e3', '1e3'],
		['not <b>allowed</b>', 'not <b>allowed</b>'],
		[
			' <html><title lang="en">Bad Gateway</title><p>nginx</p>',
			'a page instead of JSON: Bad Gateway',
		],
		['<p>Go</p><p>away</p>', 'a page instead of JSON: Go away'],
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
		[{ fault: ' \n' }],
	])('has no reason only when it is empty: %j', (body) => {
		expect(readErrorBody(body)).toBe('');
	});

	it.each([
		['objects', (levels: number) => deep(levels, (detail) => ({ detail })), '{"detail":'],
		['lists', (levels: number) => deep(levels, (inner) => [inner]), '["'],
	])('is looked into through six levels of %s, not more', (_, body, beginning) => {
		expect(readErrorBody(body(6))).toBe('the reason');
		expect(readErrorBody(body(7)).slice(0, beginning.length)).toBe(beginning);
	});

	it('is read only at its beginning when it is a page', () => {
		const page = '<p>x'.repeat(1_250_000);
		expect(readErrorBody(page)).toMatch(/^a page instead of JSON: x x/);
		expect(readErrorBody(page)).toBe(readErrorBody(page.slice(0, 110_000)));
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
		['holds brackets', 'S3cret<Part>Value', 'a page instead of JSON: got [secret]'],
		['holds an opening bracket', 'S3cret<Value', 'a page instead of JSON: got [secret]'],
		['is long', 'S3cret'.repeat(100), 'a page instead of JSON: got [secret]'],
	])('shows no part of a secret in a page that %s', (_, secret, reason) => {
		expect(readErrorBody(`<html><p>got ${secret}</p>`, [secret])).toBe(reason);
		expect(readErrorBody(`<html><title>got ${secret}</title>`, [secret])).toBe(reason);
	});

	it('shows no part of a secret where the reading of a page ends', () => {
		for (let before = 9_900; before < 10_010; before += 5) {
			const page = `<html>${' '.repeat(before - 6)}`.replaceAll('   ', '<p>') + SECRET;
			expect(readErrorBody(page, [SECRET])).not.toMatch(/S3c/);
		}
	});

	it.each<[string, (length: number) => unknown]>([
		['lists', (length) => deep(length / 20, (inner) => [inner])],
		['details', (length) => deep(length / 20, (inner) => ({ detail: inner }))],
		['objects of an unknown shape', (length) => deep(length / 20, (inner) => ({ a: inner }))],
		['JSON texts', (length) => '"'.repeat(length)],
		['a list of lists', (length) => JSON.stringify([[['x'.repeat(length)]]])],
		['brackets', (length) => '['.repeat(length)],
		['unclosed elements', (length) => '<a '.repeat(length / 3)],
		['titles', (length) => '<title '.repeat(length / 7)],
		['addresses', (length) => ({ detail: 'http://'.repeat(length / 7) })],
		['tokens', (length) => ({ error: '-eyJ'.repeat(length / 4) })],
		[
			'many reasons',
			(length) => ({
				detail: Array.from({ length: length / 20 }, () => ({ msg: 'x'.repeat(20) })),
			}),
		],
	])('is read in time in proportion to its length when it holds %s', async (_, make) => {
		expect(readErrorBody(make(100_000), [SECRET]).length).toBeLessThanOrEqual(500);
		expect(await growthOf(make, (body) => readErrorBody(body, [SECRET]))).toBeLessThan(LINEAR);
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
		[{ error: true, message: 'no pages' }, 'no pages'],
		[{ error: 0, message: 'no pages' }, 'no pages'],
		[{ error: true }, '{"error":true}'],
		[{ problem: { page: 3 } }, '{"problem":{"page":3}}'],
	])('is in %j: %j', (more, reason) => {
		expect(readFailureReason({ ...about, ...more }, [])).toBe(reason);
	});
});
