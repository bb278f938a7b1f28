import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

import { DocumentWorkflow } from '../../../nodes/DocumentWorkflow/DocumentWorkflow.node';
import { DocumentWorkflowTrigger } from '../../../nodes/DocumentWorkflow/DocumentWorkflowTrigger.node';
import { node } from '../support/context';
import { withInner } from './offered';

const { description } = new DocumentWorkflow();

/** The fields of the output are worded with the output itself. */
const WORDED_WITH_THE_OUTPUT = ['output', 'step', 'fields', 'minimumConfidence', 'outputOptions'];

const properties = description.properties.filter(
	({ name }) => !WORDED_WITH_THE_OUTPUT.includes(name),
);

/** In words. n8n cuts labels of 30 characters or more in a window of 1280 pixels. */
const MAX_LABEL = 3;
const MAX_LABEL_CHARACTERS = 29;

/** In words. Fewer only repeat the label. */
const MIN_DESCRIPTION = 5;
const MAX_DESCRIPTION = 15;

/** n8n cuts descriptions in menus after about 105 characters. */
const MAX_MENU_TEXT = 100;

/** Credential, operation and six more: what the panel shows without scrolling at 1280 × 800. */
const MAX_BLOCKS = 8;

/** Lists that are empty until the user adds an entry. */
const LISTS = ['collection', 'fixedCollection'];

const LONG_LABELS: Record<string, string> = {
	'When a Person Must Act': 'fewer words do not say that the service waits for a person',
	'Input Data Field Name': "n8n's guidelines give this field its name",
	'Text Inputs and Metadata': 'a field of two kinds of values, neither of which may be missed',
};

/** What the field is about stands in its own label. */
const SHORT_DESCRIPTIONS = ['Operation', 'Value'];

interface Worded {
	label: string;
	words: string;
}

interface Panel {
	/** Fields and entries of collections. */
	fields: Worded[];
	/** Entries of menus: of lists and of collections. */
	menus: Worded[];
}

function panelIn(inner: INodeProperties[]): Panel {
	const found: Panel = { fields: [], menus: [] };
	const add = (panel: Panel) => {
		found.fields.push(...panel.fields);
		found.menus.push(...panel.menus);
	};
	for (const { type, displayName, description: words = '', options = [] } of inner) {
		if (type === 'notice' || type === 'hidden') continue;
		if (type !== 'collection') found.fields.push({ label: displayName, words });
		if (type === 'collection') {
			found.menus.push({ label: displayName, words: '' });
			add(panelIn(options as INodeProperties[]));
		} else if (type === 'fixedCollection') {
			for (const { values } of options as INodePropertyCollection[]) add(panelIn(values));
		} else {
			for (const option of options as INodePropertyOptions[])
				found.menus.push({ label: option.name, words: option.description ?? '' });
		}
	}
	return found;
}

const { fields, menus } = panelIn(properties);
const wordsIn = (text: string) => text.split(/\s+/).filter(Boolean).length;

describe('The words of the action node', () => {
	it('are found: fields, entries of collections, and choices of lists', () => {
		const labels = [...fields, ...menus].map(({ label }) => label);
		expect(labels).toEqual(
			expect.arrayContaining(['Documents', 'On Unusable File', 'Name', 'Get Execution', 'Waiting']),
		);
	});

	it('are one to three in a label', () => {
		const long = [...fields, ...menus]
			.map(({ label }) => label)
			.filter((label) => wordsIn(label) > MAX_LABEL);
		expect([...new Set(long)].sort()).toEqual(Object.keys(LONG_LABELS).sort());
	});

	it('are never so long in a label that n8n cuts it', () => {
		const cut = [...fields, ...menus].filter(({ label }) => label.length > MAX_LABEL_CHARACTERS);
		expect(cut).toEqual([]);
	});

	it('are five to fifteen in the description of a field', () => {
		const wrong = fields.filter(
			({ label, words }) =>
				!SHORT_DESCRIPTIONS.includes(label) &&
				(wordsIn(words) < MIN_DESCRIPTION || wordsIn(words) > MAX_DESCRIPTION),
		);
		expect(wrong).toEqual([]);
	});

	it('are at most fifteen in the description of a choice', () => {
		expect(menus.filter(({ words }) => wordsIn(words) > MAX_DESCRIPTION)).toEqual([]);
	});

	it('fit into the menus, tooltips and hints of n8n', () => {
		const texts = [
			...[...fields, ...menus].map(({ words }) => words),
			...properties.map(({ hint = '' }) => hint),
		];
		expect(texts.filter((text) => text.length > MAX_MENU_TEXT)).toEqual([]);
	});
});

