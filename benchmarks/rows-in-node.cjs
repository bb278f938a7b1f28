/**
 * What it costs in plain Node to make items of an answer with many rows, beside JSON.parse of its text. Takes turns
 * within one process. `node --expose-gc rows-in-node.cjs <rows> <rounds>` prints what each round took as JSON; needs the built package.
 */
const { setImmediate } = require('node:timers');
const { readExecution } = require('../dist/service/reading.js');
const { judge } = require('../dist/nodes/DocumentWorkflow/results/judge/judge.js');
const { shape } = require('../dist/nodes/DocumentWorkflow/results/items/result.js');
const {
	readOutputSettings,
} = require('../dist/nodes/DocumentWorkflow/results/settings/settings.js');

const [rows, rounds] = process.argv.slice(2).map(Number);
const REPEATED = 5;
const MOST_TURNS = 100;
const IDS = { workflowId: 'w', executionId: 'e' };
const GIVEN = { output: 'rows', minimumConfidence: 0.8 };
const SHAPING = {
	...readOutputSettings((name, unset) => GIVEN[name] ?? unset),
	values: undefined,
};
const CONVERTING = { ...SHAPING, values: { style: 'us', numberFields: [], today: '2026-11-24' } };

const answerWith = (lossAt) => ({
	...{ workflow_id: 'w', workflow_execution_id: 'e', status: 'completed', metadata: {} },
	steps: [
		{
			step_name: 'losses',
			data: {
				schema: {},
				metadata: {},
				data: Array.from({ length: rows }, (_, row) => lossAt(row)),
			},
		},
	],
});
const text = JSON.stringify(answerWith((row) => cellsOf(lossOf(row), row)));
/** As documents write them. */
const textOfTexts = JSON.stringify(answerWith((row) => cellsOf(asTexts(lossOf(row)), row)));

function asTexts({ date_of_loss: date, paid, reserved, incurred, ...others }) {
	const [year, month, day] = date.split('-');
	const dollars = (number) => `$${number.toLocaleString('en-US', { minimumFractionDigits: 2 })}`;
	return {
		...{ ...others, date_of_loss: `${month}/${day}/${year}` },
		...{ paid: dollars(paid), reserved: dollars(reserved), incurred: dollars(incurred) },
	};
}

function lossOf(row) {
	return {
		claim_number: `CL-${100_000 + row}`,
		policy_number: `CPP-${2_000 + (row % 40)}`,
		claimant: `Claimant ${row}`,
		date_of_loss: `2024-${String(1 + (row % 12)).padStart(2, '0')}-11`,
		cause: row % 3 === 0 ? 'Water damage' : 'Rear-end collision',
		status: row % 2 === 0 ? 'Closed' : 'Open',
		paid: row * 13.5,
		reserved: row * 2.25,
		incurred: row * 15.75,
		notes: `Adjuster visited on day ${row % 31}; nothing further is expected.`,
	};
}

/** One in twenty values is uncertain. */
function cellsOf(values, row) {
	const cells = Object.entries(values).map(([name, value], column) => [
		name,
		{ value, confidence_score: (row + column) % 20 === 0 ? 0.42 : 0.97 },
	]);
	return Object.fromEntries(cells);
}

const answer = JSON.parse(text);
const answerOfTexts = JSON.parse(textOfTexts);

async function shapedBy(given, shaping) {
	const execution = readExecution(given, IDS);
	const { items } = await shape(await judge(execution, shaping), shaping);
	if (items.length !== rows) throw new Error(`${items.length} items were made of ${rows} rows`);
	return { execution, items };
}

const WAYS = {
	parsed: () => JSON.parse(text),
	shaped: () => shapedBy(answer, SHAPING),
	parsedTexts: () => JSON.parse(textOfTexts),
	converted: async () => {
		const made = await shapedBy(answerOfTexts, CONVERTING);
		if (typeof made.items[1].paid !== 'number') throw new Error('A text is no number');
		return made;
	},
};

/** Milliseconds and milliseconds of CPU that one run takes, with the garbage that it leaves. */
async function timesOf(work) {
	global.gc();
	const cpu = process.cpuUsage();
	const begin = process.hrtime.bigint();
	for (let time = 0; time < REPEATED; time++) await work();
	const milliseconds = Number(process.hrtime.bigint() - begin) / 1e6 / REPEATED;
	const { user, system } = process.cpuUsage(cpu);
	return { milliseconds, cpuMilliseconds: (user + system) / 1_000 / REPEATED };
}

/**
 * Megabytes that the result of the work holds: how much less is in use once it is gone. Garbage of earlier work that is
 * collected late can only add to it, so that the lowest of some rounds is right, and none is below zero.
 */
async function memoryOf(work) {
	const held = await hold(work);
	const megabytes = await inUse();
	held.result = undefined;
	for (let time = 0; isThere(held); time++) {
		if (time === MOST_TURNS) throw new Error('The result stays in use');
		await collect();
	}
	return megabytes - (await inUse());
}

/** Here and below, what reads the result is a function of its own, so that no stack holds it. */
async function hold(work) {
	await turn();
	const result = await work();
	return { result, reference: new WeakRef(result) };
}

function isThere({ reference }) {
	return reference.deref() !== undefined;
}

async function inUse() {
	for (let time = 0; time < 3; time++) await collect();
	return process.memoryUsage().heapUsed / 1e6;
}

async function collect() {
	await turn();
	global.gc();
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

async function main() {
	for (const work of Object.values(WAYS)) for (let time = 0; time < REPEATED; time++) await work();
	const results = [];
	for (let round = 0; round < rounds; round++) {
		const costs = {};
		for (const [name, work] of Object.entries(WAYS)) {
			costs[name] = { ...(await timesOf(work)), megabytes: await memoryOf(work) };
		}
		results.push(costs);
	}
	console.log(JSON.stringify(results));
}

void main();
