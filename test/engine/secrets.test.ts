import type { Fault } from '../../simulator/state/faults';
import { runFlow, type Outcome } from './support/engine';
import { expectNoSecretIn } from './support/secrets';
import {
	CLIENT_SECRET,
	operation,
	OTHER_CLIENT_SECRET,
	policyItem,
	useService,
} from './support/service';
import { unusedAddress } from '../servers';

const service = useService();

const OPERATION = operation('createAndWait', {
	waiting: { firstCheckSeconds: 0.1, longestWaitHours: 0.01 / 60 },
});
const run = (settings = {}): Promise<Outcome> =>
	runFlow({ ...service, parameters: OPERATION, items: [policyItem()], settings });
const save = (changed: Record<string, string>) =>
	service.store.save(String(service.credential.id), { ...service.entered, ...changed });

it('A token is found anywhere in an error', () => {
	const hidden = Object.defineProperty(new Error('outer'), 'cause', {
		value: { config: { headers: { Authorization: 'Bearer eyJh.eyJz.c2ln' } } },
		enumerable: false,
	});
	expect(() => expectNoSecretIn([{ deep: new Map([['error', hidden]]) }])).toThrow(
		'an access token',
	);
	expect(() =>
		expectNoSecretIn({ body: Buffer.from(`{"client_secret":"${CLIENT_SECRET}"}`) }),
	).toThrow('a client secret');
	expectNoSecretIn(new Error('nothing'));
});

describe('No secret, no token and no Authorization header is in the error, the output, the log or the run', () => {
	const FAULTS: Array<[string, Fault]> = [
		[
			'a token endpoint that is down',
			{ route: 'token', action: { type: 'status', status: 503, retryAfter: 3600 } },
		],
		[
			'a connection to the token endpoint that breaks',
			{ route: 'token', times: 1, action: { type: 'reset', when: 'after' } },
		],
		[
			'a redirect of the token endpoint',
			{ route: 'token', action: { type: 'redirect', location: 'https://elsewhere.invalid/' } },
		],
		[
			'a token endpoint that echoes the request',
			{
				route: 'token',
				action: {
					type: 'status',
					status: 422,
					body: {
						detail: [{ loc: ['body', 'client_secret'], msg: 'malformed', input: CLIENT_SECRET }],
					},
				},
			},
		],
		[
			'a token that is never accepted',
			{ route: 'create', action: { type: 'status', status: 401 } },
		],
		[
			'a rejected create',
			{ route: 'create', action: { type: 'status', status: 422, body: { detail: 'no' } } },
		],
		...(['create', 'get'] as const).map((route): [string, Fault] => [
			`a ${route} whose answer quotes the secret within objects`,
			{
				route,
				action: {
					type: 'status',
					status: 422,
					body: { detail: { input: { client: [`id:${CLIENT_SECRET}`] } } },
				},
			},
		]),
		[
			'a create whose answer quotes the secret in base64',
			{
				route: 'create',
				action: {
					type: 'status',
					status: 422,
					body: { detail: `got ${Buffer.from(`id:${CLIENT_SECRET}`).toString('base64')}` },
				},
			},
		],
		['a fault of the service', { route: 'create', action: { type: 'status', status: 500 } }],
		['a connection that breaks', { route: 'create', action: { type: 'reset', when: 'after' } }],
		[
			'a redirect',
			{ route: 'create', action: { type: 'redirect', location: 'https://elsewhere.invalid/' } },
		],
		['an answer that is not JSON', { route: 'create', action: { type: 'notJson' } }],
		[
			'an answer that breaks off',
			{ route: 'create', action: { type: 'truncated', afterBytes: 30 } },
		],
		['a wait that times out', { route: 'get', action: { type: 'status', status: 503 } }],
		['a rejected check', { route: 'get', action: { type: 'status', status: 403 } }],
	];

	it.each(FAULTS)('after %s', async (_what, fault) => {
		service.state.faults.add(fault);
		const stopped = await run();
		const continued = await run({ onError: 'continueErrorOutput' });
		if (fault.times === undefined) expect(stopped.thrown).toHaveLength(1);
		expectNoSecretIn([stopped, continued]);
	});

	it('after a wrong secret', async () => {
		await save({ clientSecret: OTHER_CLIENT_SECRET });
		const outcome = await run();
		expect(outcome.error).toBeDefined();
		expectNoSecretIn(outcome);
	});

	it('after a host that does not answer', async () => {
		await save({ productionUrl: await unusedAddress() });
		const outcome = await runFlow({
			...service,
			parameters: operation('get', { executionId: 'e-1' }),
		});
		expect(outcome.error).toBeDefined();
		expectNoSecretIn(outcome);
	});

	it('after a run that succeeds', async () => {
		const outcomes = [
			await run(),
			await runFlow({ ...service, parameters: operation('create'), items: [policyItem()] }),
		];
		for (const { error, received } of outcomes) {
			expect(error).toBeUndefined();
			expect(received[0]).toHaveLength(1);
		}
		expectNoSecretIn(outcomes);
	});
});