describe('The panel of the action node', () => {
	it.each(['create', 'createAndWait'])(
		'shows at most eight blocks before the lists of options of %s, of which there are at most three',
		(operation) => {
			const atFirst = Object.fromEntries(
				description.properties.map(({ name, default: value }) => [name, value]),
			);
			const shown = description.properties.filter((property) =>
				NodeHelpers.displayParameter({ ...atFirst, operation }, property, node, description),
			);
			const lists = shown.filter(({ type }) => LISTS.includes(type));
			const blocks = shown.findIndex(({ type }) => LISTS.includes(type));
			const credentials = description.credentials?.length ?? 0;
			expect(blocks).toBeGreaterThan(4);
			expect(credentials + blocks).toBeLessThanOrEqual(MAX_BLOCKS);
			const behind = shown.slice(blocks).filter(({ isNodeSetting }) => isNodeSetting !== true);
			expect(behind).toEqual(lists);
			expect(lists.filter(({ type }) => type === 'collection').length).toBeLessThanOrEqual(3);
		},
	);
});

describe.each([
	['action node', description, ['Operation', 'Value'], /\b(?:problem|failure|mistake)\b/i],
	[
		'trigger',
		new DocumentWorkflowTrigger().description,
		[],
		/\b(?:problem|failure|mistake|error)\b/i,
	],
])('The texts of the %s', (_, described, selfExplaining, avoided) => {
	const everyProperty = described.properties.flatMap(withInner);
	const namesIn = (listed: Array<{ name: string; displayName?: string }>) =>
		listed.map(({ name, displayName = name }) => displayName);
	const sorted = (names: string[]) => [...new Set(names)].sort((a, b) => a.localeCompare(b, 'en'));

	it('are in alphabetical order in each list, which defaults to one of its choices and describes each', () => {
		const lists = everyProperty.filter(({ type }) => ['options', 'multiOptions'].includes(type));
		expect(lists.length).toBeGreaterThan(2);
		for (const { name, options, default: value } of lists) {
			const choices = options as INodePropertyOptions[];
			if (name !== 'operation') expect(namesIn(choices)).toEqual(sorted(namesIn(choices)));
			const values = choices.map((choice) => choice.value);
			expect(values).toEqual(expect.arrayContaining([value].flat() as unknown[]));
			expect(choices.filter((choice) => (choice.description ?? '') === '')).toEqual([]);
		}
	});

	it('are in alphabetical order in each collection of five or more, and there once', () => {
		for (const { type, options = [] } of everyProperty) {
			if (type !== 'collection') continue;
			const names = namesIn(options);
			expect(new Set(names).size).toBe(names.length);
			if (names.length > 4) expect(names).toEqual(sorted(names));
		}
	});

	it('describe every field by a hint or a description, unless its name is enough', () => {
		const silent = everyProperty.filter(
			({ type, hint = '', description: words = hint }) =>
				!['collection', 'notice'].includes(type) && words === '',
		);
		expect(sorted(namesIn(silent))).toEqual(selfExplaining);
	});

	it('begin with "e.g." in examples, with "Add" on buttons, and with "Whether" at switches', () => {
		for (const { type, placeholder, modes = [], description: words } of everyProperty) {
			const isList = type === 'collection' || type === 'fixedCollection';
			if (placeholder !== undefined) expect(placeholder).toMatch(isList ? /^Add / : /^e\.g\. /);
			for (const mode of modes)
				if (mode.type !== 'list') expect(mode.placeholder).toMatch(/^e\.g\. /);
			if (type === 'boolean') expect(words).toMatch(/^Whether/);
		}
	});

	it('avoid the words problem, failure and mistake', () => {
		expect(JSON.stringify(described)).not.toMatch(avoided);
	});
});
