/** The key with which n8n encrypts credentials when no other exists. */
import { Container } from '@n8n/di';
import { Cipher, EncryptionKeyProxy, InstanceSettings } from 'n8n-core';

export function useInstanceEncryptionKey(): void {
	const { encryptionKey } = Container.get(InstanceSettings);
	const key = {
		id: 'legacy',
		value: Container.get(Cipher).encryptDEKWithInstanceKey(encryptionKey),
		algorithm: 'aes-256-cbc',
		format: 'no-prefix' as const,
	};
	Container.get(EncryptionKeyProxy).setProvider({
		getActiveKey: async () => key,
		getKeyById: async () => null,
		getLegacyKey: async () => key,
	});
}
