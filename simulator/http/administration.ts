/** The administration interface: the same functions as `simulator.state`, over HTTP. */
import fastify, { type FastifyInstance } from 'fastify';
import { z } from 'zod';
import {
	check,
	ConfigurationError,
	type Settings,
	type Workflow,
	type WorkflowChange,
} from '../configuration';
import type { Finish } from '../state/executions';
import type { Fault } from '../state/faults';
import type { SimulatorState } from '../state/state';

const finish = z
	.object({ status: z.enum(['completed', 'failed']), error: z.unknown().optional() })
	.strict();
const revocation = z.object({ clientId: z.string().optional() }).strict();

/** The server for `state`, not yet listening. */
export function createAdministration(state: SimulatorState): FastifyInstance {
	const administration = fastify({
		logger: false,
		forceCloseConnections: true,
		return503OnClosing: false,
	});
	// A DELETE or POST without a body may still carry the content type.
	administration.removeContentTypeParser('application/json');
	administration.addContentTypeParser(
		'application/json',
		{ parseAs: 'string' },
		(_request, body, done) => {
			try {
				done(null, body === '' ? {} : JSON.parse(String(body)));
			} catch {
				done(new ConfigurationError('The body is not JSON.'));
			}
		},
	);
	administration.setErrorHandler((error, _request, reply) => {
		const status = error instanceof ConfigurationError ? 422 : 500;
		reply.code(status).send({ detail: error instanceof Error ? error.message : String(error) });
	});
	administration.setNotFoundHandler((_request, reply) =>
		reply.code(404).send({ detail: 'Not Found' }),
	);

	administration.get('/', async () => ({
		...state.addresses,
		workflows: state.workflows.all().map(({ workflowId }) => workflowId),
	}));
	administration.get('/requests', async () => state.requests.all());
	administration.delete('/requests', async () => nothing(() => state.requests.clear()));
	administration.get('/deliveries', async () => state.deliveries.all());
	administration.delete('/deliveries', async () => nothing(() => state.deliveries.clear()));
	administration.post('/reset', async () => nothing(() => state.reset()));

	administration.get('/executions', async () => state.executions.all());
	administration.post<{ Params: { id: string } }>(
		'/executions/:id/finish',
		async ({ params, body }, reply) => {
			const wanted: Finish = check(finish, body, 'The end of the execution');
			const ended = await state.executions.finish(params.id, wanted);
			return ended ?? reply.code(404).send({ detail: 'No such execution is running' });
		},
	);

	administration.get('/workflows', async () => state.workflows.all().map(shown));
	administration.patch<{ Params: { id: string }; Body: WorkflowChange }>(
		'/workflows/:id',
		async ({ params, body }, reply) => {
			const changed = state.workflows.change(params.id, body);
			return changed ? shown(changed) : reply.code(404).send({ detail: 'Workflow not found' });
		},
	);

	administration.get('/settings', async () => state.settings.current());
	administration.patch<{ Body: Partial<Settings> }>('/settings', async ({ body }) =>
		state.settings.change(body),
	);

	administration.get('/tokens', async () => ({ issued: state.tokens.issued }));
	administration.post('/tokens/revoke', async ({ body }) => {
		const { clientId } = check(revocation, body ?? {}, 'The revocation');
		return {
			revoked:
				clientId === undefined ? state.tokens.revokeAll() : state.tokens.revokeClient(clientId),
		};
	});

	administration.get('/faults', async () => state.faults.all());
	administration.post<{ Body: Fault }>('/faults', async ({ body }) => state.faults.add(body));
	administration.delete('/faults', async () => ({ removed: state.faults.clear() }));
	administration.delete<{ Params: { id: string } }>('/faults/:id', async ({ params }) => ({
		removed: state.faults.clear(Number(params.id)),
	}));
	return administration;
}

/** Runs an action and answers without a body. */
function nothing(act: () => void): Record<string, never> {
	act();
	return {};
}

/** A workflow without the secrets and URLs of its webhooks. */
function shown({ webhooks, ...workflow }: Workflow): object {
	return {
		...workflow,
		webhooks: webhooks.map(({ url, authentication, signature, ...rest }) => ({
			...rest,
			origin: new URL(url).origin,
			authentication: authentication.type,
			signature: signature?.type ?? null,
		})),
	};
}
