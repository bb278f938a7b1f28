import { readIdentifier, workflowIdIn } from '../../../service/identifier';
import { growthOf, LINEAR } from '../support/growth';
import { anyCharacter, fc } from '../../properties';

describe('an identifier', () => {
	it.each([
		['wf-1', 'wf-1'],
		['  padded\n', 'padded'],
		['1e3', '1e3'],
		['007', '007'],
		['9007199254740993', '9007199254740993'],
		['a.b', 'a.b'],
		['...', '...'],
		['..a', '..a'],
		['Schäden 2026', 'Schäden 2026'],
		['👍', '👍'],
		[1e3, '1000'],
		[0, '0'],
		[Number.MAX_SAFE_INTEGER, '9007199254740991'],
		['x'.repeat(500), 'x'.repeat(500)],
		[`${' '.repeat(999)}x`, 'x'],
	])('is read from %j', (value, id) => expect(readIdentifier(value)).toBe(id));

	it('is read from a negative zero', () => expect(readIdentifier(-0)).toBe('0'));

	it.each([
		[''],
		[' \t'],
		['.'],
		['..'],
		[' .. '],
		['../other'],
		['a/..'],
		['a\\..\\b'],
		['./a'],
		['a\nb'],
		['a\u0000'],
		['a\u0085b'],
		['a\u2028b'],
		['a\u202eb'],
		['\ud800'],
		['a\udc00b'],
		['x'.repeat(501)],
		[`${' '.repeat(1000)}x`],
		[true],
		[null],
		[undefined],
		[['a']],
		[{ id: 'a' }],
	])('is not %j', (value) => expect(readIdentifier(value)).toBeUndefined());

	it.each([2 ** 53, 1.5, NaN, Infinity])('is not the number %d', (value) =>
		expect(readIdentifier(value)).toBeUndefined(),
	);

	it('stays one part of a path and one line of the log, whatever comes', () => {
		const text = fc.oneof(
			fc.string({ unit: anyCharacter }),
			fc
				.array(fc.constantFrom('.', '/', '\\', '%', ' ', '\n', 'a'), { maxLength: 6 })
				.map((each) => each.join('')),
		);
		fc.assert(
			fc.property(fc.oneof(text, fc.double(), fc.anything()), (value) => {
				const id = readIdentifier(value);
				if (id === undefined) return;
				const { pathname } = new URL(`https://a.example/w/${encodeURIComponent(id)}/e`);
				expect(pathname).toBe(`/w/${encodeURIComponent(id)}/e`);
				expect(id).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
				expect(readIdentifier(id)).toBe(id);
				if (typeof value === 'number') expect(Number(id)).toBe(value === 0 ? 0 : value);
			}),
		);
	});

	it.each([' ', './', 'a', '\n'])(
		'is refused in time in proportion to its length: many %j',
		async (piece) => {
			const make = (size: number) => piece.repeat(size);
			expect(readIdentifier(make(1e6))).toBeUndefined();
			expect(await growthOf(make, readIdentifier, 1e6)).toBeLessThan(LINEAR);
		},
	);
});

describe('the URL of a workflow', () => {
	it.each<[string, string]>([
		['https://app.example.com/workflows/wf-1', 'wf-1'],
		['http://localhost:3000/workflow/wf-1/', 'wf-1'],
		['HTTPS://APP.EXAMPLE.COM/WORKFLOWS/WF-1', 'WF-1'],
		[' \n https://app.example.com/workflows/wf-1\n', 'wf-1'],
		['https://app.example.com/workflows/wf-1?tab=runs', 'wf-1'],
		['https://app.example.com/workflows/wf-1#runs', 'wf-1'],
		['https://app.example.com/#/workflows/wf-1/runs', 'wf-1'],
		['https://app.example.com/api/v1/workflow-builder/workflows/wf-1/executions', 'wf-1'],
		['https://app.example.com/workflows/Loss%20Runs', 'Loss Runs'],
		['https://app.example.com/workflows/100%', '100%'],
	])('%j holds the ID %j', (address, id) => {
		expect(workflowIdIn(address)).toBe(id);
	});

	it.each([
		['https://app.example.com/workflows'],
		['https://app.example.com/workflows/'],
		['https://app.example.com/workflows//runs'],
		['https://app.example.com/runs/wf-1'],
		[''],
		['wf-1'],
		['100%25'],
		['/workflows/wf-1'],
		['app.example.com/workflows/wf-1'],
		['ftp://app.example.com/workflows/wf-1'],
		['see https://app.example.com/workflows/wf-1'],
		['xhttps://app.example.com/workflows/wf-1'],
	])('is not %j, which is returned as it is', (text) => {
		expect(workflowIdIn(text)).toBe(text);
	});
});
