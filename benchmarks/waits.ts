/**
 * What long waits cost: how much of a wait n8n holds in memory, and how late an end is noticed, for the published durations (by
 * simulation); and on a real n8n with SQLite the stored bytes and the CPU of a check of paused executions, and the CPU and memory of many
 * n8n executions that are paused at once while nothing ends, beside as many that loop over n8n's own nodes Wait and HTTP Request.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import axios from 'axios';
import { CREDENTIAL_TYPE } from '../harness/example-workflows';
import { chain, documentWorkflow, node, numbers, split } from '../harness/flows';
import { databaseBytes } from '../harness/disk';
import type { Line } from '../harness/install';
import type { N8n } from '../harness/n8n';
import type { N8nClient, WorkflowJson } from '../harness/n8n-rest';
import type { Report } from '../harness/report';
import { tableOf } from './figures';
import { API, cpuSeconds, startService } from './measuring';
import { published, seeded } from './simulation/durations';
import { measure, PAUSE_AFTER, watchByPackage } from './simulation/watches';
import { withN8n, type Surroundings } from './surroundings';

const SEED = 4;
const EXECUTIONS = 8_000;
const SIZES = [1, 50, 500];
const MANY = 1_000;
const MINUTE = 60_000;
const STARTED_AT_ONCE = 10;
/** How long n8n rests before a check, and how long its CPU at rest is measured, in milliseconds. */
const IDLE = 15_000;

