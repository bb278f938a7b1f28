/** An object store on this machine with the part of S3 that n8n uses, and n8n's own client for it. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Logger } from '@n8n/backend-common';
import { ObjectStoreConfig, S3ByteStore } from '@n8n/blob-storage';
import { ObjectStoreService } from '@n8n/blob-storage/object-store';
import { Container } from '@n8n/di';
import { BinaryDataBlobManager, ErrorReporter } from 'n8n-core';
import { startHandler } from '../../servers';

interface StoredObject {
	content: Buffer;
	headers: Record<string, string>;
}

export interface ObjectStore {
	/** By the path of their URLs. */
	objects: Map<string, StoredObject>;
	/** Requests whose answer is not complete yet. */
	readings: Set<ServerResponse>;
	/** n8n's manager of the s3 mode, on this store. */
	manager(): BinaryDataBlobManager;
}

const BUCKET = 'documents';
const KEPT_HEADERS = ['content-type', 'x-amz-meta-filename'];

/** Starts a store before the tests of a file; n8n reaches it over HTTP, with the S3 client that n8n itself uses. */
export function useObjectStore(): ObjectStore {
	const objects: ObjectStore['objects'] = new Map();
	const readings: ObjectStore['readings'] = new Set();
	let url = '';
	let stop = async (): Promise<void> => undefined;
	beforeAll(async () => {
		({ url, stop } = await startHandler((request, response) => {
			readings.add(response);
			response.once('close', () => readings.delete(response));
			void answer(objects, request, response);
		}));
	});
	afterAll(() => stop());
	return { objects, readings, manager: () => managerOn(url) };
}

function managerOn(url: string): BinaryDataBlobManager {
	const config = Object.assign(new ObjectStoreConfig(), {
		host: new URL(url).host,
		protocol: 'http',
		forcePathStyle: true,
		maxAttempts: 1,
		startupTimeoutMs: 0,
		bucket: { name: BUCKET, region: 'eu-central-1' },
		credentials: { accessKey: 'engine-tests', accessSecret: 'engine-tests', authAutoDetect: false },
	});
	const service = new ObjectStoreService(Container.get(Logger), config);
	return new BinaryDataBlobManager(new S3ByteStore(service), Container.get(ErrorReporter));
}

async function answer(
	objects: ObjectStore['objects'],
	request: IncomingMessage,
	response: ServerResponse,
): Promise<void> {
	const { method, headers } = request;
	const [path = ''] = (request.url ?? '').split('?');
	if (method === 'PUT') {
		const chunks: Buffer[] = [];
		for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
		const kept = KEPT_HEADERS.map((name) => [name, String(headers[name] ?? '')]).filter(
			([, value]) => value !== '',
		);
		objects.set(path, {
			content: Buffer.concat(chunks),
			headers: Object.fromEntries(kept) as Record<string, string>,
		});
		response.writeHead(200, { etag: '"1"' }).end();
		return;
	}
	const found = objects.get(path);
	if (found === undefined) {
		const body =
			'<?xml version="1.0"?><Error><Code>NoSuchKey</Code><Message>The specified key does not exist.</Message></Error>';
		response
			.writeHead(404, { 'content-type': 'application/xml' })
			.end(method === 'HEAD' ? '' : body);
		return;
	}
	response
		.writeHead(200, { ...found.headers, 'content-length': found.content.length, etag: '"1"' })
		.end(method === 'HEAD' ? '' : found.content);
}
