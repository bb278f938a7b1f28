import { encryptionOf, isLocked } from './files';
import { writings } from './writings';

describe('an encrypted PDF', () => {
	it.each(Object.entries(writings))(
		'%s is locked by a user password, and by nothing else',
		async (_, write) => {
			expect(await isLocked(write(encryptionOf('both')))).toBe(true);
			expect(await isLocked(write(encryptionOf('owner')))).toBe(false);
		},
	);
});
