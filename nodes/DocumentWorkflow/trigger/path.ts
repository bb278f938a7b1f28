import * as n8nWorkflow from 'n8n-workflow';
import type { IHookFunctions, IWebhookDescription } from 'n8n-workflow';

/** Missing in n8n 1. */
const { fromParameter, webhookDescriptionFields } = n8nWorkflow as Partial<typeof n8nWorkflow>;

/** The path of the trigger is a parameter. n8n reads it on each call, which is much faster without an expression. */
export const address: Pick<IWebhookDescription, 'path'> =
	fromParameter && webhookDescriptionFields
		? webhookDescriptionFields({ path: fromParameter('path') })
		: { path: '={{ $parameter["path"] }}' };

/** @throws NodeOperationError when no call can reach the path, which n8n would activate */
export function failIfUnreachable(context: IHookFunctions): void {
	const given = context.getNodeParameter('path', '');
	const path = typeof given === 'string' ? given : '';
	if (isReachable(path)) return;
	throw new n8nWorkflow.NodeOperationError(
		context.getNode(),
		`'Path' cannot be used in a URL: ${path}`,
		{ description: "Use letters, digits, hyphens and slashes under 'Path'" },
	);
}

/** Whether a URL with this path leads to it: URLs resolve `..`, and end at `?` and `#`. */
function isReachable(path: string): boolean {
	const pathname = `/webhook/${path}`;
	try {
		return path !== '' && decodeURIComponent(new URL(pathname, 'http://n8n').pathname) === pathname;
	} catch {
		return false;
	}
}
