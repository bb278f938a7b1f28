import type { Given } from './support';
import { cell, onlyItem, POLICY, shaped, step } from './support';
import type { Json, JsonRecord } from '../../../../service/contract';
import { growthOf, LINEAR } from '../../support/growth';

const MARKS = [
	...['needsReview', 'toReview', 'step', 'row', 'fileName', 'executionId', 'executionUrl'],
	...['executionStatus', 'externalId'],
];

const rows = async (body: JsonRecord, shaping: Given = {}, beside = {}) =>
	(await shaped(body, { output: 'rows', ...shaping }, beside)).items;

const detailed = async (body: JsonRecord, shaping: Given = {}) =>
	rows(body, { includeDetails: true, ...shaping });

describe('One Item per Row', () => {
	it('returns each row with its fields as columns, and behind them what to review and where it is from', async () => {
		const documents = [{ fileName: 'a.pdf' }, { fileName: 'b.pdf' }];
		const from = {
			...{ fileName: 'a.pdf, b.pdf', executionId: 'e', executionUrl: null },
			...{ executionStatus: 'completed', externalId: 'INV-1' },
		};
		expect(await rows(POLICY, { minimumConfidence: 0.8 }, { documents })).toEqual([
			{
				number: 'CPP-1',
				premium: 1250,
				needsReview: true,
				toReview: 'Check: premium (42 %)',
				step: 'policy',
				row: 1,
				...from,
			},
			{ paid: 10, needsReview: false, toReview: null, step: 'losses', row: 1, ...from },
			{
				paid: 20,
				needsReview: true,
				toReview: 'Check: paid (50 %)',
				step: 'losses',
				row: 2,
				...from,
			},
		]);
	});

	it('has an item without a row for an execution without data, with the reason', async () => {
		const marks = { step: null, row: null, fileName: null, executionId: 'e', executionUrl: null };
		const item = (toReview: string, executionStatus: string) => [
			{ needsReview: true, toReview, ...marks, executionStatus, externalId: null },
		];
		expect(await rows({ status: 'running' })).toEqual(item('Still running', 'running'));
		expect(await rows({ status: 'failed', error: 'page 2 is missing.' })).toEqual(
			item('The execution failed: page 2 is missing', 'failed'),
		);
		expect(await rows({ steps: [] })).toEqual(
			item(
				'The answer has no steps with data. It is: {"status":"completed","steps":[]}',
				'completed',
			),
		);
	});

	it('has no item for an empty table beside another one', async () => {
		const steps = [step('none', []), step('blank', [{}]), step('table', [{ a: 1 }])];
		expect(await rows({ steps })).toMatchObject([{ a: 1, step: 'table' }]);
	});

	it('has one item that needs review where all tables are empty, which names them', async () => {
		const reviewOf = async (steps: Json[]) =>
			(await rows({ steps })).map((item) => [item.needsReview, item.toReview, item.step, item.row]);
		expect(await reviewOf([step('none', []), step('blank', [{}])])).toEqual([
			[true, 'There are no rows in "none", "blank". The steps are: "none", "blank"', null, null],
		]);
		expect(await reviewOf([step('none', [])])).toEqual([
			[true, 'There are no rows in "none". The steps are: "none"', 'none', null],
		]);
		expect(await onlyItem({ steps: [step('none', [])] })).toMatchObject({ needsReview: true });
	});

	it('has the content of a step without rows in a column with the name of the step', async () => {
		const steps: Json[] = [
			{ step_name: 'summary', data: 'A fire.' },
			{ step_name: 'class', data: { kind: 'claim', pages: [1, 2] } },
			{ step_name: 'document', data: { scan: { metadata: { insured: 'Alder Mill Ltd' } } } },
			step('table', [{ a: 1 }]),
		];
		expect(await rows({ steps })).toMatchObject([
			{ summary: 'A fire.', needsReview: false, toReview: null, step: 'summary', row: null },
			{ class: 'kind: claim; pages: (1, 2)', step: 'class', row: null },
			{ document: expect.stringContaining('Alder Mill Ltd'), step: 'document', row: null },
			{ a: 1, step: 'table', row: 1 },
		]);
		expect((await detailed({ steps }))[1]).toMatchObject({
			class: { kind: 'claim', pages: [1, 2] },
		});
		expect(await rows({ steps: [{ step_name: 'row', data: 'x' }] })).toMatchObject([{ row_: 'x' }]);
	});

	it('has the column value of a row beside one that evidence has the name of', async () => {
		const row = { value: cell(100, 0.97), source: cell('Schedule A', 0.3) };
		const body = { steps: [step('s', [row, { value: cell(5, 0.9) }])] };
		expect(await rows(body, { minimumConfidence: 0.8 })).toMatchObject([
			{ value: 100, source: 'Schedule A', toReview: 'Check: source (30 %)' },
			{ value: 5, needsReview: false },
		]);
	});

	it('has lists, records and nested tables as text', async () => {
		const losses: JsonRecord[] = [
			{ cause: 'Hail', paid: 1250, note: null },
			{ cause: 'Fire; kitchen', paid: 0, places: [{ city: 'Exampleton' }, { city: 'Ür' }] },
		];
		const row: JsonRecord = {
			tags: ['a', null, 'b', true],
			insured: { name: 'X', address: { city: 'Y', zip: '' } },
			losses,
			none: [],
			empty: [null, {}],
		};
		expect(await rows({ steps: [step('s', [row])] })).toMatchObject([
			{
				tags: 'a, b, true',
				insured: 'name: X; address: (city: Y)',
				losses:
					'cause: Hail; paid: 1250\ncause: Fire; kitchen; paid: 0; places: ((city: Exampleton), (city: Ür))',
				none: null,
				empty: null,
			},
		]);
		expect(await detailed({ steps: [step('s', [row])] })).toMatchObject([row]);
	});

	it('returns rows in time in proportion to their number', async () => {
		const table = (length: number): JsonRecord => ({
			steps: [
				step(
					's',
					Array.from({ length }, (_, index) => ({ a: cell(index, 0.9), b: cell('x', 0.1) })),
				),
			],
		});
		const shown = async (body: JsonRecord) => rows(body, { minimumConfidence: 0.5 });
		expect((await rows(table(10_000))).at(-1)).toMatchObject({ a: 9_999, b: 'x', row: 10_000 });
		expect(await growthOf(table, shown, 10_000)).toBeLessThan(LINEAR);
	});

	it.each<[string, JsonRecord]>([
		['at a URL', { step_name: 's', data: { url: 'https://example.com/a' } }],
		['that failed without data', { ...step('s', []), error: 'unreadable' }],
	])('says what to review in time in proportion to the number of steps %s', async (_, each) => {
		const many = (length: number): JsonRecord => ({ steps: Array<Json>(length).fill(each) });
		const shown = async (body: JsonRecord) => rows(body, { minimumConfidence: 0.5 });
		expect(await growthOf(many, shown, 10_000)).toBeLessThan(LINEAR);
	});
});

