/** The HTTP server of one environment. */
import fastify, {
	type FastifyError,
	type FastifyInstance,
	type FastifyReply,
	type FastifyRequest,
} from 'fastify';
import type { Environment } from '../configuration';
import type { Route } from '../state/requests';
import type { SimulatorState } from '../state/state';
import { refusal } from './answers';
import { beginExchange, runExchange, type Exchange, type Handler } from './exchange';
import { createExecution, exchangeToken, getExecution, PATHS } from './routes';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

/** The server of one environment, not yet listening. */
export function createService(state: SimulatorState, environment: Environment): FastifyInstance {
	const service = fastify({
		logger: false,
		forceCloseConnections: true,
		exposeHeadRoutes: false,
		bodyLimit: Number.MAX_SAFE_INTEGER,
		routerOptions: { maxParamLength: 4096 },
		return503OnClosing: false,
		// A URL that cannot be parsed is an unknown path.
		frameworkErrors: (_error, _request, reply) => {
			reply.raw
				.writeHead(404, { 'content-type': 'application/json' })
				.end(JSON.stringify({ detail: 'Not Found' }));
		},
	});
	// Handlers read the body themselves, as a stream.
	service.removeAllContentTypeParsers();

	const exchanges = new WeakMap<FastifyRequest, Exchange>();
	service.addHook('onRequest', async (request, reply) => {
		exchanges.set(
			request,
			await beginExchange(state, environment, request, reply, routeOf(request)),
		);
	});
	const handledBy = (handler: Handler) => async (request: FastifyRequest, reply: FastifyReply) => {
		const exchange = exchanges.get(request);
		if (exchange) await runExchange(exchange, reply, handler);
	};
	service.addContentTypeParser('*', (_request, _payload, done) => done(null));

	const offer = (method: 'GET' | 'POST', url: string, handler: Handler): void => {
		service.route({ method, url, handler: handledBy(handler) });
		const others = METHODS.filter((other) => other !== method);
		service.route({ method: others, url, handler: handledBy(methodNotAllowed(method)) });
	};
	offer('POST', PATHS.token, exchangeToken);
	offer('POST', PATHS.create, createExecution);
	offer('GET', PATHS.get, getExecution);
	service.setNotFoundHandler(handledBy(notFound));
	service.setErrorHandler((error: FastifyError, request, reply) => {
		const status = error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE' ? 422 : 500;
		const exchange = exchanges.get(request);
		if (exchange) state.requests.finish(exchange.entry, status);
		reply.code(status).send({ detail: error.message });
	});
	return service;
}

function routeOf({ method, routeOptions }: FastifyRequest): Route {
	if (method === 'POST' && routeOptions.url === PATHS.token) return 'token';
	if (method === 'POST' && routeOptions.url === PATHS.create) return 'create';
	return method === 'GET' && routeOptions.url === PATHS.get ? 'get' : 'other';
}

function methodNotAllowed(allowed: string): Handler {
	return async () => {
		throw refusal(405, 'Method Not Allowed', { allow: allowed });
	};
}

async function notFound(): Promise<never> {
	throw refusal(404, 'Not Found');
}
