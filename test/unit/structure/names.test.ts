import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import {
	faultShapes,
	namesDefinedTwice,
	participleTypes,
	sharedVariables,
	type Texts,
} from '../../../harness/declarations';
import { PRODUCT, productFiles, ROOT } from '../../../harness/imports';

const texts: Texts = Object.fromEntries(
	productFiles(PRODUCT).map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]),
);

/** As many as there are: one fewer is a step, one more needs a better name. */
const MOST_DEFINED_TWICE = 3;

describe('A name at the top level of product code', () => {
	it('is defined once, constants aside', () => {
		const twice = namesDefinedTwice(texts);
		expect(twice.slice(MOST_DEFINED_TWICE)).toEqual([]);
	});

	it('is a noun where it is a type, and no bare participle', () => {
		expect(participleTypes(texts)).toEqual([]);
	});

	it('is found where two files define it, whatever it is', () => {
		const two = {
			'a.ts': 'const MAX = 1; export function read() {} interface Checked { a: 1 }',
			'b.ts':
				'const MAX = 2; const read = () => 1; type Sending = 1; let open = 0; const all = new Map<string, 1>(); const row = new Map([[1, 2]]);',
		};
		expect(namesDefinedTwice(two)).toEqual(['read: a.ts, b.ts']);
		expect(participleTypes(two)).toEqual(['Checked: a.ts', 'Sending: b.ts']);
		expect(sharedVariables(two)).toEqual(['open: b.ts', 'all: b.ts']);
	});
});

it('At most three types say what went wrong', () => {
	expect(faultShapes(texts).slice(3)).toEqual([]);
	expect(faultShapes({ 'a.ts': 'interface Broken { message: string }' })).toHaveLength(1);
});

it('What this process remembers is listed in contributing/inside-n8n.md', () => {
	const page = readFileSync(join(ROOT, 'contributing/inside-n8n.md'), 'utf8');
	const files = sharedVariables(texts).map((each) => each.split(': ')[1] ?? '');
	const isListed = (file: string) => page.includes(file.replace(/^nodes\/DocumentWorkflow\//, ''));
	expect(files.filter((file) => !isListed(file))).toEqual([]);
});
