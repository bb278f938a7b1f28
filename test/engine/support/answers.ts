/** Fixed answers of the service to a check, for any execution. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { runFlow, type Flow, type Outcome } from './engine';
import { operation, type Service } from './service';

/** One extracted value. */
export function cell(
	value: unknown,
	confidence_score: number,
): { value: unknown; confidence_score: number } {
	return { value, confidence_score };
}

/** A step with its rows. */
export function step(
	step_name: string,
	...rows: unknown[]
): { step_name: string; data: { data: unknown[] } } {
	return { step_name, data: { data: rows } };
}

/** A policy with two losses; the name of the insured and the payment of the second loss are below 80 %. */
export const POLICY_STEPS = [
	step('policy', { policy_number: cell('CPP-1001', 0.97), insured: cell('Müller & Söhne', 0.55) }),
	step(
		'losses',
		{ cause: cell('Hail', 0.9), paid: cell(1250, 0.92) },
		{ cause: cell('Fire, kitchen', 0.88), paid: cell(0, 0.4) },
	),
];

/** The service gives the first such answer to checks of a workflow, or of all, until `state.faults.clear()`. */
export function answer(
	{ state }: Service,
	body: IDataObject | { steps: unknown[] },
	workflowId?: string,
): void {
	const action = {
		type: 'status' as const,
		status: 200,
		body: { status: 'completed', metadata: {}, ...body },
	};
	state.faults.add({ route: 'get', action, ...(workflowId === undefined ? {} : { workflowId }) });
}

/** The outcome of Get with an answer of the service. */
export async function getAnswered(
	service: Service,
	body: IDataObject | { steps: unknown[] },
	parameters: INodeParameters = {},
	flow: Partial<Flow> = {},
): Promise<Outcome> {
	answer(service, body);
	return runFlow({
		...service,
		parameters: operation('get', { executionId: 'e-1', ...parameters }),
		...flow,
	});
}

/** The JSON of the items on the first output. */
export function jsonOf({ outputs }: Outcome): IDataObject[] {
	return (outputs[0] ?? []).map(({ json }) => json);
}
