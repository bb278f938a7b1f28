/** The administration interface: some functions of `simulator.state`, over HTTP. */
import fastify, { type FastifyInstance } from 'fastify';
import { z } from 'zod';
import { check, ConfigurationError, type WorkflowChange } from '../configuration';
import type { Finish } from '../state/executions';
import type { Fault } from '../state/faults';
import type { SimulatorState } from '../state/state';

const finish = z
	.object({ status: z.enum(['completed', 'failed']), error: z.unknown().optional() })
	.strict();

interface OfOne {
	Params: { id: string };
}

/** The server for `state`, not yet listening. */
export function createAdministration(state: SimulatorState): FastifyInstance {
	const administration = fastify({
		logger: false,
		forceCloseConnections: true,
		return503OnClosing: false,
	});
	administration.setErrorHandler((error, _request, reply) => {
		const { statusCode = 500 } = error as { statusCode?: number };
		const status = error instanceof ConfigurationError ? 422 : statusCode;
		reply.code(status).send({ detail: error instanceof Error ? error.message : String(error) });
	});

	administration.get('/executions', async () => state.executions.all());
	administration.post<OfOne>('/executions/:id/finish', async ({ params, body }, reply) => {
		const wanted: Finish = check(finish, body, 'The end of the execution');
		const ended = await state.executions.finish(params.id, wanted);
		return ended ?? reply.code(404).send({ detail: 'No such execution is running' });
	});
	administration.patch<OfOne & { Body: WorkflowChange }>(
		'/workflows/:id',
		async ({ params, body }, reply) =>
			state.workflows.change(params.id, body) === undefined
				? reply.code(404).send({ detail: 'Workflow not found' })
				: {},
	);
	administration.get('/deliveries', async () => state.deliveries.all());
	administration.get('/faults', async () => state.faults.all());
	administration.post<{ Body: Fault }>('/faults', async ({ body }) => state.faults.add(body));
	administration.delete('/faults', async () => ({ removed: state.faults.clear() }));
	return administration;
}
