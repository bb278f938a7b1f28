import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { anyCharacter, cases, fc } from '../../../properties';
import type { Json, JsonRecord } from '../../../../service/contract';
import { madeExecution } from './made';
import { manyClaims, reportsOf, STORED, textOfHtml, textsOfMarkdown } from './reports';
import { cell, POLICY, step } from './support';

const GOLDEN = join(__dirname, '../golden/reports');
const RUNS = cases(300);

describe('The reports that are stored', () => {
	const stored = Object.entries(STORED).flatMap(([name, written]) => [
		[`${name}.html`, () => written().html] as const,
		[`${name}.md`, () => written().markdown] as const,
	]);

	it.each(stored)('are what is written: %s', (file, write) => {
		const text = write();
		if (process.env.UPDATE_GOLDEN === '1') {
			mkdirSync(GOLDEN, { recursive: true });
			writeFileSync(join(GOLDEN, file), text);
		}
		expect(readFileSync(join(GOLDEN, file), 'utf8')).toBe(text);
	});

	it('are all compared', () => {
		expect(readdirSync(GOLDEN).sort()).toEqual(stored.map(([file]) => file).sort());
	});

	it.each(Object.entries(STORED))('hold nothing but their own elements: %s', (_name, written) => {
		const { html, markdown } = written();
		textOfHtml(html);
		textsOfMarkdown(markdown);
	});
});

/** Texts of what is special in HTML and Markdown. */
const hostileText = fc.oneof(
	fc.string({ unit: fc.constantFrom(...'<>&"\'`|\\[]()*_~#!@:/.$-+=;{} \n\t1a\u202E\ud83d') }),
	fc.constantFrom(
		'</td></table><script>alert(1)</script>',
		'" onclick="x',
		'&lt;b&gt;&#60;',
		'<!--',
		']]>',
		'[a](javascript:x)',
		'![a](https://x.example/a.png)',
		'<https://x.example>',
		'https://x.example/a?b=c',
		'www.x.example',
		'mailto:a@x.example',
		'`a` ``b',
		'a\\|b\\\\|c',
		'- a',
		'1. a',
		'---',
		':tada:',
		'${html}',
	),
	fc.string({ unit: anyCharacter, maxLength: 30 }),
	fc.integer({ min: 1, max: 5_000 }).map((length) => '<`|'.repeat(length)),
);

const hostileExecution = fc
	.record({
		steps: fc.array(
			fc.record({
				step_name: hostileText,
				data: fc.oneof(
					hostileText,
					fc.array(
						fc.dictionary(hostileText, fc.oneof(hostileText, fc.array(hostileText)), {
							maxKeys: 8,
						}),
						{
							maxLength: 3,
						},
					),
				),
			}),
			{ maxLength: 3 },
		),
		status: fc.oneof(
			hostileText.map((text) => `a${text}`),
			fc.constantFrom('completed', 'failed', 'running'),
		),
		external_id: hostileText,
		error: hostileText,
	})
	.map(({ external_id, ...body }) => ({ ...body, metadata: { external_id } }));

describe('The reports of any execution', () => {
	it('hold no element but their own, and no link, HTML or other mark of Markdown', () => {
		fc.assert(
			fc.property(
				fc.oneof(
					hostileExecution,
					madeExecution.map(({ body }) => body as JsonRecord),
				),
				hostileText,
				hostileText,
				(body, id, fileName) => {
					const { html, markdown } = reportsOf(
						body,
						{},
						{ documents: [{ fileName, sha256: fileName }, { address: id }] },
						{ workflowId: id, executionId: fileName },
					);
					for (const text of [textOfHtml(html), ...textsOfMarkdown(markdown)])
						expect(text).not.toMatch(/[\p{Bidi_Control}\p{Cs}]/u);
				},
			),
			RUNS,
		);
	});

	it('show each plain value', () => {
		const value = fc.string({ unit: fc.constantFrom(...'<>&"\'`|*_[]()@:/.ab1'), minLength: 1 });
		fc.assert(
			fc.property(value, (text) => {
				const { html, markdown } = reportsOf({ steps: [step('s', [{ a: cell(text, 0.9) }])] });
				expect(textOfHtml(html)).toContain(text);
				expect(markdown.replaceAll('\\|', '|')).toContain(text);
			}),
			RUNS,
		);
	});
});

