import type { ApiKeySettings } from '../../../../credentials/webhook/apiKey';
import type { WebhookCall } from './call';
import { headerOf } from './call';
import { isSame, passesOne } from './constantTime';

/** Whether the call carries one of the keys in its header (published). */
export function isKeyProven({ header, keys }: ApiKeySettings, call: WebhookCall): boolean {
	const given = headerOf(call, header);
	return given !== undefined && passesOne(keys, (key) => isSame(given, key));
}
