/** Hostile deliveries to the trigger, with honest ones between: some hundred in the daily test, ten thousand in the long one. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { WebhookContext } from 'n8n-core';
import type { INodeParameters } from 'n8n-workflow';
import {
	BODIES,
	drawn,
	unusualReference,
	pick,
	authenticated,
	REFERENCES,
	rightReference,
	SECRETS,
	UNAUTHENTICATED,
	WAITING_PATH,
	WAYS,
	type Delivery,
	type Drawn,
	type Places,
	type Way,
} from './hostile';
import { notification, startedJson } from './notifications';
import { expectNoSecretIn } from './secrets';
import { startHandler } from './servers';
import { CLIENT_SECRET, useService, WORKFLOW_ID } from './service';
import { keysIn, storedEvents } from './stored-events';
import { useTrigger } from './webhook';
import type { Answered } from './webhook-call';
import { fc } from '../../properties';

const ONE_HONEST_IN = 50;
const SEED = 20_260_115;
/** Each delivery reads and writes the stored events, so the number for one trigger is limited. */
const MOST_TO_A_TRIGGER = 500;
const MOST_KEPT = 2_000;

const service = useService();
const trigger = useTrigger(service);

/** Every HTTP request of this process. */
let requested: string[] = [];
const onRequest = (message: unknown): void => {
	const { request } = message as { request: ClientRequest };
	requested.push(
		`${request.method} ${request.protocol}//${String(request.getHeader('host'))}${request.path}`,
	);
};

/** Calls received by stand-ins for this n8n's waiting executions and for another host. */
const arrived = { own: [] as string[], foreign: [] as string[] };
const stops: Array<() => Promise<void>> = [];
const places: Places = {
	own: '',
	foreign: '',
	sealer: { clientId: '', clientSecret: CLIENT_SECRET },
};

async function startPlace(place: 'own' | 'foreign'): Promise<void> {
	const { url, stop } = await startHandler((request, response) => {
		arrived[place].push(request.url ?? '');
		request.resume().on('end', () => {
			const isRedirected = request.url?.endsWith('?redirect') === true;
			response
				.writeHead(isRedirected ? 307 : 200, {
					'content-type': 'application/json',
					...(isRedirected ? { location: `${places.foreign}/redirected` } : {}),
				})
				.end('{"waiting":false}');
		});
	});
	places[place] = url;
	stops.push(stop);
}

beforeAll(async () => {
	subscribe('http.client.request.start', onRequest);
	await startPlace('own');
	await startPlace('foreign');
});
afterAll(async () => {
	unsubscribe('http.client.request.start', onRequest);
	for (const stop of stops) await stop();
});
beforeEach(() => {
	places.sealer.clientId = service.entered.clientId as string;
	// n8n runs no server here, so its base URL leads to the stand-in.
	jest
		.spyOn(WebhookContext.prototype, 'evaluateExpression')
		.mockImplementation(() => `${places.own}${WAITING_PATH}/__UNKNOWN__`);
});

interface Delivered {
	answered: Answered;
	/** Log lines and requests during the delivery. */
	logs: string[];
	requests: string[];
}

let enteredWay: Way | undefined;

async function enter(way: Way): Promise<void> {
	if (way !== enteredWay) await trigger.enterWebhook(way.entered);
	enteredWay = way;
}

async function deliver(
	way: Way,
	{ headers, body, laterMilliseconds = 0 }: Delivery,
	parameters: INodeParameters = {},
): Promise<Delivered> {
	await enter(way);
	service.state.requests.clear();
	requested = [];
	const clock =
		laterMilliseconds === 0
			? undefined
			: jest.spyOn(Date, 'now').mockReturnValue(Date.now() + laterMilliseconds);
	try {
		const answered = await trigger.call({
			headers: headers as Record<string, string>,
			body,
			parameters,
		});
		return { answered, logs: trigger.logs.splice(0), requests: requested };
	} finally {
		clock?.mockRestore();
	}
}

/** An ended execution of the service; an attacker may have chosen its metadata. */
async function endedExecution(metadata: Record<string, unknown> = {}): Promise<string> {
	const workflow = service.state.workflows.find(WORKFLOW_ID);
	if (workflow === undefined) throw new Error('The service does not have the workflow');
	const { executionId } = service.state.executions.start(workflow, 'production', {
		userInputs: null,
		metadata,
		bodyFields: {},
		fieldOrder: [],
		fileUrls: [],
		intakes: [],
	});
	await service.state.executions.finish(executionId, { status: 'completed' });
	return executionId;
}

