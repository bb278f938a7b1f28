import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { loadOutputSchema } from 'n8n-core';
import type { INodePropertyOptions } from 'n8n-workflow';
import { operationField } from '../../../../nodes/DocumentWorkflow/actions';
import { describeSent } from '../../../../nodes/DocumentWorkflow/documents/sent';
import { SentDocument } from '../../../../nodes/DocumentWorkflow/documents/sent';
import type { About, SkippedFile } from '../../../../nodes/DocumentWorkflow/about';
import { idsOf } from '../../../../nodes/DocumentWorkflow/about';
import { itemOfInput } from '../../../../nodes/DocumentWorkflow/results/items/result';
import { DocumentWorkflow } from '../../../../nodes/DocumentWorkflow/DocumentWorkflow.node';
import type { JsonRecord } from '../../../../service/contract';
import { DEFAULT_SETTINGS, cell, executionOf, POLICY, settingsOf, step, shapeOf } from './support';

/** The parts of a JSON schema that n8n's editor reads. An object without properties may have any. */
interface Preview {
	type?: string | string[];
	properties?: Record<string, Preview>;
	items?: Preview;
}

const NODE = join(__dirname, '../../../../nodes/DocumentWorkflow');
const operations = (operationField.options as INodePropertyOptions[]).map(({ value }) =>
	String(value),
);
const { description } = new DocumentWorkflow();

/** Finds the preview as n8n does when the node has not run yet. */
function previewOf(operation: string): Preview {
	const found = loadOutputSchema({
		nodeDir: NODE,
		version: Number(description.version),
		operation,
	});
	if (found === undefined) throw new Error(`n8n finds no preview of ${operation}`);
	return found;
}

const typeOf = (value: unknown): string =>
	value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;

/** The places where an output differs from the preview. */
function faults(preview: Preview, value: unknown, place = 'item'): string[] {
	if (![preview.type].flat().includes(typeOf(value)))
		return [`${place} is ${typeOf(value)} and not ${String(preview.type)}`];
	if (Array.isArray(value))
		return preview.items === undefined
			? []
			: value.flatMap((entry) => faults(preview.items ?? {}, entry, `${place}[]`));
	const fields = Object.entries(preview.properties ?? {});
	if (typeof value !== 'object' || value === null || fields.length === 0) return [];
	const known = new Map(fields);
	return Object.entries(value).flatMap(([name, inner]) => {
		const own = known.get(name);
		return own === undefined
			? [`${place}.${name} is not in the preview`]
			: faults(own, inner, `${place}.${name}`);
	});
}

/** All fields of a preview. */
function placesIn(preview: Preview, place = 'item'): string[] {
	const inner = Object.entries(preview.properties ?? {}).flatMap(([name, own]) =>
		placesIn(own, `${place}.${name}`),
	);
	return [
		place,
		...inner,
		...(preview.items === undefined ? [] : placesIn(preview.items, `${place}[]`)),
	];
}

function placesOf(value: unknown, place = 'item'): string[] {
	if (Array.isArray(value))
		return [place, ...value.flatMap((entry) => placesOf(entry, `${place}[]`))];
	if (typeof value !== 'object' || value === null) return [place];
	return [
		place,
		...Object.entries(value).flatMap(([name, inner]) => placesOf(inner, `${place}.${name}`)),
	];
}

async function* chunks(): AsyncIterable<Uint8Array> {
	yield Buffer.from('content');
}

const document = {
	itemIndex: 0,
	fieldName: 'data',
	fileName: 'a.pdf',
	mediaType: 'application/pdf',
	bytes: 7,
	reference: 'r',
	open: () => chunks(),
	hash: async () => Promise.resolve(''),
};
const skipped: SkippedFile[] = [
	{ itemIndex: 0, fieldName: 'data', fileName: 'b.pdf', reason: 'calendar' },
];
const sent: About = {
	documents: describeSent([new SentDocument(document)], ['https://files.example.com/c.pdf']),
	skipped,
};

const BODIES: JsonRecord[] = [
	POLICY,
	{ status: 'running' },
	{
		metadata: { external_id: 7 },
		steps: [
			step('s', [
				{ a: cell(['x'], 0.1), b: cell({ c: 1 }, 0.1), d: cell(null, 0.1), e: cell(true, 0.1) },
			]),
		],
	},
];

/** The only item of some executions, with these fields beside their data. */
async function resultsWith(beside: About): Promise<JsonRecord[]> {
	const settings = settingsOf({ minimumConfidence: 0.8 });
	const all = BODIES.map(async (body) => shapeOf(executionOf(body), settings, beside));
	return (await Promise.all(all)).flatMap(({ items }) => items as JsonRecord[]);
}
const outputs: Record<string, () => Promise<JsonRecord[]>> = {
	create: async () => {
		const about = { ...idsOf(executionOf({})), externalId: 'INV-1', ...sent };
		const items = itemOfInput([], [], about, DEFAULT_SETTINGS);
		return Promise.resolve(items.map(({ json }) => json as JsonRecord));
	},
	createAndWait: async () => resultsWith(sent),
	get: async () => resultsWith({}),
	wait: async () => resultsWith({}),
};

describe.each(operations)('The preview of %s', (operation) => {
	it('matches the real output', async () => {
		const items = await outputs[operation]?.();
		expect(items?.flatMap((json) => faults(previewOf(operation), json))).toEqual([]);
	});

	it('has no field that the output never has', async () => {
		const items = await outputs[operation]?.();
		const real = new Set(items?.flatMap((json) => placesOf(json)));
		expect(placesIn(previewOf(operation)).filter((place) => !real.has(place))).toEqual([]);
	});

	it('has its fields in the order of the output', async () => {
		const [first] = (await outputs[operation]?.()) ?? [];
		expect(Object.keys(previewOf(operation).properties ?? {})).toEqual(Object.keys(first ?? {}));
	});
});

it('Each operation has a preview, and there is no other', () => {
	expect(readdirSync(join(NODE, '__schema__/v1.0.0')).sort()).toEqual(
		operations.map((operation) => `${operation}.json`).sort(),
	);
});

it('A preview that does not match is detected', () => {
	const preview: Preview = {
		type: 'object',
		properties: { a: { type: 'array', items: { type: ['string', 'null'] } } },
	};
	expect(faults(preview, { a: ['x', null] })).toEqual([]);
	expect(faults(preview, { a: [1], b: 2 })).toEqual([
		'item.a[] is number and not string,null',
		'item.b is not in the preview',
	]);
});