/** Prints its tables. `paused` n8n executions pause at once; fewer than usual are measured for a shorter time. */
export async function waits(report: Report, line?: Line, paused = MANY): Promise<void> {
	await simulate();
	const service = await startService();
	try {
		const isShort = paused < MANY;
		await withN8n({ serviceUrl: service.url, report, line }, async (surroundings) =>
			measureSizes({ ...surroundings, service, report }, isShort ? 1 : 3),
		);
	} finally {
		service.stop();
	}
	const many = { report, line, paused };
	await inBothWays({ ...many, env: {}, minutes: paused < MANY ? [2, 4] : [2, 5, 10] });
	const sparing = { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' };
	if (line !== 'n8n-1') await inBothWays({ ...many, env: sparing, minutes: [2] });
}

interface Many {
	report: Report;
	line: Line | undefined;
	/** How many n8n executions pause at once. */
	paused: number;
	env: NodeJS.ProcessEnv;
	/** When it is measured, after the first start. */
	minutes: number[];
}

/** At the same time, each with a service that counts its checks. */
async function inBothWays({ report, line, paused, env, minutes }: Many): Promise<void> {
	console.log(`\n${paused} n8n executions paused at once while nothing ends`, env);
	await Promise.all(
		[waiting, looping].map(async (flow) => {
			const service = await startService();
			const wanted = { serviceUrl: service.url, report, line, env };
			await withN8n(wanted, async (surroundings) =>
				measureMany({ ...surroundings, service, report }, flow, paused, minutes),
			).finally(service.stop);
		}),
	);
}

/** The published durations. */
async function simulate(): Promise<void> {
	const table = tableOf([
		'pauses after',
		'mean lag',
		'lag of 1 to 3 minutes',
		'in memory before it pauses',
		'pauses',
	]);
	for (const milliseconds of Object.values(PAUSE_AFTER)) {
		const random = seeded(SEED);
		const durations = published(EXECUTIONS, random);
		const sightings = await watchByPackage(durations, false, random, milliseconds);
		const usual = sightings.filter(({ duration }) => duration >= 60 && duration <= 180);
		const { lag, held, pauses } = measure(sightings);
		table.push([
			`${milliseconds / 1_000} s`,
			`${lag.toFixed(1)} s`,
			`${measure(usual).lag.toFixed(1)} s`,
			`${held.toFixed(1)} s`,
			pauses.toFixed(1),
		]);
	}
	console.log(`${EXECUTIONS} executions, durations as published`);
	console.log(table.toString());
}

interface Measuring extends Surroundings {
	service: Awaited<ReturnType<typeof startService>>;
	report: Report;
}

/** One n8n execution at a time that waits for a number of items, which never end. n8n pauses it for a minute at first. */
async function measureSizes(
	{ n8n, client, service, credential, report }: Measuring,
	rounds: number,
): Promise<void> {
	const table = tableOf([
		...['items', 'stored at the first pause', 'at the last'],
		...['requests per check', 'CPU per check'],
	]);
	for (const items of SIZES) {
		const id = await client.run(await client.createWorkflow(waiting(credential, items)));
		let waitTill = await untilPausedAfter(client, id, null);
		const { bytes: first } = await client.execution(id);
		const requests = service.checks();
		let spent = 0;
		for (let round = 0; round < rounds; round++) {
			await sleep(IDLE);
			const idle = await cpuOf(n8n, async () => sleep(IDLE));
			await sleep(Date.parse(waitTill ?? '') - Date.now() - 1_000);
			const began = Date.now();
			const cpu = await cpuOf(n8n, async () => {
				waitTill = await untilPausedAfter(client, id, waitTill);
			});
			spent += cpu - (idle * (Date.now() - began)) / IDLE;
		}
		const { bytes } = await client.execution(id);
		table.push([
			items,
			`${kilobytes(first)} kB`,
			`${kilobytes(bytes)} kB`,
			((service.checks() - requests) / rounds).toFixed(1),
			`${((1_000 * spent) / rounds).toFixed(0)} ms`,
		]);
		report(`${items} items are measured`);
		await client.stopExecution(id);
	}
	console.log(`\nA check of a paused n8n execution (${n8n.line}, SQLite), mean of ${rounds}`);
	console.log(table.toString());
}

/** Many n8n executions of one item, started by webhook. n8n checks each after a minute, later more rarely. */
async function measureMany(
	{ n8n, client, service, credential, report }: Measuring,
	way: typeof looping,
	count: number,
	atMinutes: number[],
): Promise<void> {
	const path = randomUUID();
	const json = way(credential, 1, service.url);
	const webhook = node('Start', 'n8n-nodes-base.webhook', 2, { httpMethod: 'POST', path });
	const nodes = [{ ...webhook, webhookId: path }, ...json.nodes.slice(1)];
	const flow = await client.createWorkflow({ ...json, nodes });
	await client.activate(flow);
	const begin = Date.now();
	for (let started = 0; started < count; started += STARTED_AT_ONCE)
		await Promise.all(
			Array.from({ length: Math.min(STARTED_AT_ONCE, count - started) }, async () =>
				axios.post(`${n8n.url}/webhook/${path}`, {}, { proxy: false }),
			),
		);
	while ((await client.countExecutions(flow, 'waiting')) < 0.8 * count) await sleep(2_000);
	report(
		`${count} n8n executions have started within ${((Date.now() - begin) / 1_000).toFixed(0)} s`,
	);
	const table = tableOf([
		'after',
		'checks a minute',
		'CPU of n8n',
		'CPU per check',
		'memory of n8n',
		'database',
	]);
	for (const minutes of atMinutes) {
		await sleep(begin + minutes * MINUTE - Date.now());
		const requests = service.checks();
		const began = Date.now();
		const cpu = await cpuOf(n8n, async () => sleep(2 * MINUTE));
		const passed = (Date.now() - began) / MINUTE;
		const checks = service.checks() - requests;
		table.push([
			`${((began - begin) / MINUTE).toFixed(0)} min`,
			(checks / passed).toFixed(0),
			`${((100 * cpu) / (60 * passed)).toFixed(0)} % of a core`,
			`${((1_000 * cpu) / checks).toFixed(0)} ms`,
			`${(n8n.memory() / 1e6).toFixed(0)} MB`,
			`${(databaseBytes(n8n.userFolder) / 1e6).toFixed(0)} MB`,
		]);
		report(`${json.name}: measured after ${minutes} minutes`);
	}
	console.log(`\n${json.name} (${n8n.line}, SQLite)`);
	console.log(table.toString());
}

/** Creates executions that never end, and waits for them. */
function waiting(credential: Surroundings['credential'], items: number): WorkflowJson {
	const wait = documentWorkflow({ credential }, 'createAndWait', 'w', {
		documents: 'none',
		inputs: { textInputs: [{ name: 'note', value: '={{ $json.numbers }}' }] },
		waiting: { firstCheckSeconds: 1, pauseAfterSeconds: 6 },
	});
	return chain('This package', numbers(items), split(), wait);
}

/** Checks an execution that never ends, once a minute, with n8n's own nodes. */
function looping(
	{ id, name }: Surroundings['credential'],
	_items: number,
	url: string,
): WorkflowJson {
	const check = {
		...node('Check', 'n8n-nodes-base.httpRequest', 4.2, {
			url: `${url}${API}/workflow-builder/workflows/w/executions/e-1`,
			authentication: 'predefinedCredentialType',
			nodeCredentialType: CREDENTIAL_TYPE,
			options: {},
		}),
		credentials: { [CREDENTIAL_TYPE]: { id, name } },
	};
	const wait = node('Wait', 'n8n-nodes-base.wait', 1.1, { amount: 1.1, unit: 'minutes' });
	const flow = chain("n8n's own nodes", wait, check);
	const again = { main: [[{ node: 'Wait', type: 'main', index: 0 }]] };
	return { ...flow, connections: { ...flow.connections, Check: again } };
}

/** Waits until an n8n execution pauses up to another time than `before`; returns that time. */
async function untilPausedAfter(
	client: N8nClient,
	id: string,
	before: string | null,
): Promise<string | null> {
	for (;;) {
		const { status, waitTill } = await client.execution(id);
		if (status === 'waiting' && waitTill !== before) return waitTill;
		if (!['new', 'running', 'waiting'].includes(status))
			throw new Error(`The run ended as ${status}`);
		await sleep(2_000);
	}
}

/** Seconds of CPU that n8n takes during some work. */
async function cpuOf({ main: process }: N8n, work: () => Promise<unknown>): Promise<number> {
	const before = cpuSeconds(process.pid());
	await work();
	return cpuSeconds(process.pid()) - before;
}

function kilobytes(bytes: number): string {
	return (bytes / 1_000).toFixed(1);
}