const eventOf = (executionId: string, more: Record<string, unknown> = {}) =>
	Buffer.from(JSON.stringify(notification(executionId, more)));
const authenticatedBy = ({ turn }: Drawn, way: Way, body: Buffer | undefined) =>
	authenticated(way, body, pick(way.keys, turn));
const outcomeOf = (executionId: string, outcome: string) => ({
	status: 200,
	body: { started: outcome === 'start', events: [{ executionId, outcome }] },
});

/** Expects only requests to the service, for executions and tokens. */
function expectOnlyApi(requests: string[]): void {
	const { productionUrl } = service.simulator;
	const others = requests.filter(
		(line) =>
			line !== `POST ${productionUrl}/api/v1/oauth2/access_token` &&
			!line.startsWith(`GET ${productionUrl}/api/v1/workflow-builder/workflows/`),
	);
	expect(others).toEqual([]);
}

function expectStarted({ answered, requests, logs }: Delivered, executionId: string): void {
	expect(answered).toMatchObject(outcomeOf(executionId, 'start'));
	expect(startedJson(answered)).toEqual([
		expect.objectContaining({ workflowId: WORKFLOW_ID, executionId, status: 'completed' }),
	]);
	expect(logs).toEqual([]);
	expectOnlyApi(requests);
}

function expectNotStarted(
	{ answered, requests }: Delivered,
	executionId: string,
	outcome: 'ignored' | 'duplicate',
): void {
	expect(answered).toStrictEqual({ ...outcomeOf(executionId, outcome), items: undefined });
	expectOnlyApi(requests);
}

interface Accepted {
	way: Way;
	executionId: string;
	delivery: Delivery;
}

/** The latest accepted deliveries, which are still within the time window of their signature. */
const accepted: Accepted[] = [];
const MOST_RECORDED = 20;
let honest = 0;
let bait = '';

/** A genuine delivery with each way of authentication: it starts one item or resumes a paused n8n execution. */
async function deliverHonestly(): Promise<void> {
	const way = pick(WAYS, honest);
	const key = pick(way.keys, Math.floor(honest / WAYS.length));
	honest++;
	const isWaitedFor = honest % 3 === 0;
	const executionId = await endedExecution(
		isWaitedFor ? { n8n_reference: rightReference(places, honest) } : {},
	);
	const delivery = authenticated(way, eventOf(executionId), key);
	const resumedBefore = arrived.own.length;
	const delivered = await deliver(way, delivery);
	if (isWaitedFor) {
		const path = `${WAITING_PATH}/${honest}/document-workflow`;
		expect(delivered.answered).toStrictEqual({
			...outcomeOf(executionId, 'resumed'),
			body: { started: false, events: [{ executionId, outcome: 'resumed' }] },
			items: undefined,
		});
		expect(arrived.own.slice(resumedBefore)).toEqual([path]);
		expect(
			delivered.requests.filter(
				(line) => line.startsWith('POST') && !line.endsWith('/access_token'),
			),
		).toEqual([`POST ${places.own}${path}`]);
	} else expectStarted(delivered, executionId);
	accepted.push({ way, executionId, delivery });
	accepted.splice(0, accepted.length - MOST_RECORDED);
}

/** Changes to a new trigger, with no accepted events or as many as it can store. */
async function useNewTrigger(number: number, isFull: boolean): Promise<void> {
	trigger.workflowId = `hostile-${number}`;
	trigger.staticData = isFull ? storedEvents(MOST_KEPT, Date.now() - 10_000) : '{}';
	accepted.length = 0;
	while (accepted.length < WAYS.length) await deliverHonestly();
}

type Check = (given: Drawn) => Promise<Delivered>;

/** Expects 401, and that nothing is started, requested, stored or logged. */
async function deliverUnauthenticated(way: Way, delivery: Delivery): Promise<Delivered> {
	const stored = trigger.staticData;
	const delivered = await deliver(way, delivery);
	expect(delivered.answered).toStrictEqual({
		status: 401,
		body: { message: 'Unauthorized' },
		items: undefined,
	});
	expect([delivered.logs, delivered.requests, service.requests()]).toEqual([[], [], []]);
	expect(trigger.staticData).toBe(stored);
	return delivered;
}

const unauthenticated = Object.entries(UNAUTHENTICATED).map(
	([name, { ways, make }]): [string, Check] => [
		`unauthenticated: ${name}`,
		async (given) => {
			const way = pick(ways, given.way);
			return deliverUnauthenticated(way, make(way, eventOf(bait, { note: given.text }), given));
		},
	],
);

