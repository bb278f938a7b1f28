/** How the simulator authenticates its calls of webhooks. */
import { createHmac } from 'node:crypto';
import type { WebhookSignature } from '../configuration';

/** HMAC-SHA256 of the raw body, or of `<unix seconds>.<raw body>` with a timestamp header (assumed). */
export function signatureHeaders(
	signature: WebhookSignature | undefined,
	body: string,
	now: number,
): Record<string, string> {
	if (!signature) return {};
	const { header, secret, encoding, prefix = '', timestampHeader } = signature;
	const timestamp = String(Math.floor(now / 1000));
	const signed = timestampHeader ? `${timestamp}.${body}` : body;
	const digest = createHmac('sha256', secret).update(signed).digest(encoding);
	return {
		[header]: `${prefix}${digest}`,
		...(timestampHeader ? { [timestampHeader]: timestamp } : {}),
	};
}
