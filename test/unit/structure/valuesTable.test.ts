import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { TEXT_CASES } from '../nodes/results/values/texts';
import type { TextCase } from '../nodes/results/values/texts';

const PAGE = readFileSync(join(__dirname, '../../../docs/results.md'), 'utf8');
const STYLE_NAMES = { us: 'US', uk: 'UK', europe: 'Europe' };
const HEAD = '| Style | Field | Text | Becomes | Why |\n|---|---|---|---|---|\n';

/** The rows of the page without their reason. */
function rowsOfPage(): string[] {
	const [, table = ''] = PAGE.split(HEAD);
	const [rows = ''] = table.split('\n\n');
	return rows.split('\n').map((row) => row.split(' | ').slice(0, -1).join(' | '));
}

function rowOf({ style, field, declared, isNumberField, text, expected }: TextCase): string {
	const type = isNumberField ? 'named' : declared;
	const becomes = expected === text ? 'stays' : `\`${expected}\``;
	return `| ${STYLE_NAMES[style]} | ${field}${type === '' ? '' : ` (${type})`} | \`${text}\` | ${becomes}`;
}

describe('The table of texts in the documentation', () => {
	it('has only cases of the table that is tested, and at most 20', () => {
		const known = new Set(TEXT_CASES.map(rowOf));
		const shown = rowsOfPage();
		expect(shown.filter((row) => !known.has(row))).toEqual([]);
		expect(shown.length).toBeGreaterThan(10);
		expect(shown.length).toBeLessThanOrEqual(20);
	});
});