/** Hostile bodies, which are not read without authentication. */
const unauthenticatedBodies = Object.entries(BODIES).map(([name, make]): [string, Check] => [
	`unauthenticated body: ${name}`,
	async (given) => {
		const way = pick(WAYS, given.way);
		const { body = Buffer.alloc(0) } = make(bait, given);
		const [, spoil] = pick(
			Object.entries(UNAUTHENTICATED).filter(([nameOfChange]) =>
				['no proof', 'a foreign key', 'a flipped bit', 'the header twice'].includes(nameOfChange),
			),
			given.turn,
		);
		return deliverUnauthenticated(way, spoil.make(way, body, given));
	},
]);

const authenticatedBodies = Object.entries(BODIES).map(([name, make]): [string, Check] => [
	`authenticated body: ${name}`,
	async (given) => {
		const way = pick(WAYS, given.way);
		const { body, statuses, contentType = 'application/json' } = make(bait, given);
		const delivery = authenticatedBy(given, way, body);
		const stored = trigger.staticData;
		const delivered = await deliver(way, {
			...delivery,
			headers: { ...delivery.headers, 'content-type': contentType },
		});
		const { status, items } = delivered.answered;
		expect({ items, isExpected: statuses.includes(status), status }).toEqual({
			items: undefined,
			isExpected: true,
			status,
		});
		expectOnlyApi(delivered.requests);
		if (status === 400) expect(delivered.requests).toEqual([]);
		expect(trigger.staticData).toBe(stored);
		expect(Object.keys(Object.prototype)).toEqual([]);
		return delivered;
	},
]);

/** The reference is in the metadata of the execution, which the service returns unchanged. */
async function deliverReferring(
	given: Drawn,
	reference: string,
	parameters: INodeParameters = {},
): Promise<Delivered & { executionId: string }> {
	const way = pick(WAYS, given.way);
	const executionId = await endedExecution({ n8n_reference: reference, external_id: 'INV-1' });
	const delivered = await deliver(
		way,
		authenticatedBy(given, way, eventOf(executionId)),
		parameters,
	);
	expectNoSecretIn(
		[delivered.answered, delivered.logs],
		[...(reference.length > 20 ? [reference] : []), WAITING_PATH, new URL(places.foreign).host],
	);
	return { ...delivered, executionId };
}

const references = Object.entries(REFERENCES).map(([name, make]): [string, Check] => [
	`reference: ${name}`,
	async (given) => {
		const alsoStarts = given.turn % 7 === 0;
		const delivered = await deliverReferring(
			given,
			make(places, given),
			alsoStarts ? { resumePaused: 'both' } : {},
		);
		if (alsoStarts) expectStarted({ ...delivered, logs: [] }, delivered.executionId);
		else expectNotStarted(delivered, delivered.executionId, 'ignored');
		expect(delivered.logs).toEqual([
			expect.stringContaining(
				`Execution ${delivered.executionId} of workflow ${WORKFLOW_ID} resumes nothing: `,
			),
		]);
		return delivered;
	},
]);

const otherReferences: Array<[string, Check]> = [
	[
		'reference: to this n8n, written oddly',
		async (given) => {
			const delivered = await deliverReferring(given, unusualReference(places, given));
			expect(delivered.answered.items).toBeUndefined();
			expectOnlyApi(
				delivered.requests.filter((line) => !line.startsWith(`POST ${places.own}${WAITING_PATH}/`)),
			);
			return delivered;
		},
	],
	[
		'reference: to this n8n, which redirects to another host',
		async (given) => {
			const delivered = await deliverReferring(
				given,
				rightReference(places, given.at, '?redirect'),
			);
			expect(delivered.answered).toMatchObject({ status: 503, items: undefined });
			expectOnlyApi(delivered.requests.filter((line) => !line.endsWith('?redirect')));
			return delivered;
		},
	],
	[
		'reference: only in what the notification says',
		async (given) => {
			const way = pick(WAYS, given.way);
			const executionId = await endedExecution();
			const forged = {
				metadata: { n8n_reference: rightReference(places, given.at), external_id: 'forged' },
				steps: [{ step_name: 'forged', data: { url: `${places.foreign}/data` } }],
				status: 'failed',
				error: 'forged',
			};
			const delivered = await deliver(
				way,
				authenticatedBy(given, way, eventOf(executionId, forged)),
			);
			expectStarted(delivered, executionId);
			expect(JSON.stringify(delivered.answered)).not.toContain('forged');
			return delivered;
		},
	],
];

