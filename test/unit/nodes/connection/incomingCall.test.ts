import type { IWebhookFunctions } from 'n8n-workflow';

import { readBody } from '../../../../nodes/DocumentWorkflow/connection/incomingCall';

const read = async (request: object) =>
	readBody({ getRequestObject: () => request } as unknown as IWebhookFunctions);

/** A call whose body n8n has not read, because it cannot parse the type. */
function unread(bytes: string): object {
	const request = {
		contentType: 'application/octet-stream',
		rawBody: undefined as Buffer | undefined,
		readRawBody: async () => {
			request.rawBody ??= Buffer.from(bytes);
		},
	};
	return request;
}

const refusing = (error: Error) => ({
	contentType: 'application/octet-stream',
	readRawBody: async (): Promise<void> => {
		throw error;
	},
});

describe('The body of a call', () => {
	it('is read when n8n has not read it', async () =>
		expect(await read(unread('{"a": 1}'))).toEqual(Buffer.from('{"a": 1}')));

	it('is empty when there is none', async () => {
		expect(await read({ readRawBody: async () => undefined })).toEqual(Buffer.alloc(0));
	});

	it('is not read again when n8n has consumed a multipart form', async () => {
		const parts = {
			contentType: 'multipart/form-data',
			readRawBody: async () => Promise.reject(new Error('stream is not readable')),
		};
		expect(await read(parts)).toEqual(Buffer.alloc(0));
	});

	it('is rejected with 413 when it is too large', async () => {
		expect(
			await read(
				refusing(Object.assign(new Error('request entity too large'), { statusCode: 413 })),
			),
		).toEqual({ status: 413, reason: 'The body is larger than n8n accepts' });
	});

	it.each([
		new Error('incorrect header check'),
		Object.assign(new Error('request aborted'), { statusCode: 400 }),
	])('is rejected with 400 when it cannot be read: %s', async (error) => {
		expect(await read(refusing(error))).toEqual({
			status: 400,
			reason: 'The body could not be read',
		});
	});
});
