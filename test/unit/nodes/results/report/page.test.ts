import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { anyCharacter, cases, fc } from '../../../../properties';
import type { Json, JsonRecord } from '../../../../../service/contract';
import { madeExecution } from '../made';
import { reportOn, STORED, textOfHtml } from './reports';
import { STYLE } from '../../../../../nodes/DocumentWorkflow/results/words/report/html';
import { cell, POLICY, step } from '../support';

const GOLDEN = join(__dirname, '../../golden/reports');
const RUNS = cases(300);

describe('The reports that are stored', () => {
	it.each(Object.entries(STORED))('are what is written: %s', async (name, write) => {
		const text = await write();
		if (process.env.UPDATE_GOLDEN === '1') {
			mkdirSync(GOLDEN, { recursive: true });
			writeFileSync(join(GOLDEN, `${name}.html`), text);
		}
		expect(readFileSync(join(GOLDEN, `${name}.html`), 'utf8')).toBe(text);
	});

	it('are all compared', () => {
		expect(readdirSync(GOLDEN).sort()).toEqual(
			Object.keys(STORED)
				.map((name) => `${name}.html`)
				.sort(),
		);
	});

	it.each(Object.entries(STORED))(
		'hold nothing but their own elements: %s',
		async (_name, write) => {
			textOfHtml(await write());
		},
	);
});

/** Texts of what is special in HTML and in n8n. */
const hostileText = fc.oneof(
	fc.string({ unit: fc.constantFrom(...'<>&"\'`|\\[]()*_~#!@:/.$-+=;{} \n\t1a\u202E\ud83d') }),
	fc.constantFrom(
		'</td></table><script>alert(1)</script>',
		'" onclick="x',
		'&lt;b&gt;&#60;',
		'&#123;&#123;',
		'<!--',
		']]>',
		'{{ $env.X }}',
		'{{{{',
		'<https://x.example>',
		'https://x.example/a?b=c',
		'javascript:x',
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

describe('The report of any execution', () => {
	it('holds no element but its own, and no brace, which could begin an expression', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.oneof(
					hostileExecution,
					madeExecution.map(({ body }) => body as JsonRecord),
				),
				hostileText,
				hostileText,
				async (body, id, fileName) => {
					const page = await reportOn(
						body,
						{},
						{
							documents: [{ fileName, sha256: fileName }, { address: id }],
							skipped: [{ fileName, reason: 'misnamed', detail: id }],
						},
						{ workflowId: id, executionId: fileName },
					);
					expect(textOfHtml(page)).not.toMatch(/[\p{Bidi_Control}\p{Cs}]/u);
				},
			),
			RUNS,
		);
	});

	it('shows each plain value', async () => {
		const value = fc.string({ unit: fc.constantFrom(...'<>&"\'`|*_[]()@:/.{}ab1'), minLength: 1 });
		await fc.assert(
			fc.asyncProperty(value, async (text) => {
				expect(
					textOfHtml(await reportOn({ steps: [step('s', [{ a: cell(text, 0.9) }])] })),
				).toContain(text);
			}),
			RUNS,
		);
	});
});