const replays: Array<[string, Check]> = [
	[
		'replay: the very same call',
		async (given) => {
			const { way, executionId, delivery } = pick(accepted, given.at);
			const delivered = await deliver(way, delivery);
			expectNotStarted(delivered, executionId, 'duplicate');
			expect(delivered.requests).toEqual([]);
			return delivered;
		},
	],
	[
		'replay: the same event with another body, authenticated in any way',
		async (given) => {
			const { executionId } = pick(accepted, given.at);
			const way = pick(WAYS, given.way);
			const event = notification(executionId, {
				status: pick(['completed', 'SUCCEEDED', ' done ', 'Finished'], given.turn),
				note: given.text,
			});
			const body = Buffer.from(JSON.stringify(given.bit % 2 === 0 ? event : [event, event, event]));
			const delivered = await deliver(way, authenticatedBy(given, way, body));
			expectNotStarted(delivered, executionId, 'duplicate');
			expect(delivered.requests).toEqual([]);
			return delivered;
		},
	],
	[
		'replay: twice at the same moment',
		async (given) => {
			const way = pick(WAYS, given.way);
			const executionId = await endedExecution();
			const delivery = authenticatedBy(given, way, eventOf(executionId));
			const both = await Promise.all([deliver(way, delivery), deliver(way, delivery)]);
			expect(both.map(({ answered }) => answered.status)).toEqual([200, 200]);
			expect(both.flatMap(({ answered }) => startedJson(answered))).toMatchObject([
				{ executionId },
			]);
			const [{ answered }, last] = both;
			return { ...last, answered, logs: both.flatMap(({ logs }) => logs) };
		},
	],
];

const afterRestart: [string, Check] = [
	'replay: after a restart of n8n',
	async (given) => {
		const { way, executionId, delivery } = pick(accepted, given.at);
		trigger.restart();
		const delivered = await deliver(way, delivery);
		expectNotStarted(delivered, executionId, 'duplicate');
		return delivered;
	},
];

/** Kinds of deliveries by frequency; those that need an execution of the service take longer. */
const KINDS: Array<{ weight: number; checks: Array<[string, Check]> }> = [
	{ weight: 590, checks: unauthenticated },
	{ weight: 60, checks: unauthenticatedBodies },
	{ weight: 150, checks: authenticatedBodies },
	{ weight: 110, checks: references },
	{ weight: 20, checks: otherReferences },
	{ weight: 68, checks: replays },
	{ weight: 2, checks: [afterRestart] },
];
const CHECKS = new Map(KINDS.flatMap(({ checks }) => checks));
const kind = fc.oneof(
	...KINDS.map(({ weight, checks }) => ({
		weight,
		arbitrary: fc.constantFrom(...checks.map(([name]) => name)),
	})),
);

/** Memory after garbage collection. */
function heldBytes(): number {
	setFlagsFromString('--expose-gc');
	(runInNewContext('gc') as () => void)();
	return process.memoryUsage().heapUsed;
}

/** Makes this number of deliveries: each kind once, and then at random. */
export function itRejectsHostileDeliveries(deliveries: number): void {
	const toATrigger = Math.min(MOST_TO_A_TRIGGER, deliveries / 2);
	const names = [...CHECKS.keys()];
	it(`rejects ${deliveries} hostile deliveries, calls no other host, and accepts the honest ones between them`, async () => {
		expect(deliveries).toBeGreaterThanOrEqual(names.length);
		bait = await endedExecution();
		const held = heldBytes();
		let hostile = 0;
		await fc.assert(
			fc.asyncProperty(kind, drawn, async (drawnName, given) => {
				const name = names[hostile] ?? drawnName;
				if (hostile % toATrigger === 0)
					await useNewTrigger(hostile, hostile + toATrigger >= deliveries);
				if (hostile++ % ONE_HONEST_IN === 0) await deliverHonestly();
				const { answered, logs } = (await CHECKS.get(name)?.(given)) ?? {};
				expectNoSecretIn([answered, logs], SECRETS);
			}),
			// Shrinking would not help: the drawn values describe the delivery already.
			{ seed: SEED, numRuns: deliveries, endOnFailure: true },
		);
		expect(hostile).toBe(deliveries);
		expect(honest).toBeGreaterThanOrEqual(deliveries / ONE_HONEST_IN);
		expect(arrived.foreign).toEqual([]);
		// The trigger still works: the event of the rejected deliveries starts its item once authenticated.
		const way = pick(WAYS, 0);
		expectStarted(await deliver(way, authenticated(way, eventOf(bait))), bait);
		expect(keysIn(trigger.staticData)).toHaveLength(MOST_KEPT);
		expect(heldBytes() - held).toBeLessThan(100_000_000);
	});
}
