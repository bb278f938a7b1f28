/** n8n's own store of binary data, in the mode of the test. */
import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';
import {
	BinaryDataConfig,
	BinaryDataService,
	ErrorReporter,
	BinaryDataBlobManager,
} from 'n8n-core';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ObjectStoreConfig, S3ByteStore } from '@n8n/blob-storage';
import { ObjectStoreService } from '@n8n/blob-storage/object-store';
import { startHandler } from '../../servers';

const CONFIGURED = { memory: 'default', filesystem: 'filesystem', s3: 's3' } as const;

export type BinaryMode = keyof typeof CONFIGURED;

/**
 * From now on items hold their files themselves (memory), or refer to files on disk or to objects in a store.
 * The s3 mode needs a store, which is set as n8n sets it at start.
 */
export async function useBinaryMode(mode: BinaryMode, objectStore?: ObjectStore): Promise<void> {
	const config = Container.get(BinaryDataConfig);
	config.mode = CONFIGURED[mode];
	const service = new BinaryDataService(
		config,
		Container.get(ErrorReporter),
		Container.get(Logger),
	);
	await service.init();
	if (objectStore !== undefined) service.setManager('s3', objectStore.manager());
	Container.set(BinaryDataService, service);
}

/** Returns how often each file was opened since the last call, the least first. */
export function countOpenings(): () => number[] {
	const open = jest.spyOn(Container.get(BinaryDataService), 'getAsStream');
	return () => {
		const ids = open.mock.calls.map(([id]) => id);
		open.mockClear();
		const counts = [...new Set(ids)].map((id) => ids.filter((other) => other === id).length);
		return counts.sort((a, b) => a - b);
	};
}

// The test file that this process runs next begins with n8n's default.
afterAll(() => useBinaryMode('memory'));

interface StoredObject {
	content: Buffer;
	headers: Record<string, string>;
}

interface ObjectStore {
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
