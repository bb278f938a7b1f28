import { Readable } from 'node:stream';
import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';
import type { ResultSettings, Shaping } from '../../../../nodes/DocumentWorkflow/results/choice';
import { resultOf } from '../../../../nodes/DocumentWorkflow/results/result';
import type { Json } from '../../../../service/contract';
import { Queue } from '../../../../service/rateLimit';
import { readExecution } from '../../../../service/reading';
import { contextOf } from '../../support/context';
import { DEFAULT_SHAPING } from './support';

const SIGNATURE = 'not-to-be-seen';
const stepAt = (name: string, file: string) => ({
	step_name: name,
	data: { url: `https://files.example.com/${file}?signature=${SIGNATURE}` },
});
const contentOf = (value: Json) => ({ data: [{ number: { value, confidence_score: 0.9 } }] });

/** An answer of the storage: status and headers, or a connection that breaks before or during the answer. */
type Stored =
	{ status: number; headers?: Record<string, string>; body?: string } | 'broken' | 'brokenOff';

const data = (value: Json): Stored => ({ status: 200, body: JSON.stringify(contentOf(value)) });
const failing = (status: number, headers?: Record<string, string>): Stored => ({
	status,
	...(headers === undefined ? {} : { headers }),
});

/** A storage that gives these answers for each file in order, and repeats the last one. */
function storageOf(files: Record<string, Stored[]>) {
	const asked: string[] = [];
	const httpRequest = async ({ url }: IHttpRequestOptions) => {
		const file = new URL(url).pathname.slice(1);
		asked.push(file);
		const answers = files[file] ?? [];
		const answer =
			answers[Math.min(asked.filter((each) => each === file).length, answers.length) - 1] ??
			failing(404);
		if (answer === 'broken')
			throw Object.assign(new Error(`socket hang up ${url}`), { code: 'ECONNRESET' });
		if (answer === 'brokenOff')
			return { statusCode: 200, headers: {}, body: Readable.from(breaking()) };
		return {
			statusCode: answer.status,
			headers: answer.headers ?? {},
			body: Readable.from([Buffer.from(answer.body ?? '')]),
		};
	};
	return { asked, httpRequest };
}

async function* breaking(): AsyncIterable<Buffer> {
	yield Buffer.from('{');
	throw Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
}

interface Fetch {
	steps: Json[];
	files: Record<string, Stored[]>;
	shaping?: Partial<Shaping>;
	pause?: (milliseconds: number) => Promise<void>;
	/** Whether the service is on this machine. */
	isLocal?: boolean;
}

async function fetchResult({ steps, files, shaping = {}, pause, isLocal = false }: Fetch) {
	const { asked, httpRequest } = storageOf(files);
	const pauses: number[] = [];
	const execution = readExecution(
		JSON.parse(JSON.stringify({ status: 'completed', steps })) as Json,
		{ workflowId: 'w', executionId: 'e' },
	);
	if (execution === undefined) throw new Error('This is no execution');
	const choice: ResultSettings = {
		shaping: { ...DEFAULT_SHAPING, ...shaping },
		includeFiles: true,
		attachReport: false,
	};
	const keep = async (milliseconds: number) => void pauses.push(milliseconds);
	const connection = { fetching: new Queue(1), isLocal, pause: pause ?? keep };
	const context = contextOf({ helpers: { httpRequest } });
	const result = await resultOf(
		{ context, connection, inputs: [{ json: {} }] },
		[0],
		execution,
		choice,
	);
	return {
		result,
		asked,
		pauses,
		items: result.ok ? result.items.map(({ json }) => json) : [],
		shaped: result.ok ? result.shaped : undefined,
	};
}

/** The item of an execution with a step whose data could not be downloaded. */
const without = (reason: string, name = 's') => ({
	needsReview: true,
	dataNotRead: `The data of step "${name}" could not be downloaded: ${reason}. Use Get Execution with the executionId for a new URL`,
});

