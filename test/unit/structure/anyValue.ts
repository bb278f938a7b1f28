import type { INodePropertyOptions } from 'n8n-workflow';

import { operationField } from '../../../nodes/DocumentWorkflow/actions';
import { DocumentWorkflow } from '../../../nodes/DocumentWorkflow/DocumentWorkflow.node';
import { outcomeOfAction } from './actionRun';
import type { Setting } from './offered';
import { settingsIn } from './offered';
import { FIELD_MINIMUMS } from './resultRows';
import type { Scene } from './scene';

const { properties } = new DocumentWorkflow().description;
const OPERATIONS = (operationField.options as INodePropertyOptions[]).map(({ value }) =>
	String(value),
);
const PAIRS = { pairs: [{ name: 'mailbox', value: 'claims' }] };
const REQUIRED = {
	workflowId: { __rl: true, mode: 'id', value: 'intake' },
	executionId: 'e-1',
	inputs: { textInputs: PAIRS },
};

/** Parameters with which a setting is shown. */
const SHOWN_WITH: Record<string, Scene['parameters']> = {
	fileUrls: { documents: 'urls' },
	'inputs.metadata.pairs.name': { inputs: { metadata: PAIRS } },
	'inputs.metadata.pairs.value': { inputs: { metadata: PAIRS } },
	fields: { output: 'selected' },
	step: { output: 'rows' },
	'outputOptions.rowDetails': { output: 'rows' },
	'outputOptions.fieldMinimums.pairs.name': { outputOptions: { fieldMinimums: FIELD_MINIMUMS } },
	'outputOptions.fieldMinimums.pairs.minimum': { outputOptions: { fieldMinimums: FIELD_MINIMUMS } },
};

const WITHIN_ITSELF: Record<string, unknown> = {};
WITHIN_ITSELF.self = WITHIN_ITSELF;
let deep: unknown = [];
for (let level = 0; level < 20_000; level++) deep = [deep];

/** What an expression may give, by name. */
export const VALUES: Record<string, unknown> = {
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
	'a deep list': deep,
	'a long text': 'x'.repeat(100_000),
	'half a character': '\ud83d',
};

/** Further texts of 100 kB. */
export const LONG_TEXTS: Record<string, unknown> = {
	'a long number': '9'.repeat(100_000),
	'long JSON': `{${Array.from({ length: 1000 }, (_, index) => `"${index}${'x'.repeat(90)}": ${index}`).join(',')}}`,
	'100 kB of brackets': '['.repeat(100_000),
	'100 kB of quotes': '"'.repeat(100_000),
	'100 kB of commas': ','.repeat(100_000),
};

/** Pairs are named by what they are. */
const isNamed = (text: string, { displayName }: Setting['property']) =>
	[displayName, 'text input', 'metadata', 'Minimums per Field'].some((name) => text.includes(name));

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

/** In milliseconds of computing. */
const LIMIT = 50;

async function fastestOf(
	work: () => Promise<unknown>,
): Promise<{ outcome: Outcome; took: number }> {
	let took = Infinity;
	let outcome: unknown;
	// Collecting garbage counts too, so only a value that is slow each time is slow.
	for (let time = 0; time < 3 && took > LIMIT; time++) {
		const begin = process.cpuUsage();
		outcome = await work();
		const { user, system } = process.cpuUsage(begin);
		took = Math.min(took, (user + system) / 1000);
	}
	return { outcome: outcome as Outcome, took };
}

export function testAnyValue(values: Record<string, unknown>): void {
	it.each([...OFFERED])(
		'for %s, the run has a result, or an error that names the field, and then nothing was sent',
		async (path, { operation, setting }) => {
			const wrong: string[] = [];
			for (const [name, value] of Object.entries(values)) {
				const { outcome, took } = await fastestOf(async () =>
					outcomeOfAction({
						parameters: { ...REQUIRED, operation, ...SHOWN_WITH[path] },
						expression: [path, value],
					}),
				);
				const [{ output } = { output: {} }] = outcome.outcomes;
				if (took > LIMIT) wrong.push(`${name}: ${Math.round(took)} ms`);
				if (Array.isArray(output)) continue;
				const words = `${output.message}. ${output.description ?? ''}`;
				if (!isNamed(words, setting.property)) wrong.push(`${name}: ${words.slice(0, 200)}`);
				if (words.length > 1000) wrong.push(`${name}: ${words.length} characters`);
				if (outcome.requests.length > 0) wrong.push(`${name}: something was sent`);
			}
			expect(wrong).toEqual([]);
		},
	);
}