describe('A Step that is not there, or has no row', () => {
	const steps = [step('policy', [{ a: 1 }]), step('losses', [])];
	const toReview = async (...onlySteps: string[]) =>
		(await rows({ steps }, { onlySteps })).map((item) => item.toReview);
	const THERE = 'The steps are: "policy", "losses"';

	it('gives one item that needs review and names the steps that there are', async () => {
		expect(await toReview('polcy')).toEqual([`No step is named "polcy". ${THERE}`]);
		expect(await toReview('losses')).toEqual([`There are no rows in "losses". ${THERE}`]);
		expect(await toReview('a', 'b', 'losses')).toEqual([
			`No step is named "a", "b". There are no rows in "losses". ${THERE}`,
		]);
	});

	it('does so behind the rows of another named step', async () => {
		expect(await toReview('policy', 'polcy')).toEqual([null, `No step is named "polcy". ${THERE}`]);
		expect(await toReview('policy', 'losses')).toEqual([
			null,
			`There are no rows in "losses". ${THERE}`,
		]);
	});

	it('is not missed in an execution that runs or has failed, which has its own reason', async () => {
		for (const status of ['running', 'failed'])
			expect(await rows({ steps, status }, { onlySteps: ['policy', 'polcy'] })).toHaveLength(1);
	});
});