describe('The data at addresses in Raw', () => {
	const steps = [
		stepAt('s', '1'),
		stepAt('__proto__', '2'),
		{ step_name: 's', data: contentOf('inline') },
		stepAt('s', '3'),
	];
	const files = { 1: [data('one')], 2: [data('two')], 3: [data('three')] };

	it('is complete, under the step names of Simplified, which has it in its place', async () => {
		const {
			items: [raw],
		} = await fetchResult({ steps, files, shaping: { output: 'raw' } });
		const {
			items: [simplified],
		} = await fetchResult({ steps, files });
		const fetched = raw?.fetched as IDataObject;
		expect(simplified).not.toHaveProperty('fetched');
		expect(Object.entries(fetched)).toEqual([
			['s', contentOf('one')],
			['__proto__', contentOf('two')],
			['s_3', contentOf('three')],
		]);
		expect(
			Object.entries(simplified?.data as IDataObject).map(([name, rows]) => [name, rows]),
		).toEqual([
			['s', [{ number: 'one' }]],
			['__proto__', [{ number: 'two' }]],
			['s_2', [{ number: 'inline' }]],
			['s_3', [{ number: 'three' }]],
		]);
		expect(Object.getPrototypeOf(fetched)).toBe(Object.prototype);
	});

	it('is missing when nothing was fetched', async () => {
		const { items } = await fetchResult({
			steps: [{ step_name: 's', data: contentOf('inline') }],
			files: {},
			shaping: { output: 'raw' },
		});
		expect(items[0]).not.toHaveProperty('fetched');
	});
});

describe('An address on this machine', () => {
	const at = (url: string) => [{ step_name: 's', data: { url } }];
	const files = { 1: [data('one')] };

	it.each(['http://127.0.0.1/1', 'http://127.1/1', 'http://localhost/1', 'http://[::1]/1'])(
		'is fetched over http only when the service is there itself: %s',
		async (url) => {
			const refused = await fetchResult({ steps: at(url), files });
			expect(refused.items).toMatchObject([without('its URL does not begin with https://')]);
			expect(refused.asked).toEqual([]);
			const { items } = await fetchResult({ steps: at(url), files, isLocal: true });
			expect(items).toMatchObject([{ data: { s: [{ number: 'one' }] } }]);
		},
	);

	it('that is elsewhere is never fetched over http', async () => {
		for (const host of ['10.0.0.1', '169.254.169.254', 'files.example.com']) {
			const { asked } = await fetchResult({ steps: at(`http://${host}/1`), files, isLocal: true });
			expect(asked).toEqual([]);
		}
	});
});

describe('Data that cannot be fetched at once', () => {
	const steps = [stepAt('s', '1')];

	it.each<[string, Stored]>([
		['a 503', failing(503)],
		['a 500', failing(500)],
		['a 408', failing(408)],
		['a 429', failing(429)],
		['a connection that breaks', 'broken'],
		['an answer that breaks off', 'brokenOff'],
		['JSON that is cut', { status: 200, body: '{"data": [{"number"' }],
	])('is requested again: %s', async (_what, answer) => {
		const { items, asked, pauses } = await fetchResult({
			steps,
			files: { 1: [answer, answer, data('P1')] },
		});
		expect(items).toMatchObject([{ data: { s: [{ number: 'P1' }] } }]);
		expect(asked).toHaveLength(3);
		expect(pauses).toEqual([1_000, 2_000]);
	});

	it('is requested again when the Retry-After of the storage has passed', async () => {
		const { items, pauses } = await fetchResult({
			steps,
			files: { 1: [failing(429, { 'Retry-After': '7' }), data('P1')] },
		});
		expect(items).toMatchObject([{ data: { s: [{ number: 'P1' }] } }]);
		expect(pauses).toEqual([7_000]);
	});

	it.each<[string, Stored, string]>([
		['a storage that goes on failing', failing(503), 'its URL answers with status 503'],
		['a connection that goes on breaking', 'broken', 'the connection broke'],
		['JSON that stays cut', { status: 200, body: '{"data": [' }, 'it is not JSON'],
	])('is named with the last reason after %s', async (_what, answer, reason) => {
		const { result, items, asked, pauses } = await fetchResult({ steps, files: { 1: [answer] } });
		expect(items).toMatchObject([without(reason)]);
		expect(asked).toHaveLength(4);
		expect(pauses).toEqual([1_000, 2_000, 4_000]);
		expect(JSON.stringify(result)).not.toContain(SIGNATURE);
	});

	it.each<[number, Record<string, string>]>([
		[403, {}],
		[404, {}],
		[302, {}],
		[400, {}],
		[429, { 'retry-after': '60' }],
	])('is not requested again after %d %j', async (status, headers) => {
		const { items, asked, pauses } = await fetchResult({
			steps,
			files: { 1: [failing(status, headers)] },
		});
		expect(items).toMatchObject([without(`its URL answers with status ${status}`)]);
		expect([asked.length, pauses]).toEqual([1, []]);
	});

	it('pauses an execution for ten seconds at most, however many steps it has', async () => {
		const slow = [failing(503, { 'retry-after': '6' }), data('x')];
		const { items, asked, pauses } = await fetchResult({
			steps: [stepAt('a', '1'), stepAt('b', '2')],
			files: { 1: slow, 2: slow },
		});
		expect(items).toMatchObject([without('its URL answers with status 503', 'b')]);
		expect([asked, pauses]).toEqual([['1', '1', '2'], [6_000]]);
	});

	it('lets others be fetched during a pause', async () => {
		const fetching = new Queue(1);
		let others = 0;
		const { items } = await fetchResult({
			steps,
			files: { 1: [failing(503), data('P1')] },
			pause: async () => fetching.run(async () => void others++),
		});
		expect([items.length, others]).toEqual([1, 1]);
	});

	it('is not requested again after a stop', async () => {
		const pause = () => Promise.reject(new Error('The n8n execution was stopped'));
		const { result, asked } = await fetchResult({
			steps,
			files: { 1: ['broken', data('P1')] },
			pause,
		});
		expect(result).toMatchObject({
			ok: false,
			error: { message: 'The n8n execution was stopped' },
		});
		expect(asked).toHaveLength(1);
	});

	it('is requested again in a trigger too, where nothing can stop the pause', async () => {
		const { httpRequest } = storageOf({ 1: [failing(503, { 'retry-after': '5' }), data('P1')] });
		const execution = readExecution(
			{ status: 'completed', steps },
			{ workflowId: 'w', executionId: 'e' },
		);
		if (execution === undefined) throw new Error('This is no execution');
		const resultContext = {
			context: contextOf({ helpers: { httpRequest } }),
			connection: { fetching: new Queue(1), isLocal: false, pause: async () => undefined },
			inputs: [],
		};
		const result = await resultOf(resultContext, [], execution, {
			shaping: DEFAULT_SHAPING,
			includeFiles: true,
			attachReport: false,
		});
		expect(result).toMatchObject({
			ok: true,
			items: [{ json: { data: { s: [{ number: 'P1' }] } } }],
		});
	});
});

