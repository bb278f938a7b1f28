import { opensWithEmptyPassword } from './emptyPassword';
import { scan } from './scan';

/**
 * Whether a PDF can be opened only with a password, or a certificate. An owner password alone, which restricts printing or editing, does not
 * count: such a document opens without one. Nor does a document count whose attached files alone are encrypted. What is no PDF, or too broken
 * to tell, needs no password.
 *
 * The file is read once, from start to end, and less than 400 kB of it are held, whatever its size.
 * @throws what reading the file throws, and nothing else
 */
export async function needsPassword(bytes: AsyncIterable<Uint8Array>): Promise<boolean> {
	const found = (await scan(bytes)).encryption();
	return (
		found?.encryption.contentIsEncrypted === true &&
		!opensWithEmptyPassword(found.encryption, found.documentId)
	);
}