describe('The page', () => {
	const text = (body: JsonRecord, ...more: [] | [object] | [object, object]) =>
		textOfHtml(reportsOf(body, ...more).html).replaceAll(/\s+/g, ' ');

	const withoutConfidence = (...names: string[]): JsonRecord => ({
		steps: names.map((name) => step(name, [{ a: 1 }])),
	});

	it('says first what needs review, with its step, row and confidence', () => {
		const words = text(POLICY);
		expect(words).toContain(
			'INV-1 Needs review. 2 values are below the minimum confidence of 80 %. To review Premium Policy 1250 42 % Paid Losses, row 2 20 50 %',
		);
		expect(words.indexOf('To review')).toBeLessThan(words.indexOf('CPP-1'));
	});

	it.each<[string, JsonRecord, object, string]>([
		[
			'all is well',
			POLICY,
			{ minimumConfidence: 0.3 },
			'Nothing to review. Minimum confidence: 30 %.',
		],
		[
			'nothing is compared',
			POLICY,
			{ minimumConfidence: undefined },
			'Confidence was not checked: there is no minimum confidence.',
		],
		[
			'the execution failed',
			{ ...POLICY, status: 'failed', error: 'Page 3 is blank' },
			{},
			'The execution failed: Page 3 is blank.',
		],
		['the execution failed without a reason', { status: 'failed' }, {}, 'The execution failed.'],
		[
			'the execution runs',
			{ status: 'in_review' },
			{},
			'The execution is not finished. Status: In review.',
		],
		[
			'the status says so',
			{ ...POLICY, status: 'needs_review' },
			{ minimumConfidence: 0.3 },
			'Needs review. Status of the service: Needs review.',
		],
		['there is no data', {}, {}, 'Needs review. There is no data.'],
		[
			'a step has no confidence',
			{ steps: [step('notes', [{ a: 1 }])] },
			{},
			'Needs review. No confidence in: Notes.',
		],
		[
			'five steps have no confidence',
			withoutConfidence('a', 'b', 'c', 'd', 'e'),
			{},
			'No confidence in: A, B, C, D, E.',
		],
		[
			'more steps have no confidence',
			withoutConfidence('a', 'b', 'c', 'd', 'e', 'f'),
			{},
			'No confidence in: A, B, C, D, E and 1 more.',
		],
		[
			'one value is low',
			POLICY,
			{ minimumConfidence: 0.45 },
			'Needs review. 1 value is below the minimum confidence of 45 %.',
		],
		[
			'there are two reasons',
			{ ...POLICY, status: 'needs_review' },
			{},
			'Needs review. 2 values are below the minimum confidence of 80 %. Status of the service: Needs review.',
		],
		[
			'fields have other minimums',
			POLICY,
			{ minimumConfidence: 0.3, byField: { number: 0.9, premium: 0.4, paid: undefined } },
			'Nothing to review. Minimum confidence: 30 to 90 %.',
		],
		[
			'only one field has a minimum',
			POLICY,
			{ minimumConfidence: undefined, byField: { premium: 0.4, paid: undefined } },
			'Nothing to review. Minimum confidence: 40 %.',
		],
	])('says in its heading when %s', (_, body, shaping, words) => {
		expect(text(body, shaping)).toContain(words);
	});

	it('rounds a confidence down, so that none looks like the minimum', () => {
		const words = text({ steps: [step('s', [{ a: cell('x', 0.7999), b: cell('y', 0.29) }])] });
		expect(words).toContain('A x 79 % B y 29 %');
	});

	it('shows a score that is not on the known scale as it is', () => {
		const steps = [step('s', [{ a: cell('x', 98), b: { value: 'y', confidence_score: 'high' } }])];
		expect(text({ steps })).toContain('A x 98 B y not readable');
	});

	it('hides values below the minimum when they are to be blank, and lists them on top', () => {
		expect(text(POLICY, { below: 'blank' })).toContain('Policy Number CPP-1 98 % Premium – 42 %');
	});

	it('follows Only Steps, and Only Those Items', () => {
		const words = text(POLICY, { onlySteps: ['losses'], onlyReview: true });
		expect(words).not.toContain('CPP-1');
		expect(words).toContain('Losses Row Paid Confidence 2 20 50 % 50 %');
	});

	it('names the first documents where there is no External ID, and lists all with their hashes', () => {
		const documents = ['a', 'b', 'c', 'd'].map((name) => ({
			fileName: `${name}.pdf`,
			sha256: `${name}1`,
		}));
		const words = text({ steps: POLICY.steps as Json }, {}, { documents });
		expect(words).toContain('a.pdf, b.pdf, c.pdf and 1 more');
		expect(words).toContain('Documents a.pdf SHA-256 a1 b.pdf SHA-256 b1 c.pdf');
	});

	it('names only documents that have a name or an address', () => {
		const body = { steps: POLICY.steps as Json };
		const named = { fileName: 'a.pdf', sha256: 'a1' };
		const address = 'https://files.example.com/1';
		expect(text(body, {}, { documents: [null, 'x', {}, named, { address }] })).toContain(
			`Documents a.pdf SHA-256 a1 ${address} Workflow: w`,
		);
		expect(text(body, {}, { documents: named })).toContain(
			'Documents a.pdf SHA-256 a1 Workflow: w',
		);
		for (const documents of [undefined, [], 'x', [{ fileName: '' }]])
			expect(text(body, {}, { documents })).not.toContain('Documents');
	});

	it('ends with the IDs', () => {
		expect(text(POLICY)).toMatch(
			/Workflow: w Execution: e External ID: INV-1 Status: completed\s*$/,
		);
	});
});

describe('A report of a large execution', () => {
	it('says how many rows and values it leaves out, which the CSV report has', () => {
		const { html, markdown } = reportsOf(manyClaims(1_200));
		const words = 'Not shown here: 200 rows, 1100 values to review. The CSV report has all rows.';
		expect(html).toContain(words);
		expect(markdown).toContain(words);
		expect(html).toContain('CLM-999<');
		expect(html).not.toContain('CLM-1000<');
		expect(reportsOf(manyClaims(1_001)).html).toContain(
			'Not shown here: 1 row, 901 values to review.',
		);
		expect(reportsOf(manyClaims(100)).html).not.toContain('Not shown here');
	});

	it('leaves out rows of a wide table, which together have very many fields', () => {
		const row = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`f${index}`, index]));
		const rows = Array.from({ length: 502 }, () => row);
		expect(reportsOf({ steps: [step('s', rows)] }).html).toContain('Not shown here: 2 rows.');
	});

	it('leaves out fields of a row that has very many', () => {
		const row = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`f${index}`, index]));
		const { html } = reportsOf({ steps: [step('s', [row])] });
		expect(html).toContain('Not shown here: 100 fields.');
		expect(html).toContain('F199<');
		expect(html).not.toContain('F200<');
	});
});
