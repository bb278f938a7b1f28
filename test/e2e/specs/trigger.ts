import { SignJWT } from 'jose';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { CREDENTIAL_TYPE } from '../../../harness/example-workflows';
import { output, type Item } from '../../../harness/n8n-execution';
import type { Execution as ServiceExecution } from '../../../simulator/state/executions';
import { startHandler } from '../../servers';
import { withTrigger, type Notified } from '../notifying';
import { PROVIDER_SECRET, SIGNING_SECRET } from '../../leaks/secrets';
import type { NodeJson } from '../../../harness/flows';
import { chain, documentWorkflow, TEXT_ONLY } from '../flows';
import {
	completeOutsideN8n,
	expectedOf,
	until,
	WEBHOOK_KEY,
	withOwnService,
	type World,
} from '../support';

const TRIGGER = 'Document Workflow Trigger';
const MEGABYTE = 1_000_000;
const DOCUMENT = 'declarations-page';

/** The trigger, called by the service at its production URL. */
export function triggerSpec(world: () => World): void {
	const state = () => world().simulator.state;
	const { workflowId, steps } = expectedOf(DOCUMENT);

	const anExecution = async (): Promise<ServiceExecution> =>
		completeOutsideN8n(world(), workflowId, `${DOCUMENT}.pdf`);

	/** The body of a notification, without data. */
	const eventOf = ({ workflowId: of, executionId }: ServiceExecution, more: object = {}) => ({
		workflow_id: of,
		workflow_execution_id: executionId,
		status: 'completed',
		metadata: {},
		steps: [],
		...more,
	});

	/** The items of each n8n execution of the trigger, once there are `count`. */
	async function started({ id }: Notified, count: number): Promise<Item[][]> {
		const { client } = world();
		const ids = await client.executionIds(id, count);
		expect(ids).toHaveLength(count);
		return Promise.all(
			ids.map(async (each) => output(await client.waitForExecution(each), TRIGGER)),
		);
	}

	it('starts the workflow once with the data from the service when an execution ends and is reported three times', async () => {
		await withTrigger(
			world(),
			{ workflowIds: [workflowId], webhook: { duplicates: 2 } },
			async (notified) => {
				const { executionId } = await anExecution();
				await until(() => state().deliveries.all().length === 3);
				expect(
					state()
						.deliveries.all()
						.map(({ answer }) => answer),
				).toEqual([200, 200, 200]);
				expect(
					(await started(notified, 1)).map((items) => items.map(({ json }) => json)),
				).toMatchObject([
					[{ workflowId, executionId, status: 'completed', data: steps, needsReview: true }],
				]);
			},
		);
	});

	it('rejects an unauthenticated call with 401, also while its body is on its way, and starts no n8n execution', async () => {
		const execution = await anExecution();
		await withTrigger(world(), { workflowIds: [] }, async (notified) => {
			const headers = { 'content-type': 'application/octet-stream' };
			const endless = Array.from({ length: 50 }, () =>
				request(notified.url, { method: 'POST', headers, agent: false }),
			);
			const statuses = endless.map(async (call) => {
				call.write('x');
				const [answer] = (await once(call, 'response')) as [IncomingMessage];
				return answer.statusCode;
			});
			expect(new Set(await Promise.all(statuses))).toEqual(new Set([401]));
			expect((await notified.call('')).status).toBe(400);
			for (const call of endless) call.destroy();
			for (const key of ['wrong', '']) {
				expect(await notified.call(eventOf(execution), { 'x-api-key': key })).toMatchObject({
					status: 401,
					data: { message: 'Unauthorized' },
				});
			}
			expect(await world().client.executionIds(notified.id)).toEqual([]);
		});
	});

	/** Works with another credential, whose settings may be changed. */
	async function withSettings<T>(
		settings: Record<string, unknown>,
		work: (own: {
			node: Partial<NodeJson>;
			change: (changed: Record<string, unknown>) => Promise<void>;
		}) => Promise<T>,
	): Promise<T> {
		const { client, credential } = world();
		const inputOf = (changed: Record<string, unknown>) => ({
			name: 'Own',
			type: CREDENTIAL_TYPE,
			data: { ...credential.data, ...changed },
		});
		const id = await client.createCredential(inputOf(settings));
		const node = { credentials: { [CREDENTIAL_TYPE]: { id, name: 'Own' } } };
		return work({
			node,
			change: async (changed) => client.updateCredential(id, inputOf(changed)),
		});
	}

	it('authenticates the service by a bearer token of an identity provider, and rejects a call without', async () => {
		const provider = await startProvider();
		const authentication = {
			type: 'oauth2' as const,
			tokenUrl: provider.tokenUrl,
			clientId: 'the-service',
			clientSecret: PROVIDER_SECRET,
		};
		const entered = {
			triggerAuthentication: 'jwt',
			algorithm: 'HS256',
			jwtSecret: SIGNING_SECRET,
			issuer: 'the-provider',
		};
		try {
			await withSettings(entered, async ({ node }) =>
				withTrigger(
					world(),
					{ workflowIds: [workflowId], webhook: { authentication }, settings: node },
					async (notified) => {
						const execution = await anExecution();
						const [[item] = []] = await started(notified, 1);
						expect(item?.json).toMatchObject({ executionId: execution.executionId, data: steps });
						await until(() => state().deliveries.all().length > 0);
						expect(state().deliveries.all()).toMatchObject([{ answer: 200, attempt: 1 }]);
						expect((await notified.call(eventOf(execution, { status: 'failed' }))).status).toBe(
							401,
						);
					},
				),
			);
		} finally {
			await provider.stop();
		}
	});

	it.each([
		['that no trigger uses', { triggerAuthentication: 'notUsed' }, 'is set to Not Used'],
		[
			'with a key that a header cannot carry',
			{ apiKey: 'ein-Schlüssel-der-Tests' },
			"'Key' has a character that a header cannot carry",
		],
	])(
		'cannot be activated with a credential %s, and n8n reports why',
		async (_what, entered, words) => {
			await withSettings(entered, async ({ node }) => {
				const wanted = { workflowIds: [], settings: node };
				const message = await withTrigger(world(), wanted, async () => Promise.resolve()).then(
					String,
					String,
				);
				expect(message + world().n8n.log()).toContain(words);
				expect(message).not.toBe('undefined');
			});
		},
	);

	it('answers 503 while its credential is set to Not Used, and starts the workflow when the service calls again', async () => {
		const { n8n } = world();
		await withSettings({}, async ({ node, change }) =>
			withTrigger(world(), { workflowIds: [], settings: node }, async (notified) => {
				const event = eventOf(await anExecution());
				await change({ triggerAuthentication: 'notUsed' });
				const statusIs = async (status: number) =>
					until(async () => (await notified.call(event)).status === status);
				await statusIs(503);
				expect(n8n.log()).toContain(
					"Calls are rejected: 'Trigger Authentication' is set to Not Used",
				);
				await change({});
				await statusIs(200);
				await started(notified, 1);
			}),
		);
	});

	it('keeps changed keys on n8n 2; n8n 1 stores old ones with a token that it renews meanwhile, and drops those that are not shown', async () => {
		await withOwnService(world(), async (own) => {
			const { client, credential, n8n, simulator } = own;
			const { id, name, type } = credential;
			const [old, added] = [WEBHOOK_KEY, SIGNING_SECRET];
			const change = async (changed: Record<string, unknown>) =>
				client.updateCredential(id, {
					...{ name, type },
					data: { ...(await client.credentialData(id)), ...changed },
				});
			const create = chain('Own', documentWorkflow(own, 'create', 'quick', TEXT_ONLY));
			await withTrigger(own, { workflowIds: [] }, async ({ call }) => {
				const accepts = async (key: string) =>
					(await call({}, { 'x-api-key': key })).status === 400; // authenticated, but no event
				const { faults } = simulator.state;
				faults.add({ route: 'token', action: { type: 'delay', milliseconds: 20_000 } });
				const run = client.runToEnd(create);
				await until(() => faults.all().some(({ seen }) => seen > 0));
				await change({ apiKey: added });
				await until(async () => accepts(added));
				faults.clear();
				await run;
				const kept = n8n.line === 'n8n-1' ? old : added;
				await until(async () => !(await accepts(kept === old ? added : old)));
				expect(await accepts(kept)).toBe(true);

				await change({
					triggerAuthentication: 'jwt',
					algorithm: 'HS256',
					jwtSecret: PROVIDER_SECRET.repeat(2),
				});
				simulator.state.tokens.revokeAll();
				await client.runToEnd(create);
				await change({ triggerAuthentication: 'apiKey' });
				const status = n8n.line === 'n8n-1' ? 503 : 400;
				await until(async () => (await call({}, { 'x-api-key': kept })).status === status);
			});
		});
	});

	it('answers any body in bounded time and memory', async () => {
		const { client, n8n } = world();
		const execution = await anExecution();
		await withTrigger(world(), { workflowIds: [] }, async (notified) => {
			const good = JSON.stringify(eventOf(execution));
			const bodies: Array<[string, Buffer | string, number[], Record<string, string>?]> = [
				['none', '', [400]],
				[
					'binary',
					Buffer.from([0, 255, 254, 1, 2, 3]),
					[400],
					{ 'content-type': 'application/octet-stream' },
				],
				['binary that says it is JSON', Buffer.from([0, 255, 254, 1, 2, 3]), [400, 422]],
				['nested ten thousand deep', `${'['.repeat(10_000)}${']'.repeat(10_000)}`, [400]],
				['nested a million deep', `${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`, [400, 422]],
				['cut off', good.slice(0, -5), [400, 422]],
				['50 MB', Buffer.alloc(50 * MEGABYTE, 'a'), [413, 500]],
				[
					'50 MB of a type that n8n does not read',
					Buffer.alloc(50 * MEGABYTE, 'a'),
					[413],
					{ 'content-type': 'application/octet-stream' },
				],
				[
					'50 MB without a key',
					Buffer.alloc(50 * MEGABYTE, 'a'),
					[401],
					{ 'content-type': 'application/octet-stream', 'x-api-key': '' },
				],
				[
					'packed, and cut off',
					gzipSync(good).subarray(0, 40),
					[400],
					{ 'content-type': 'application/octet-stream', 'content-encoding': 'gzip' },
				],
				[
					'a form',
					Buffer.from('a=1&b=2'),
					[400],
					{ 'content-type': 'application/x-www-form-urlencoded' },
				],
				['XML', Buffer.from('<a/>'), [400], { 'content-type': 'application/xml' }],
				[
					'parts',
					Buffer.from('--x\r\n\r\n--x--'),
					[400, 422, 500],
					{ 'content-type': 'multipart/form-data; boundary=x' },
				],
				['another content type', good, [200], { 'content-type': 'text/plain' }],
				[
					'a content type that n8n does not read',
					good,
					[200],
					{ 'content-type': 'application/octet-stream' },
				],
				['packed', gzipSync(good), [200], { 'content-encoding': 'gzip' }],
				[
					'names given twice, of which the last counts',
					good.replace('{', '{"workflow_id":"another",'),
					[200],
				],
			];
			const memory = n8n.memory();
			for (const [what, body, expected, headers = {}] of bodies) {
				const begin = Date.now();
				const call = notified.call(Buffer.from(body), headers);
				// n8n answers a body that is too long, or without a key, before it was sent, and closes the connection: at times before
				// its answer is read.
				const { status } =
					body.length > 10 * MEGABYTE
						? await call.catch(() => ({ status: expected[0] ?? 0 }))
						: await call;
				expect([what, expected.includes(status) ? expected : status]).toEqual([what, expected]);
				expect(Date.now() - begin).toBeLessThan(20_000);
			}
			expect(n8n.memory() - memory).toBeLessThan(400 * MEGABYTE);
			await started(notified, 1);
			expect((await client.executionIds(notified.id)).length).toBe(1);
		});
	});

	it('receives a test event at the test URL', async () => {
		const { client, n8n } = world();
		const execution = await anExecution();
		await withTrigger(world(), { workflowIds: [] }, async (notified) => {
			const test = notified.url.replace(`${n8n.webhookUrl}/webhook/`, `${n8n.url}/webhook-test/`); // only main serves it
			await client.listen(notified.id);
			const answer = await fetch(test, {
				method: 'POST',
				headers: { 'x-api-key': WEBHOOK_KEY, 'content-type': 'application/json' },
				body: JSON.stringify(eventOf(execution)),
			});
			expect(answer.status).toBe(200);
			const [[item] = []] = await started(notified, 1);
			expect(item?.json).toMatchObject({ executionId: execution.executionId, data: steps });
			expect(n8n.log()).not.toContain(WEBHOOK_KEY);
		});
	});
}

/** An identity provider that issues the tokens of the service's calls. */
async function startProvider(): Promise<{ tokenUrl: string; stop: () => Promise<void> }> {
	const server = await startHandler((_request, response) => {
		void new SignJWT({})
			.setProtectedHeader({ alg: 'HS256' })
			.setIssuer('the-provider')
			.setExpirationTime('5m')
			.sign(Buffer.from(SIGNING_SECRET))
			.then((token) =>
				response
					.setHeader('content-type', 'application/json')
					.end(JSON.stringify({ access_token: token, token_type: 'bearer', expires_in: 300 })),
			);
	});
	return { tokenUrl: `${server.url}/token`, stop: server.stop };
}
