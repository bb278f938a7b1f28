import type { IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';

import { isRecord } from '../../../service/contract';
import { isAddress } from '../../../service/identifier';
import { HOUR, LONGEST_WAIT_HOURS, time } from '../time';
import type { ServiceContext } from '../stop';
import type { Sealer } from './reference';
import { sealReference } from './reference';

/** The end of a resume address, so that no other paused node of the n8n execution is called. */
export const RESUME_PATH = 'document-workflow';

/** How long a reference is valid: twice the longest wait of the panel, because a Wait for Completion may begin long after the Create. */
const VALIDITY_MILLISECONDS = 2 * LONGEST_WAIT_HOURS * HOUR;

const NO_ADDRESS =
	'No notification can resume this n8n execution, because n8n has no valid URL for that. Set WEBHOOK_URL (n8n 2: N8N_WEBHOOK_URL) to the URL of n8n. It begins with https://';

/**
 * Returns the sealed resume address of this n8n execution for a workflow; one for each workflow and run. Undefined where n8n has no such
 * address: documents are sent without it, because a notification only makes a wait shorter.
 */
export function referencesTo(
	context: IExecuteFunctions,
	sealer: Sealer,
): ((workflowId: string) => string) | undefined {
	const url = resumeUrlOf(context);
	if (!isAddress(url) || !URL.canParse(url)) {
		// The address is not logged, because it may have a signature.
		context.logger.warn(NO_ADDRESS);
		return undefined;
	}
	const references = new Map<string, string>();
	const resumeUrl = new URL(url);
	resumeUrl.pathname += `/${RESUME_PATH}`;
	const expiresAt = time.now() + VALIDITY_MILLISECONDS;
	return (workflowId) => {
		const reference =
			references.get(workflowId) ?? sealReference(resumeUrl.href, workflowId, expiresAt, sealer);
		references.set(workflowId, reference);
		return reference;
	};
}

/** Whether a later node may pause this n8n execution, so that a Create has to add references. */
export function hasPauseDownstream(context: IExecuteFunctions): boolean {
	const { name, type } = context.getNode();
	return context
		.getChildNodes(name, { includeNodeParameters: true })
		.some(
			({ type: other, disabled, parameters }) =>
				other === type &&
				!disabled &&
				parameters?.operation === 'wait' &&
				pausesLongWaits(parameters),
		);
}

/** Whether a node with these parameters may pause; an expression may say so for some items. */
export function pausesLongWaits(parameters: Record<string, unknown>): boolean {
	const { waiting } = parameters;
	return !isRecord(waiting) || waiting.keepRunning !== true;
}

/** Whether an address resumes an n8n execution of this very n8n. */
export function isOwnAddress(context: IWebhookFunctions, resumeUrl: string): boolean {
	const own = ownBase(context);
	if (own === undefined || !URL.canParse(resumeUrl)) return false;
	const given = new URL(resumeUrl);
	const [, givenPath] = new RegExp(`^(.*/)[^/]+/${RESUME_PATH}$`).exec(given.pathname) ?? [];
	return given.origin + givenPath === own && given.username === '' && given.password === '';
}

let knownBase: string | undefined;

/** What the resume addresses of this n8n begin with. Evaluated once: an expression may cost n8n 60 ms. */
function ownBase(context: IWebhookFunctions): string | undefined {
	if (knownBase !== undefined) return knownBase;
	const url = resumeUrlOf(context);
	if (!URL.canParse(url)) return undefined;
	const { origin, pathname } = new URL(url);
	return (knownBase = origin + pathname.slice(0, pathname.lastIndexOf('/') + 1));
}

/** The address at which n8n resumes this n8n execution; in a trigger, that of no n8n execution. */
function resumeUrlOf(context: ServiceContext): string {
	const url: unknown = context.evaluateExpression('{{ $execution.resumeUrl }}', 0);
	return typeof url === 'string' ? url : '';
}
