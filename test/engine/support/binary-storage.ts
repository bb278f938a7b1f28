/** n8n's own store of binary data, in the mode of the test. */
import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';
import { BinaryDataConfig, BinaryDataService, ErrorReporter } from 'n8n-core';
import type { ObjectStore } from './object-store';

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
