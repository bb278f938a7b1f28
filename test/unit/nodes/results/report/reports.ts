/** Executions whose reports are stored as golden files, and a reader of reports that accepts nothing but what a report may hold. */
import type { IDataObject } from 'n8n-workflow';
import { judge } from '../../../../../nodes/DocumentWorkflow/results/judge/judge';
import { reportPage } from '../../../../../nodes/DocumentWorkflow/results/words/report/page';
import { STYLE } from '../../../../../nodes/DocumentWorkflow/results/words/report/html';
import type { Execution, JsonRecord } from '../../../../../service/contract';
import { cell, settingsOf, executionOf, step } from '../support';
import TYPICAL from './typical.json';

/** The HTML of a report. */
export async function reportOn(
	body: JsonRecord,
	given: Parameters<typeof settingsOf>[0] = {},
	beside: IDataObject = {},
	ids: Partial<Pick<Execution, 'workflowId' | 'executionId'>> = {},
): Promise<string> {
	const execution = { ...executionOf(body), ...ids };
	const shaping = settingsOf({ minimumConfidence: 0.8, ...given });
	return reportPage(await judge(execution, shaping, beside), shaping, beside);
}

/** Everything that could become markup, and shapes that are rare. */
const AWKWARD: JsonRecord = {
	status: 'completed_with_warnings',
	metadata: { external_id: '<img src=x onerror=alert(1)>' },
	steps: [
		step('<script>alert(1)</script>', [
			{
				'"><b>Policy No.</b>': cell('[click](https://evil.example) `code` | pipe \\| end', 0.9),
				a_list: cell(['=1', 'b', true, { paid: 10, cause: 'Hail' }], 0.7),
				two_lines: cell('first\r\n# second\u202Egnp.exe', 0.9),
				nested: cell([{ paid: cell(10, 0.9) }, { paid: cell(20, 0.3) }]),
				'': cell('&lt;b&gt; &amp; www.evil.example a@evil.example', 0.9),
				long: cell('x'.repeat(1_000), 0.9),
				price: cell('$5 $6', 0.9),
				odd_score: cell('98 of 100', 98),
			},
		]),
		step('wide', [
			Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => [name, cell(1, 0.9)])),
			{ a: cell(2, 0.9) },
		]),
		step('none', []),
		{ step_name: 'text', data: { note: '<b>none</b>' } },
		step('no_score', [{ a: 1 }]),
	],
};

/** Four fields each, of which one has a low confidence. */
export const manyClaims = (length: number) => ({
	steps: [
		step(
			'claims',
			Array.from({ length }, (_, index) => ({
				claim_number: cell(`CLM-${index}`, 0.9),
				date_of_loss: cell('2023-01-01', 0.95),
				cause: cell(`Water damage, burst pipe ${index}`, 0.7),
				paid: cell(index, 0.9),
			})),
		),
	],
});

const SKIPPED = [
	{
		itemIndex: 0,
		fieldName: 'attachment_1',
		fileName: 'invite.ics',
		reason: 'calendar',
	},
	{
		itemIndex: 0,
		fieldName: 'attachment_2',
		fileName: 'scan.pdf',
		reason: 'empty',
	},
];

/** Written when a test asks for them. */
export const STORED: Record<string, () => Promise<string>> = {
	small: async () =>
		reportOn(
			{
				steps: [step('invoice', [{ number: cell('INV-1', 0.98), total: cell('1,250.00', 0.95) }])],
			},
			{},
			{ documents: [{ fileName: 'invoice.pdf', sha256: 'a'.repeat(64) }] },
			{ workflowId: 'invoice-intake', executionId: 'e-1' },
		),
	// An insurance submission with five values below 80 %.
	typical: async () =>
		reportOn(
			TYPICAL,
			{},
			{
				documents: [
					{ fileName: 'application.pdf', sha256: '9f86d081'.repeat(8) },
					{ fileName: 'loss runs 2021-2023.pdf', sha256: '60303ae2'.repeat(8) },
				],
				skipped: SKIPPED.slice(0, 1),
			},
			{ workflowId: 'submission-intake', executionId: '3f0c2a51-77aa-4c1e-9a3e-0b1b5f6b7c10' },
		),
	awkward: async () =>
		reportOn(
			AWKWARD,
			{},
			{ documents: [{ fileName: '"><svg onload=x>.pdf' }, { address: 'https://files.example/1' }] },
			{ workflowId: '<i>w</i>', executionId: '{{ $env.X }}' },
		),
	failed: async () =>
		reportOn(
			{ status: 'failed', error: 'Page 3 of the document cannot be read.' },
			{},
			{ documents: [{ fileName: 'policy.pdf', sha256: 'b'.repeat(64), encrypted: true }] },
			{ workflowId: 'policy-intake', executionId: 'e-2' },
		),
	incomplete: async () =>
		reportOn(
			{
				metadata: { external_id: 'MAIL-7' },
				steps: [
					step('policy_details', [
						{ policy_number: cell('CPP-1', 0.99), premium: cell(1250, 0.9) },
					]),
				],
			},
			{},
			{
				needsReview: true,
				documents: [{ fileName: 'policy.pdf', sha256: 'c'.repeat(64) }],
				skipped: SKIPPED,
			},
			{ workflowId: 'policy-intake', executionId: 'e-3' },
		),
};

const ELEMENTS = new Set(
	'html head meta title body main table thead tbody tr td th h1 h2 p b br small mark'.split(' '),
);
const EMPTY = new Set(['meta', 'br']);
const ATTRIBUTES = new Set('lang charset name content colspan class title'.split(' '));
const TOKEN = /<(\/?)([a-z][a-z\d]*)((?: [a-z]+="[^"<>]*")*)>|([^<>]+)/y;
const STYLE_ELEMENT = `<style>${STYLE.toString()}</style>`;

/** The text of a report; fails where anything in it is neither text nor an element of the report. */
export function textOfHtml(whole: string): string {
	const page = whole.replace(STYLE_ELEMENT, '');
	expect(page).not.toContain('{');
	const start = '<!DOCTYPE html>\n';
	expect(page.startsWith(start)).toBe(true);
	const open: string[] = [];
	let text = '';
	TOKEN.lastIndex = start.length;
	while (TOKEN.lastIndex < page.length) {
		const at = TOKEN.lastIndex;
		const [token, close, element = '', attributes = '', words] = TOKEN.exec(page) ?? [];
		if (token === undefined) throw new Error(`No element and no text: ${page.slice(at, at + 80)}`);
		if (words !== undefined) {
			text += words.replaceAll(/&(?:(lt|gt|quot|amp|#39|#123);)?/g, (_, name?: string) => {
				if (name === undefined) throw new Error(`A bare ampersand: ${words}`);
				return { lt: '<', gt: '>', quot: '"', amp: '&', '#39': "'", '#123': '{' }[name] ?? '';
			});
			continue;
		}
		if (!ELEMENTS.has(element)) throw new Error(`The element ${token}`);
		for (const [, name = '', value = ''] of attributes.matchAll(/ ([a-z]+)="([^"]*)"/g)) {
			if (!ATTRIBUTES.has(name)) throw new Error(`The attribute ${name}`);
			if (name !== 'title' && /url|expression|:\/\//i.test(value))
				throw new Error(`The value ${value}`);
		}
		if (close === '/') expect(open.pop()).toBe(element);
		else if (!EMPTY.has(element)) open.push(element);
		text += ' ';
	}
	expect(open).toEqual([]);
	return text;
}