describe('What a row is to be reviewed for', () => {
	const toReview = async (body: JsonRecord, beside = {}, given: Given = {}) =>
		(await rows(body, given, beside))[0]?.toReview;
	const table = { steps: [step('s', [{ a: cell(1, 0.9) }])] };

	it.each<[string, JsonRecord, object, string | null]>([
		['nothing', table, {}, null],
		[
			'a status of warnings',
			{ ...table, status: 'completed_with_warnings' },
			{},
			'The status is "completed_with_warnings"',
		],
		[
			'a status that is unknown',
			{ ...table, status: 'cooked' },
			{},
			'The status "cooked" is unknown',
		],
		['a failed execution', { ...table, status: 'failed' }, {}, 'The execution failed'],
		[
			'a failed execution of an encrypted PDF',
			{ ...table, status: 'failed', error: 'It is locked' },
			{ documents: [{ fileName: 'a.pdf', encrypted: true }] },
			'The execution failed: It is locked. a.pdf is encrypted. If it needs a password, ask the sender for a copy without one',
		],
		[
			'a file that was not sent',
			table,
			{
				needsReview: true,
				documents: [{ fileName: 'b.pdf' }],
				skipped: [
					{ fileName: 'a.pdf', reason: 'empty' },
					{ fileName: 'logo.png', reason: 'inlineImage' },
				],
			},
			'Not sent: a.pdf (it is empty)',
		],
		[
			'data that was not read',
			{ steps: [] },
			{ needsReview: true, dataNotRead: 'It is too large.' },
			'It is too large',
		],
		[
			'data at a URL',
			{ steps: [{ step_name: 's', data: { url: 'https://example.com/a?sig=1' } }] },
			{},
			'The data of "s" is at a URL',
		],
	])('is %s', async (_, body, beside, expected) => {
		expect(await toReview(body, beside)).toBe(expected);
	});

	it('is its values with low confidence, as people call them, of which ten are named', async () => {
		const names = ['Policy No.', 'total_premium', '保険料'];
		const values = Object.fromEntries(
			names.map((name, index) => [name, cell(index === 1 ? 'N/A' : 1, 0.5)]),
		);
		const body = { steps: [step('s', [values])] };
		expect(await toReview(body, {}, { minimumConfidence: 0.8 })).toBe(
			'Check: Policy No. (50 %), total premium (no value), 保険料 (50 %)',
		);
		const many = Object.fromEntries(
			Array.from({ length: 12 }, (_, index) => [`f${index}`, cell(1, 0.5)]),
		);
		expect(await toReview({ steps: [step('s', [many])] }, {}, { minimumConfidence: 0.8 })).toMatch(
			/, f9 \(50 %\) and 2 more$/,
		);
	});

	it('is what ten steps report, and how many more do', async () => {
		const reviewOf = async (length: number) =>
			onlyItem({
				steps: Array.from({ length }, (_, at) => ({
					...step(`s${at}`, [{ a: 1 }]),
					error: 'torn',
				})),
			});
		expect((await reviewOf(10)).toReview).toMatch(/^In "s0": torn\. .*\. In "s9": torn$/);
		expect((await reviewOf(20_000)).toReview).toMatch(
			/^.{120,150} In "s9": torn\. More steps to review: 19990$/,
		);
	});

	it('has what the execution says in short, and as a whole only once', async () => {
		const warnings = Array.from({ length: 10 }, (_, page) => `Page ${page}: ${'x'.repeat(80)}`);
		const body = { warnings, steps: [step('s', [{ a: 1 }, { a: 2 }])] };
		const lengths = (items: Array<{ toReview?: unknown }>) =>
			items.map(({ toReview }) => String(toReview).length);
		const skipped = [{ reason: 'empty' as const, itemIndex: 0, fieldName: 'f', fileName: 'b.pdf' }];
		expect(lengths(await rows(body))).toEqual([300, 300]);
		const [first] = await rows(body, {}, { skipped, needsReview: true });
		expect(first?.toReview).toMatch(/…\. Not sent: b\.pdf \(it is empty\)$/);
		expect(lengths([await onlyItem(body)])[0]).toBeGreaterThan(400);
	});

	it('is that a score belongs to no single value, in our words', async () => {
		const body = { confidence: 0.62, steps: [step('s', [{ a: cell(1, 0.9) }])] };
		expect(await onlyItem(body, { minimumConfidence: 0.8 })).toMatchObject({
			needsReview: true,
			toReview:
				'In the result: the score "confidence" belongs to no single value: compare all data with the document',
		});
	});

	it('is that a person must act in the service, where its status says so', async () => {
		const held = { status: 'needs_review', steps: [step('s', [{ a: cell(1, 0.9) }])] };
		expect(await onlyItem(held, { required: ['date'] })).toMatchObject({
			toReview: expect.stringMatching(/^A person must act .*\. Missing: "date"/),
		});
		expect(await onlyItem({ status: 'needs_review', steps: [] })).toMatchObject({
			needsReview: true,
			toReview: 'A person must act in the document service, where the status is "needs_review"',
		});
	});

	it('is that a second execution may exist', async () => {
		const about = { warning: 'An earlier one may have sent a.pdf', needsReview: true };
		const [first] = await rows(POLICY, {}, about);
		expect(first?.toReview).toContain('An earlier one may have sent a.pdf');
	});

	it('is that it has no scores, and several reasons are several sentences', async () => {
		const reasons = async (steps: Json[]) =>
			(await rows({ steps }, { minimumConfidence: 0.8, onlySteps: ['s'] })).map(
				(item) => item.toReview,
			);
		const unscored = step('s', [{ a: 1 }]);
		expect(await reasons([unscored])).toEqual(['There are no confidence scores']);
		expect(await reasons([unscored, step('other', [{ page: 1, confidence: 0.9 }])])).toEqual([
			'There are no confidence scores',
		]);
		expect(await reasons([unscored, step('other', [{ b: cell(1, 0.9) }])])).toEqual([null]);
		expect(await reasons([step('s', [{ a: 1 }, { a: cell(1, 0.5) }])])).toEqual([
			null,
			'Check: a (50 %)',
		]);
		expect(await toReview({ ...POLICY, status: 'partial' }, {}, { minimumConfidence: 0.8 })).toBe(
			'The status is "partial". Check: premium (42 %)',
		);
	});
});

