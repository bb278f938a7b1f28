import type { INodePropertyOptions } from 'n8n-workflow';

import { operationField } from '../../../nodes/DocumentWorkflow/actions';
import { DocumentWorkflow } from '../../../nodes/DocumentWorkflow/DocumentWorkflow.node';
import { outcomeOfAction } from './actionRun';
import { settingsIn, type Setting } from './offered';
import { FIELD_MINIMUMS } from './effects';
import type { Scene } from './scene';
import { growthOf, LINEAR } from '../support/growth';
import { isLong } from '../../properties';

const { properties } = new DocumentWorkflow().description;
const OPERATIONS = (operationField.options as INodePropertyOptions[]).map(({ value }) =>
	String(value),
);
const PAIRS = [{ name: 'mailbox', value: 'claims' }];
const REQUIRED = {
	workflowId: { __rl: true, mode: 'id', value: 'intake' },
	executionId: 'e-1',
	inputs: { textInputs: PAIRS },
};

/** Parameters with which a setting is shown. */
const SHOWN_WITH: Record<string, Scene['parameters']> = {
	fileUrls: { documents: 'urls' },
	'inputs.metadata.name': { inputs: { metadata: PAIRS } },
	'inputs.metadata.value': { inputs: { metadata: PAIRS } },
	'inputs.additional.name': { inputs: { additional: PAIRS } },
	'inputs.additional.value': { inputs: { additional: PAIRS } },
	fields: { output: 'selected' },
	step: { output: 'rows' },
	'outputOptions.includeDetails': { output: 'rows' },
	'outputOptions.numberFields': { outputOptions: { values: 'us' } },
	'outputOptions.fieldMinimums.pairs.name': { outputOptions: { fieldMinimums: FIELD_MINIMUMS } },
	'outputOptions.fieldMinimums.pairs.minimum': { outputOptions: { fieldMinimums: FIELD_MINIMUMS } },
};

const WITHIN_ITSELF: Record<string, unknown> = {};
WITHIN_ITSELF.self = WITHIN_ITSELF;
/** What an expression may give, by name. */
const VALUES: Record<string, unknown> = {
	null: null,
	NaN,
	Infinity,
	'a huge number': 1e10,
	'a negative number': -1,
	zero: 0,
	true: true,
	'an empty text': '',
	'white space': ' \n ',
	'a list': [],
	'a list of null': [null],
	'an object': {},
	'an object with a name of its prototype': JSON.parse('{"__proto__": 1, "constructor": 2}'),
	'an invalid date': new Date('soon'),
	'a function': () => 1,
	'an object within itself': WITHIN_ITSELF,
	'half a character': '\ud83d',
};

type Sized = Record<string, (size: number) => unknown>;

/** Long ones, of which the daily form has some. */
const LONG_VALUES: Sized = {
	'a deep list': (size) => {
		let deep: unknown = [];
		for (let level = 0; level < size / 5; level++) deep = [deep];
		return deep;
	},
	'a long text': (size) => 'x'.repeat(size),
	...(isLong && {
		'a long number': (size) => '9'.repeat(size),
		'long JSON': (size) =>
			`{${Array.from({ length: size / 100 }, (_, index) => `"${index}${'x'.repeat(90)}": ${index}`).join(',')}}`,
		brackets: (size) => '['.repeat(size),
		quotes: (size) => '"'.repeat(size),
		commas: (size) => ','.repeat(size),
	}),
};

/** Pairs are named by what they are. */
const isNamed = (text: string, { displayName }: Setting['property']) =>
	[displayName, 'text input', 'metadata', 'additional field', 'Minimums per Field'].some((name) =>
		text.includes(name),
	);

/** Each setting once: what several operations offer, one reader reads. */
const OFFERED = new Map(
	OPERATIONS.flatMap((operation) =>
		settingsIn(
			properties.filter(({ displayOptions }) =>
				displayOptions?.show?.operation?.includes(operation),
			),
		).map((setting) => [setting.path, { operation, setting }] as const),
	),
);

interface Outcome {
	outcomes: Array<{ output: { message?: string; description?: string } }>;
	requests: object[];
}

describe('Whatever an expression gives', () => {
	/** A list or a switch of the panel, of which no other value must count as its default. */
	const chosen = [...OFFERED].filter(([, { setting }]) =>
		['options', 'boolean'].includes(setting.property.type),
	);

	it.each(chosen)(
		'for %s, a value that the panel does not offer is refused with its label, and nothing is sent',
		async (path, { operation, setting }) => {
			for (const value of ['true', 'guess', 1, '']) {
				const { outcomes, requests } = (await outcomeOfAction({
					parameters: { ...REQUIRED, operation, ...SHOWN_WITH[path] },
					expression: [path, value],
				})) as Outcome;
				const message = `'${setting.property.displayName}' is ${JSON.stringify(value)}, but must be one`;
				expect(outcomes).toMatchObject([{ output: { message: expect.stringContaining(message) } }]);
				expect(requests).toEqual([]);
			}
		},
	);

	const all = {
		...VALUES,
		...Object.fromEntries(Object.entries(LONG_VALUES).map(([name, make]) => [name, make(100_000)])),
	};

	it.each([...OFFERED])(
		'for %s, the run has a result, or an error that names the field, and then nothing was sent',
		async (path, { operation, setting }) => {
			const wrong: string[] = [];
			const run = async (value: unknown) =>
				(await outcomeOfAction({
					parameters: { ...REQUIRED, operation, ...SHOWN_WITH[path] },
					expression: [path, value],
				})) as Outcome;
			for (const [name, make] of Object.entries(LONG_VALUES)) {
				const growth = await growthOf(make, run);
				if (growth >= LINEAR) wrong.push(`${name}: takes more than time in proportion to its size`);
			}
			for (const [name, value] of Object.entries(all)) {
				const outcome = await run(value);
				const [{ output } = { output: {} }] = outcome.outcomes;
				if (Array.isArray(output)) continue;
				const words = `${output.message}. ${output.description ?? ''}`;
				if (!isNamed(words, setting.property)) wrong.push(`${name}: ${words.slice(0, 200)}`);
				if (words.length > 1000) wrong.push(`${name}: ${words.length} characters`);
				if (outcome.requests.length > 0) wrong.push(`${name}: something was sent`);
			}
			expect(wrong).toEqual([]);
		},
	);
});
