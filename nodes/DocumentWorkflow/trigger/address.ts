import * as n8nWorkflow from 'n8n-workflow';
import type { IWebhookDescription } from 'n8n-workflow';

/** What newer versions of n8n offer; with older ones both are missing. */
const { fromParameter, webhookDescriptionFields } = n8nWorkflow as Partial<typeof n8nWorkflow>;

/**
 * The end of the address is what the panel says. n8n looks it up with each call: where it can be told how, it needs none of the engine for
 * expressions, which would take longer than all else.
 */
export const address: Pick<IWebhookDescription, 'path'> =
	fromParameter && webhookDescriptionFields
		? webhookDescriptionFields({ path: fromParameter('path') })
		: { path: '={{ $parameter["path"] }}' };