describe('A row with its details', () => {
	it('has the rest in one field behind the marks', async () => {
		const [item = {}, ...others] = await detailed(POLICY, { minimumConfidence: 0.8 });
		expect(Object.keys(item)).toEqual(['number', 'premium', ...MARKS, 'executionDetails']);
		expect(item.executionDetails).toEqual({
			lowConfidenceFields: [{ field: 'premium', path: ['premium'], value: 1250, confidence: 0.42 }],
			lowestConfidence: 0.42,
			confidence: { number: 0.98, premium: 0.42 },
			status: 'completed',
			externalId: 'INV-1',
			workflowId: 'w',
		});
		expect(Object.keys(item.executionDetails as object)).toEqual(
			'lowConfidenceFields lowestConfidence confidence status externalId workflowId'.split(' '),
		);
		expect(others).toMatchObject([
			{ paid: 10, executionDetails: { lowestConfidence: 0.9, lowConfidenceFields: [] } },
			{ paid: 20, executionDetails: { lowestConfidence: 0.5 } },
		]);
	});

	it('has what was sent among the details', async () => {
		const documents = [{ fileName: 'a.pdf' }];
		for (const item of await rows(POLICY, { includeDetails: true }, { documents }))
			expect(item).toMatchObject({ executionDetails: { documents } });
	});

	it('has the reason of a failed execution, and keeps fields of the same name apart', async () => {
		expect((await detailed({ status: 'failed', error: 'unreadable' }))[0]).toMatchObject({
			executionDetails: { status: 'failed', failureReason: 'unreadable' },
		});
		const [item] = await detailed({ steps: [step('s', [{ status: cell('open'), row: cell(9) }])] });
		expect(item).toMatchObject({
			status: 'open',
			row_: 9,
			row: 1,
			executionDetails: { status: 'completed' },
		});
	});
});

