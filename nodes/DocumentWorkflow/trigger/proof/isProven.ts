import type { WebhookSettings } from '../../../../credentials/webhookSettings';
import { isKeyProven } from './apiKey';
import type { WebhookCall } from './call';
import { isSignatureProven } from './hmac';
import { isTokenProven } from './jwt';

/**
 * Whether a call comes from the service, as far as the settings ask for a proof. Never raises an error: what cannot be checked, such as
 * a body that nobody read, is not proven. Takes the time of one or two hashes of the body at most.
 */
export function isProven(settings: WebhookSettings, call: WebhookCall): boolean {
	try {
		switch (settings.method) {
			case 'none':
				return true;
			case 'apiKey':
				return isKeyProven(settings, call);
			case 'hmac':
				return isSignatureProven(settings, call);
			case 'jwt':
				return isTokenProven(settings, call);
		}
	} catch {
		return false;
	}
}
