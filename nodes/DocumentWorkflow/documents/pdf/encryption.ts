import type { Dictionary } from './dictionary';

/** What a document says of its encryption (ISO 32000-2, 7.6.2 and 7.6.4.2), as far as a check of passwords needs it. */
export interface Encryption {
	/** The name of the security handler, such as Standard. */
	handler: string;
	/** The algorithm, `V` in the file. */
	version?: number;
	/** The form of the entries of the standard security handler, `R` in the file. */
	revision?: number;
	/** `Length` in the file. */
	keyBits?: number;
	/** `P` in the file: a set of 32 bits. */
	permissions?: number;
	/** What verifies the owner password, `O` in the file. */
	ownerEntry?: Buffer;
	/** What verifies the user password, `U` in the file. */
	userEntry?: Buffer;
	metadataIsEncrypted: boolean;
	/** False when streams and strings pass the crypt filter Identity (7.6.6): attached files alone are encrypted then. */
	contentIsEncrypted: boolean;
}

/** The encryption that a dictionary describes, undefined when it names no security handler. */
export function encryptionIn(dictionary: Dictionary): Encryption | undefined {
	const handler = dictionary.name('Filter');
	if (handler === undefined) return undefined;
	const version = dictionary.integer('V');
	return {
		handler,
		version,
		revision: dictionary.integer('R'),
		keyBits: dictionary.integer('Length'),
		permissions: dictionary.integer('P'),
		ownerEntry: dictionary.string('O'),
		userEntry: dictionary.string('U'),
		metadataIsEncrypted: dictionary.boolean('EncryptMetadata') ?? true,
		contentIsEncrypted:
			version === undefined ||
			version < 4 ||
			['StmF', 'StrF'].some((key) => (dictionary.name(key) ?? 'Identity') !== 'Identity'),
	};
}