describe('Data of steps that are not requested', () => {
	const steps = [stepAt('gone', '1'), stepAt('s', '2'), stepAt('s', '3')];
	const files = { 1: [failing(403)], 2: [data('two')], 3: [data('three')] };

	it('is not fetched, and not missing', async () => {
		const { items, asked } = await fetchResult({
			steps,
			files,
			shaping: { onlySteps: ['s', 's_2'] },
		});
		expect(items).toMatchObject([{ data: { s: [{ number: 'two' }], s_2: [{ number: 'three' }] } }]);
		expect(asked).toEqual(['2', '3']);
		expect(items).toMatchObject([{ needsReview: false }]);
	});

	it('is not fetched for Raw either, and a step may be named by its number', async () => {
		const { items, asked } = await fetchResult({
			steps,
			files,
			shaping: { output: 'raw', onlySteps: ['s_2'] },
		});
		expect(items).toMatchObject([{ fetched: { s_2: contentOf('three') } }]);
		expect(asked).toEqual(['3']);
	});

	it('does not hide unknown step names, which are reported with the existing ones', async () => {
		const shaping = { output: 'rows' as const, onlySteps: ['sa'] };
		const { asked, items } = await fetchResult({ steps, files, shaping });
		expect(asked).toEqual([]);
		expect(items).toMatchObject([
			{ toReview: 'No step is named "sa". The steps are: "gone", "s", "s_2"' },
		]);
	});
});

describe('One step that cannot be downloaded', () => {
	const steps = [
		stepAt('gone', '1'),
		stepAt('s', '2'),
		{ step_name: 'inline', data: contentOf('three') },
	];
	const files = { 1: [failing(403)], 2: [data('two')] };
	const fetchAs = async (output: Shaping['output'], shaping: Partial<Shaping> = {}) =>
		fetchResult({ steps, files, shaping: { output, ...shaping } });

	it.each(['simplified', 'rows', 'raw', 'selected'] as const)(
		'does not take the others along, and is named in the item: %s',
		async (output) => {
			const { items } = await fetchAs(output);
			const text = JSON.stringify(items);
			for (const value of ['two', 'three']) expect(text).toContain(`"${value}"`);
			if (output === 'rows')
				expect(items).toMatchObject([
					{ needsReview: true, step: 'gone', row: null, toReview: expect.stringMatching(/403/) },
					{ needsReview: false, number: 'two' },
					{ needsReview: false, number: 'three' },
				]);
			else expect(items).toMatchObject([without('its URL answers with status 403', 'gone')]);
			if (output !== 'raw') expect(text).not.toContain(SIGNATURE);
		},
	);
});
