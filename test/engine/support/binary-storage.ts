/** n8n's own store of binary data, in the mode that a test asks for. */
import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';
import { BinaryDataConfig, BinaryDataService, ErrorReporter } from 'n8n-core';

export type BinaryMode = 'memory' | 'filesystem';

/** Items of workflows that run from now on hold their files themselves (memory), or refer to files on disk. */
export async function useBinaryMode(mode: BinaryMode): Promise<void> {
	const config = Container.get(BinaryDataConfig);
	config.mode = mode === 'memory' ? 'default' : 'filesystem';
	const service = new BinaryDataService(config, Container.get(ErrorReporter), Container.get(Logger));
	await service.init();
	Container.set(BinaryDataService, service);
}
