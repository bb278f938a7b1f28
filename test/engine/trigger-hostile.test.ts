import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import { endedExecution, notification, startedJson } from './support/notifications';
import {
	ATTACKS,
	authenticated,
	BODIES,
	SECRETS,
	WAYS,
	type Delivery,
	type Way,
} from './support/hostile';
import { expectNoSecretIn } from './support/secrets';
import { useService, WORKFLOW_ID } from './support/service';
import { useTrigger, type Answered } from './support/webhook';

const service = useService();
const trigger = useTrigger(service);

/** Every HTTP request of this process. */
const requested: string[] = [];
const onRequest = (message: unknown): void => {
	const { request } = message as { request: ClientRequest };
	requested.push(`${request.protocol}//${String(request.getHeader('host'))}${request.path}`);
};
beforeAll(() => subscribe('http.client.request.start', onRequest));
afterAll(() => void unsubscribe('http.client.request.start', onRequest));

/** An ended execution, of which an attacker knows the ID. */
let bait = '';
beforeEach(async () => {
	bait = await endedExecution(service);
	service.state.requests.clear();
	requested.length = 0;
});
/** No request has left but for executions and tokens of the service, and no prototype has changed. */
afterEach(() => {
	const { productionUrl } = service.simulator;
	const ours = [
		`${productionUrl}/api/v1/oauth2/access_token`,
		`${productionUrl}/api/v1/workflow-builder/`,
	];
	expect(requested.filter((url) => !ours.some((start) => url.startsWith(start)))).toEqual([]);
	expect(Object.keys(Object.prototype)).toEqual([]);
});

function wayOf(index: number): Way {
	const way = WAYS[index % WAYS.length];
	if (way === undefined) throw new Error('There is no way');
	return way;
}

const eventOf = (executionId: string, more = {}) =>
	Buffer.from(JSON.stringify(notification(executionId, more)));

/** Makes a call. Neither the answer nor the log has a secret. */
async function deliver({ headers, body }: Delivery): Promise<Answered> {
	const answered = await trigger.call({ headers: headers as Record<string, string>, body });
	expectNoSecretIn([answered, trigger.logs.splice(0)], SECRETS);
	return answered;
}

async function expectUnauthorized(way: Way, delivery: Delivery): Promise<void> {
	const about = { way: way.name, delivery };
	const headers = delivery.headers as Record<string, string>;
	const answered = await trigger.call({ headers, isEndless: true });
	expect({ ...about, ...answered, logs: trigger.logs, stored: trigger.staticData }).toEqual({
		...about,
		status: 401,
		body: { message: 'Unauthorized' },
		items: undefined,
		logs: [],
		stored: '{}',
	});
}

describe('A call that is not authenticated gets 401 before its body is read, and nothing is started, requested, stored or logged:', () => {
	it.each(ATTACKS.map((attack) => [attack.title, attack] as const))(
		'%s',
		async (_, { ways, calls }) => {
			const body = eventOf(bait);
			for (const way of ways) {
				await trigger.enterCalls(way.entered);
				const given = calls(way, body);
				expect(given.length).toBeGreaterThan(0);
				for (const delivery of given) await expectUnauthorized(way, delivery);
			}
			expect(requested).toEqual([]);
		},
	);
});

describe('An authenticated call starts nothing with a body', () => {
	it.each(BODIES.map((attack) => [attack.title, attack] as const))(
		'%s',
		async (_, { bodies, statuses, contentType = 'application/json' }) => {
			for (const [index, body] of bodies(bait).entries()) {
				const way = wayOf(index);
				await trigger.enterCalls(way.entered);
				const { headers, ...delivery } = authenticated(way, Buffer.from(body));
				const answered = await deliver({
					...delivery,
					headers: { ...headers, 'content-type': contentType },
				});
				const about = { body: String(body).slice(0, 200), items: answered.items };
				expect({ ...about, status: answered.status }).toEqual({
					...about,
					items: undefined,
					status: statuses.includes(answered.status) ? answered.status : statuses,
				});
			}
			if (!statuses.includes(503)) expect(requested).toEqual([]);
			expect(trigger.staticData).toBe('{}');
		},
	);
});

describe.each(WAYS.map((way) => [way.name, way] as const))('A call with the right %s', (_, way) => {
	beforeEach(async () => trigger.enterCalls(way.entered));
	const duplicate = (executionId: string) => ({
		status: 200,
		body: { executionId, outcome: 'duplicate' },
		items: undefined,
	});

	it('starts the workflow with the data of the API, by each of two keys', async () => {
		for (const key of way.keys) {
			const executionId = await endedExecution(service);
			const forged = { status: 'failed', metadata: { external_id: 'forged' }, error: 'forged' };
			const answered = await deliver(authenticated(way, eventOf(executionId, forged), key));
			expect(startedJson(answered)).toMatchObject([
				{ workflowId: WORKFLOW_ID, executionId, status: 'completed' },
			]);
			expect(JSON.stringify(answered)).not.toContain('forged');
		}
	});

	it('that is recorded and made again is a duplicate, at once, with a new signature and after a restart', async () => {
		const recorded = authenticated(way, eventOf(bait));
		const both = await Promise.all([deliver(recorded), deliver(recorded)]);
		expect(both.map(({ status }) => status)).toEqual([200, 200]);
		expect(both.flatMap(startedJson)).toMatchObject([{ executionId: bait }]);
		service.state.requests.clear();
		const event = eventOf(bait, { status: ' DONE ', note: 'x' });
		for (const again of [recorded, authenticated(way, event, way.keys[1])])
			expect(await deliver(again)).toEqual(duplicate(bait));
		trigger.restart();
		expect(await deliver(recorded)).toEqual(duplicate(bait));
		expect(service.requests()).toEqual([]);
	});
});