describe('The page', () => {
	const text = async (body: JsonRecord, ...more: [] | [object] | [object, object]) =>
		textOfHtml(await reportOn(body, ...more)).replaceAll(/\s+/g, ' ');

	it('says first what needs review, with its step, row and confidence', async () => {
		const words = await text(POLICY);
		expect(words).toContain(
			'INV-1 W Needs review 2 values are below the minimum confidence of 80 %. To review Field Value Confidence Policy: premium 1,250 42 % Losses, row 2: paid 20 50 %',
		);
		expect(words.indexOf('To review')).toBeLessThan(words.indexOf('CPP-1'));
	});

	it.each<[string, JsonRecord, object, string]>([
		[
			'all is well',
			POLICY,
			{ minimumConfidence: 0.3 },
			'Nothing to review Minimum confidence: 30 %.',
		],
		[
			'nothing is compared',
			POLICY,
			{ minimumConfidence: undefined },
			'Confidence was not checked There is no minimum confidence.',
		],
		[
			'the execution failed',
			{ ...POLICY, status: 'failed', error: 'Page 3 is blank' },
			{},
			'The execution failed: Page 3 is blank.',
		],
		['the execution runs', { status: 'queued' }, {}, 'Still running: its status is "queued".'],
		[
			'values are missing, or are no values',
			{ steps: [step('loss', [{ paid: 'N/A', count: 'two' }, { paid: 1 }])] },
			{
				minimumConfidence: undefined,
				required: ['paid', 'date'],
				values: { style: 'us', numberFields: ['count'], today: '2026-01-31' },
			},
			'Needs review Missing: "date". 1 required value is missing. 1 value has the wrong type.',
		],
		[
			'one value is low',
			POLICY,
			{ minimumConfidence: 0.45 },
			'Needs review 1 value is below the minimum confidence of 45 %.',
		],
		[
			'fields have other minimums',
			POLICY,
			{ minimumConfidence: 0.3, byField: { number: 0.9, premium: 0.4, paid: undefined } },
			'Nothing to review Minimum confidence: 30 to 90 %.',
		],
		[
			'only one field has a minimum',
			POLICY,
			{ minimumConfidence: undefined, byField: { premium: 0.4, paid: undefined } },
			'Nothing to review Minimum confidence: 40 %.',
		],
	])('says in its heading when %s', async (_, body, shaping, words) => {
		expect(await text(body, shaping)).toContain(words);
	});

	it('rounds a confidence down, so that none looks like the minimum', async () => {
		const words = await text({
			steps: [step('s', [{ a: cell('x', 0.7999), b: cell('y', 0.29) }])],
		});
		expect(words).toContain('A x 79 % B y 29 %');
	});

	it('shows a score that is not on the known scale as it is', async () => {
		const steps = [step('s', [{ a: cell('x', 98), b: { value: 'y', confidence_score: 'high' } }])];
		expect(await text({ steps })).toContain('S: a x 98 S: b y Not readable S Field');
	});

	it('shows no score of a value that is not there', async () => {
		const steps = [step('s', [{ a: cell(null, 0), b: cell('N/A', 0) }])];
		expect(await text({ steps }, { minimumConfidence: 0.8 })).toContain(
			'S: a – No value S: b N/A No value S Field Value Confidence A – B N/A',
		);
	});

	it.each([
		['CASE-17', /^ CASE-17 · W CASE-17 W /],
		['x'.repeat(501), /^ W W Needs/],
	])('has the External ID in its title where its items have it', async (external_id, title) => {
		expect(await text({ metadata: { external_id }, steps: POLICY.steps as Json })).toMatch(title);
	});

	it('names the first documents where there is no External ID, and lists all with their hashes', async () => {
		const documents = ['a', 'b', 'c', 'd'].map((name) => ({
			fileName: `${name}.pdf`,
			sha256: `${name}1`,
		}));
		const words = await text({ steps: POLICY.steps as Json }, {}, { documents });
		expect(words).toContain('a.pdf, b.pdf, c.pdf and 1 more');
		expect(words).toContain('Documents a.pdf SHA-256 a1 Sent b.pdf SHA-256 b1 Sent c.pdf');
	});

	it('names only documents that have a name or an address', async () => {
		const body = { steps: POLICY.steps as Json };
		const named = { fileName: 'a.pdf', sha256: 'a1' };
		const address = 'https://files.example.com/1';
		expect(await text(body, {}, { documents: [{}, named, { address }] })).toContain(
			`Documents a.pdf SHA-256 a1 Sent ${address} Sent Execution Workflow: w`,
		);
		expect(await text(body, {}, { documents: [named] })).toContain(
			'Documents a.pdf SHA-256 a1 Sent Execution Workflow: w',
		);
		for (const documents of [undefined, [], [{ fileName: '' }]])
			expect(await text(body, {}, { documents })).not.toContain('Documents');
	});

	it('names the place of a value within a table in words', async () => {
		const losses = cell([{ date_of_loss: cell('x', 0.9) }, { date_of_loss: cell('y', 0.5) }]);
		const rows: JsonRecord[] = [{ 'Ünter Feld': cell('a', 0.5) }, { losses }];
		expect(await text({ steps: [step('policy_details', rows)] })).toContain(
			'To review Field Value Confidence Policy details, row 1: Ünter Feld a 50 % ' +
				'Policy details, row 2: losses, row 2: date of loss y 50 %',
		);
	});

	it('says of a value to review why, with what the service quotes for it', async () => {
		const row = {
			limit: { ...cell('as agreed', 0.9), page: 3 },
			premium: { ...cell(10, 0.5), quote: 'Premium: 10' },
			insured: cell(null, 0.9),
			note: { ...cell('a', 0.9), page: 4 },
		};
		const values = { style: 'us' as const, numberFields: ['limit'], today: '2026-01-01' };
		expect(await text({ steps: [step('p', [row])] }, { values, required: ['insured'] })).toContain(
			'To review Field Value Confidence P: limit as agreed Page: 3 Not a number in this style ' +
				'P: premium 10 Quote: Premium: 10 50 % P: insured – No value P ',
		);
	});

	it('shows rows with many fields as lists, each under its number', async () => {
		const row = Object.fromEntries([...'abcdefghijklm'].map((name) => [name, cell(1, 0.9)]));
		expect(await text({ steps: [step('wide', [row, { a: cell(2, 0.5) }])] })).toMatch(
			/ Wide Field Value Confidence Row 1 A 1 90 % .* M 1 90 % Row 2 A 2 50 % /,
		);
	});

	it('writes amounts, counts and dates as people do, where the name of the field is sure of them', async () => {
		const row = {
			total_premium: 1234567.5,
			deductible: -3850,
			location_count: 1250,
			effective_date: '2026-03-05',
			reported_date: '2026-03-05T14:30',
			rate: 12345.678,
		};
		expect(await text({ steps: [step('p', [row])] })).toContain(
			'Total premium 1,234,567.5 Deductible -3,850 Location count 1,250 Effective date 5 March 2026 ' +
				'Reported date 5 March 2026, 14:30 Rate 12,345.678 ',
		);
	});

	it('leaves a value as it is that may be an ID, a year or something else', async () => {
		const row = {
			policy_number: 1048823,
			zip: 43999,
			account: 55512345,
			year_built: 1958,
			note: '2026-03-05',
			issue_date: '2026-13-05',
			due_date: '03/05/2026',
			total: '1250.00',
		};
		expect(await text({ steps: [step('p', [row])] })).toContain(
			'Policy number 1048823 Zip 43999 Account 55512345 Year built 1958 Note 2026-03-05 ' +
				'Issue date 2026-13-05 Due date 03/05/2026 Total 1250.00 ',
		);
	});

	it('follows the type that the service declares, and takes a declared number below 10,000 for a year', async () => {
		const types = {
			area: 'number',
			built: 'number',
			zip: 'number',
			when: 'date',
		};
		const schema = { fields: Object.entries(types).map(([name, type]) => ({ name, type })) };
		const row = { area: 98400, built: 1958, zip: 43999, when: '2026-03-05' };
		const low = cell(98400, 0.1);
		const data = { schema, data: [row, { ...row, area: low }] };
		const words = await text({ steps: [{ step_name: 'p', data }] });
		expect(words).toContain('P, row 2: area 98,400 10 %');
		expect(words).toContain('1 98,400 1958 43999 5 March 2026 ');
	});

	it('fits dark screens, telephones and paper by its style, which loads nothing and begins no expression', async () => {
		const style = STYLE.toString();
		expect(await reportOn(POLICY)).toContain(`<style>${style}</style>`);
		for (const medium of [
			'prefers-color-scheme: dark',
			'max-width: 640px',
			'@media print',
			'size: A4',
		])
			expect(style).toContain(medium);
		// A page that is printed from a dark screen has dark letters.
		expect(style.split('@media print')[1]).toContain(':root { background: none; color: #1b2330;');
		expect(style).not.toMatch(/\{\{|url|@import|expression|<|\/\//);
	});
});
