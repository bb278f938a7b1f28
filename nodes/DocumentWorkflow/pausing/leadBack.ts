import type { IExecuteFunctions } from 'n8n-workflow';

import type { ServiceContext } from '../transport';
import type { Sealer } from './reference';
import { sealReference } from './reference';

/** What stands behind the address of an n8n execution, so that other nodes of it that pause are not woken. */
export const RESUME_PATH = 'document-workflow';

/** How long a reference can be used at least, whatever pause is planned: a Wait for Completion may follow much later. */
const SHORTEST_MILLISECONDS = 30 * 24 * 60 * 60_000;

/** Where n8n is told to go on with an n8n execution: with this one, or in a trigger with none. */
export function resumeUrlOf(context: ServiceContext): string {
	const url: unknown = context.evaluateExpression('{{ $execution.resumeUrl }}', 0);
	return typeof url === 'string' ? url : '';
}

/** Gives the executions of a workflow a reference that leads back to this n8n execution; one for each workflow and run. */
export function referencesTo(
	context: IExecuteFunctions,
	pauseMilliseconds: number,
	sealer: Sealer,
): (workflowId: string) => string {
	const references = new Map<string, string>();
	const resumeUrl = new URL(resumeUrlOf(context));
	resumeUrl.pathname += `/${RESUME_PATH}`;
	const expiresAt = Date.now() + Math.max(SHORTEST_MILLISECONDS, 2 * pauseMilliseconds);
	return (workflowId) => {
		const reference =
			references.get(workflowId) ?? sealReference(resumeUrl.href, workflowId, expiresAt, sealer);
		references.set(workflowId, reference);
		return reference;
	};
}

/** Whether a node behind this one pauses this n8n execution until it is notified. */
export function isPausedBehind(context: IExecuteFunctions): boolean {
	const { name, type } = context.getNode();
	return context
		.getChildNodes(name, { includeNodeParameters: true })
		.some(
			({ type: other, disabled, parameters }) =>
				other === type &&
				!disabled &&
				parameters?.operation === 'wait' &&
				parameters.howToWait === 'pause',
		);
}
