/** A call of the trigger, as far as its proof goes. */
export interface WebhookCall {
	/** As Node gives them; names may be in any case. */
	headers: Record<string, string | string[] | undefined>;
	/** The bytes as they came. */
	rawBody: Buffer;
	/** Unix milliseconds. */
	now: number;
}

/** Node refuses requests whose headers are larger than this together, in bytes, unless it was started with another limit. */
const LONGEST_VALUE = 16_384;

/** The value of a header; undefined when it is missing, empty, oversized, or came more than once. */
export function headerOf({ headers }: WebhookCall, name: string): string | undefined {
	const wanted = name.toLowerCase();
	const values = Object.entries(headers).filter(
		([given, value]) => given.toLowerCase() === wanted && value !== undefined,
	);
	const value = values.length === 1 ? values[0]?.[1] : undefined;
	return typeof value === 'string' && value !== '' && value.length <= LONGEST_VALUE
		? value
		: undefined;
}