describe('An extracted field that an item cannot have', () => {
	const hostile = JSON.parse(
		'{"__proto__": {"value": 1, "confidence_score": 0.1}, "error": "x", "$error": "x", "executionDetails": 2, "_files": 4, "": 3, "error_": "y", "constructor": "c", "needsReview": 5, "toReview": 6, "step": 7, "row": 8, "executionId": 9, "fileName": 10, "executionStatus": 11, "externalId": 12, "executionUrl": 13}',
	) as JsonRecord;

	const free = {
		__proto___: 1,
		error__: 'x',
		$error_: 'x',
		executionDetails_: 2,
		_files_: 4,
		_: 3,
		error_: 'y',
		constructor: 'c',
		needsReview_: 5,
		toReview_: 6,
		step_: 7,
		row_: 8,
		executionId_: 9,
		executionStatus_: 11,
		externalId_: 12,
		executionUrl_: 13,
		fileName_: 10,
	};

	it('has underscores at the end of its name, until the name is free', async () => {
		const [item = {}] = await rows({ steps: [step('s', [hostile])] }, { minimumConfidence: 0.5 });
		expect(item).toEqual({
			...free,
			needsReview: true,
			toReview: 'Check: __proto___ (10 %)',
			...{ step: 's', row: 1, fileName: null, executionId: 'e', executionUrl: null },
			...{ executionStatus: 'completed', externalId: null },
		});
		expect(Object.getPrototypeOf(item)).toBe(Object.prototype);
	});

	it('has the same name with details, where lists and scores have it too', async () => {
		const body = { steps: [step('s', [hostile])] };
		expect(await detailed(body, { minimumConfidence: 0.5 })).toMatchObject([
			{
				...free,
				executionDetails: {
					lowConfidenceFields: [{ field: '__proto___', value: 1, confidence: 0.1 }],
					confidence: { __proto___: 0.1 },
				},
			},
		]);
	});

	it('is reported by its name, and others keep theirs', async () => {
		const renamed = async (body: JsonRecord) =>
			(await shaped(body, { output: 'rows' })).renamedFields;
		expect(await renamed({ steps: [step('s', [hostile, { error: 1 }])] })).toEqual(
			Object.keys(hostile).filter((name) => !['error_', 'constructor'].includes(name)),
		);
		expect(await renamed(POLICY)).toEqual([]);
	});

	it('is judged by the minimum that its own name has', async () => {
		const steps = [step('s', [{ error: cell('x', 0.5) }])];
		for (const name of ['error', 's.error'])
			expect(await detailed({ steps }, { byField: { [name]: 0.9 } })).toMatchObject([
				{ needsReview: true, executionDetails: { lowConfidenceFields: [{ field: 'error_' }] } },
			]);
	});

	it('is not judged by the minimum of another field', async () => {
		const steps = [step('s', [{ error: cell('x', 0.5), other: cell('y', 0.95) }])];
		expect(await rows({ steps }, { byField: { other: 0.9, 's.other': 0.9 } })).toMatchObject([
			{ needsReview: false, toReview: null },
		]);
	});

	it('keeps its name where it is not at the top level', async () => {
		const steps = [step('s', [{ error: cell('x') }])];
		expect(await onlyItem({ steps })).toMatchObject({ data: { s: [{ error: 'x' }] } });
		const table = cell([{ error: cell('x', 0.9) }]);
		expect(await rows({ steps: [step('s', [{ table }])] })).toMatchObject([{ table: 'error: x' }]);
	});

	it('is returned whole when its name is very long, and toReview has a short form of the name', async () => {
		const name = 'x'.repeat(100_000);
		const [item = {}] = await detailed(
			{ steps: [step('s', [{ [name]: cell(1, 0.1) }])] },
			{ minimumConfidence: 0.5 },
		);
		expect(item[name]).toBe(1);
		expect(item.toReview).toBe(`Check: ${'x'.repeat(119)}… (10 %)`);
		expect(item.executionDetails).toMatchObject({
			lowConfidenceFields: [{ field: `["${'x'.repeat(199)}…"]`, value: 1 }],
		});
	});

	it('is renamed however many of the possible names are taken', async () => {
		const names = Array.from({ length: 300 }, (_, index) => `error${'_'.repeat(index)}`);
		const row = Object.fromEntries(names.map((name) => [name, 1]));
		const [item = {}] = await rows({ steps: [step('s', [row])] });
		expect(item[`error${'_'.repeat(300)}`]).toBe(1);
		expect(item).not.toHaveProperty('error');
	});
});
