/** Reads the body of a request, counting every byte. */
import type { IncomingMessage } from 'node:http';
import { finished } from 'node:stream/promises';
import { problem, Refusal, unprocessable } from './answers';

/** The connection ended before the request was complete. */
export class Interrupted extends Error {
	override readonly name = 'Interrupted';
}

/** Reads the rest of the body and drops it. Raises Interrupted when the connection ends first. */
export async function dropBody(request: IncomingMessage): Promise<void> {
	if (request.readableEnded) return;
	request.resume();
	await complete(request);
}

/** Waits for the end of the body. Raises Interrupted when the connection ends first. */
export async function complete(request: IncomingMessage): Promise<void> {
	try {
		await finished(request, { writable: false });
	} catch (error) {
		throw new Interrupted((error as Error).message);
	}
}

/** The body as a JSON object. Raises a Refusal (422) for anything else. */
export async function readJsonObject(request: IncomingMessage): Promise<Record<string, unknown>> {
	const chunks: Buffer[] = [];
	request.on('data', (chunk: Buffer) => chunks.push(chunk));
	request.resume();
	await complete(request);
	return jsonObject(Buffer.concat(chunks).toString('utf8'), []);
}

/** Parses a JSON object. Raises a Refusal (422) that names its field. */
export function jsonObject(text: string, field: string[]): Record<string, unknown> {
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch (error) {
		throw unprocessable(
			problem(field, `invalid JSON: ${(error as Error).message}`, 'value_error.jsondecode'),
		);
	}
	return requireObject(value, field);
}

/** The value as an object. Raises a Refusal (422) for anything else. */
export function requireObject(value: unknown, field: string[]): Record<string, unknown> {
	if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
	throw unprocessable(problem(field, 'value is not a valid dict', 'type_error.dict'));
}

/** Raises a Refusal (422) unless the content type is the expected one. */
export function requireContentType(
	request: IncomingMessage,
	expected: 'application/json' | 'multipart/form-data',
): void {
	const given = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
	if (given === expected) return;
	const body = {
		detail: [
			{
				loc: ['header', 'content-type'],
				msg: `${expected} expected`,
				type: 'value_error.content_type',
			},
		],
	};
	throw new Refusal({ status: 422, body });
}
