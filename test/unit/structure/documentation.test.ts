import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';

import { DocumentWorkflowApi } from '../../../credentials/DocumentWorkflowApi.credentials';
import { ROOT } from '../../../harness/pack';
import { DocumentWorkflow } from '../../../nodes/DocumentWorkflow/DocumentWorkflow.node';
import { DocumentWorkflowTrigger } from '../../../nodes/DocumentWorkflow/DocumentWorkflowTrigger.node';

const FORMS = [
	new DocumentWorkflow().description,
	new DocumentWorkflowTrigger().description,
	new DocumentWorkflowApi(),
];
/** For those who use the nodes. */
const PAGES = [
	'README.md',
	...['credentials', 'documents', 'results', 'waiting', 'webhooks'].map(
		(page) => `docs/${page}.md`,
	),
];

/** What a text names: what it emphasizes, its headings, and what the first cells of its tables list. Names are joined by commas and arrows. */
function namedIn(text: string): string[] {
	const emphasized = [...text.matchAll(/\*{1,2}([^*\n]+)\*{1,2}/g)];
	const headings = [...text.matchAll(/^#+ (.+)$/gm)];
	const cells = [...text.matchAll(/^\| ([^|]+) \|/gm)];
	return [...emphasized, ...headings, ...cells].flatMap(([, names = '']) => {
		const plain = names.replaceAll('*', '').trim();
		return [plain, ...plain.split(/, | → |: /)];
	});
}

/** The names that a form shows, each with the list or collection that it stands in. */
function namesIn(properties: INodeProperties[], place: string): Array<[string, string]> {
	return properties.flatMap((property): Array<[string, string]> => {
		const { type, displayName, options = [], modes = [] } = property;
		if (type === 'notice' || type === 'hidden') return [];
		const own: Array<[string, string]> = [[displayName, place]];
		if (type === 'collection')
			return [...own, ...namesIn(options as INodeProperties[], displayName)];
		if (type === 'fixedCollection')
			return [
				...own,
				...(options as INodePropertyCollection[]).flatMap(({ values }) =>
					namesIn(values, displayName),
				),
			];
		const listed = [
			...(options as INodePropertyOptions[]).map(({ name }) => name),
			...modes.map((mode) => mode.displayName),
		];
		return [...own, ...listed.map((name): [string, string] => [name, displayName])];
	});
}

const documented = new Set(
	PAGES.flatMap((page) => namedIn(readFileSync(join(ROOT, page), 'utf8'))),
);

/** The fields that errors and hints refer to: what product code quotes after "under". */
function referredTo(): string[] {
	return ['nodes', 'credentials', 'service'].flatMap((room) =>
		readdirSync(join(ROOT, room), { recursive: true, encoding: 'utf8' })
			.filter((file) => file.endsWith('.ts'))
			.flatMap((file) => [
				...readFileSync(join(ROOT, room, file), 'utf8').matchAll(/under '([^'$]+)'/g),
			])
			.map(([, name = '']) => name),
	);
}

describe('Errors and hints', () => {
	it('refer only to fields and collections that a form shows', () => {
		const shown = new Set(
			FORMS.flatMap(({ displayName, properties }) => namesIn(properties, displayName)).map(
				([name]) => name,
			),
		);
		const names = referredTo();
		expect(names).toEqual(expect.arrayContaining(['Documents', 'Waiting', 'Document Options']));
		expect(names.filter((name) => !shown.has(name))).toEqual([]);
	});
});

describe('The documentation', () => {
	it.each(FORMS.map((form) => [form.displayName, form.properties] as const))(
		'names in bold, in a table or in a heading each setting of %s, and each value that it lists',
		(form, properties) => {
			const missing = namesIn(properties, form).filter(([name]) => !documented.has(name));
			expect([...new Set(missing.map(([name, place]) => `${name} (${place})`))]).toEqual([]);
		},
	);

	it('names both nodes and both credentials', () => {
		expect(
			FORMS.map(({ displayName }) => displayName).filter((name) => !documented.has(name)),
		).toEqual([]);
	});

	it('counts as naming only what it sets apart from its other words', () => {
		const text =
			'# Output\nPlain *Raw*, **Get**.\n\n| Mode | b |\n|---|---|\n| One, *Two → Three* | no |\n';
		expect([...new Set(namedIn(text))].filter((name) => !/[|,→]/.test(name))).toEqual(
			expect.arrayContaining(['Output', 'Raw', 'Get', 'One', 'Two', 'Three']),
		);
		expect(namedIn(text)).not.toContain('Plain');
		expect(namedIn(text)).not.toContain('no');
	});
});
