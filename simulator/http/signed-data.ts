/** Signed, expiring URLs of the data of a step, for answers and webhooks in the format `url`. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { StepResult } from '../processing/results';

export const SIGNED_DATA_PATH = '/signed/executions/:executionId/steps/:step';

/** Steps with URLs in place of their data; undefined while there are none. */
export function linkedSteps(
	steps: StepResult[] | undefined,
	urlOf: (step: number) => string,
): Array<{ step_name: string; data: { url: string } }> | undefined {
	return steps?.map(({ step_name }, index) => ({ step_name, data: { url: urlOf(index) } }));
}

export class SignedData {
	private readonly key = randomBytes(32);

	/** A URL under `baseUrl` that is valid until `expiresAt` (milliseconds since 1970). */
	urlOf(baseUrl: string, executionId: string, step: number, expiresAt: number): string {
		const path = SIGNED_DATA_PATH.replace(':executionId', executionId).replace(
			':step',
			String(step),
		);
		const query = new URLSearchParams({
			expires: String(expiresAt),
			signature: this.sign(path, String(expiresAt)),
		});
		return `${baseUrl}${path}?${query.toString()}`;
	}

	/** Whether the signature in the query of a request fits its path and has not expired. */
	accepts(path: string, query: { expires?: string; signature?: string }, now: number): boolean {
		const expected = Buffer.from(this.sign(path, query.expires ?? ''));
		const given = Buffer.from(query.signature ?? '');
		return (
			expected.length === given.length &&
			timingSafeEqual(expected, given) &&
			Number(query.expires) > now
		);
	}

	private sign(path: string, expires: string): string {
		return createHmac('sha256', this.key).update(`${path} ${expires}`).digest('hex');
	}
}
