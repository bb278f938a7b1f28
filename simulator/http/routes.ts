/** The routes of the service: exchange credentials, create an execution, get it. */
import type { Client, Workflow } from '../configuration';
import type { Execution } from '../state/executions';
import { missing, problem, refusal, unprocessable, type Answer, type Problem } from './answers';
import { readJsonObject, requireContentType } from './body';
import { refuseTooLarge, type Exchange } from './exchange';
import { submissionOfJson } from './json-create';
import { readMultipart } from './multipart';

export const PATHS = {
	token: '/api/v1/oauth2/access_token',
	create: '/api/v1/workflow-builder/workflows/:workflowId/executions',
	get: '/api/v1/workflow-builder/workflows/:workflowId/executions/:executionId',
} as const;

const REFUSED_TOKEN = {
	none: 'Not authenticated',
	malformed: 'Invalid token',
	foreign: 'Invalid token',
	expired: 'Token has expired',
	revoked: 'Token has been revoked',
} as const;

/** POST of client id and secret: 200 with a token, 422 for what is missing or malformed, 401 for a wrong pair. */
export async function exchangeToken(exchange: Exchange): Promise<Answer> {
	const { state, environment, request } = exchange;
	requireContentType(request.raw, 'application/json');
	const body = await readJsonObject(request.raw);
	refuseTooLarge(exchange);
	const problems = ['client_id', 'client_secret'].flatMap(
		(name) => credentialProblem(name, body[name]) ?? [],
	);
	if (problems.length > 0) throw unprocessable(...problems);
	const client = state.clients.find((known) => known.clientId === body.client_id);
	if (client?.clientSecret !== body.client_secret || !client?.environments.includes(environment)) {
		throw refusal(401, 'Invalid client credentials');
	}
	const { token, expiresIn } = await state.tokens.issue(client.clientId, environment);
	return {
		status: 200,
		body: { access_token: token, token_type: 'bearer', expires_in: expiresIn },
	};
}

function credentialProblem(name: string, value: unknown): Problem | undefined {
	if (value === undefined) return missing(name);
	if (typeof value !== 'string') return problem([name], 'str type expected', 'type_error.str');
	if (value.trim() === '')
		return problem(
			[name],
			'ensure this value has at least 1 characters',
			'value_error.any_str.min_length',
		);
	return undefined;
}

/** POST of documents or their URLs: 200 with the ID of a running execution. */
export async function createExecution(exchange: Exchange): Promise<Answer> {
	const { state, environment, request, entry } = exchange;
	const workflow = permittedWorkflow(exchange);
	const multipart = workflow.fileAccess === 'multipart';
	requireContentType(request.raw, multipart ? 'multipart/form-data' : 'application/json');
	const submission = multipart
		? await readMultipart(request.raw)
		: submissionOfJson(await readJsonObject(request.raw), workflow);
	refuseTooLarge(exchange);
	requireToken(exchange);
	const { executionId, status } = state.executions.start(workflow, environment, submission);
	entry.executionId = executionId;
	return {
		status: 200,
		body: {
			workflow_execution_id: executionId,
			status,
			message: 'Execution triggered successfully',
		},
	};
}

/** GET of an execution of a workflow, in the environment it was created in. */
export async function getExecution(exchange: Exchange): Promise<Answer> {
	const { state, environment, entry } = exchange;
	const { workflowId } = permittedWorkflow(exchange);
	const { executionId } = exchange.request.params as { executionId: string };
	const execution = state.executions.find(executionId);
	if (execution?.workflowId !== workflowId || execution.environment !== environment)
		throw refusal(404, 'Workflow execution not found');
	entry.executionId = executionId;
	return { status: 200, body: bodyOf(execution) };
}

function bodyOf({
	workflowId,
	executionId,
	status,
	metadata,
	steps,
	failure,
}: Execution): Record<string, unknown> {
	const envelope = {
		workflow_id: workflowId,
		workflow_execution_id: executionId,
		status,
		metadata: metadata ?? {},
	};
	// Undefined fields, such as the steps while it runs, are not in the JSON.
	return { ...envelope, steps, ...failure };
}

/** The workflow of the path. Raises a Refusal (401, 404 or 403) for a caller who may not use it. */
function permittedWorkflow(exchange: Exchange): Workflow {
	requireToken(exchange);
	const { state, judgement, request } = exchange;
	const workflow = state.workflows.find((request.params as { workflowId: string }).workflowId);
	if (!workflow) throw refusal(404, 'Workflow not found');
	const client = state.clients.find(({ clientId }) => clientId === judgement.clientId);
	if (!mayUse(client, workflow)) throw refusal(403, 'Not permitted to use this workflow');
	return workflow;
}

function mayUse(client: Client | undefined, { workflowId }: Workflow): boolean {
	return (
		client?.workflows.some((permitted) => permitted === '*' || permitted === workflowId) ?? false
	);
}

/** Checks the token again: it may have expired or been revoked while the body arrived. */
function requireToken({ state, judgement, entry }: Exchange): void {
	const { authorization } = state.tokens.judgeAgain(judgement);
	entry.authorizationAtEnd = authorization;
	if (authorization !== 'valid')
		throw refusal(401, REFUSED_TOKEN[authorization], { 'www-authenticate': 'Bearer' });
}
