/**
 * `node harness/launch.mjs test/leaks/artefacts.ts`: searches what all suites have written (their output and results) for
 * secrets, and ends with exit code 1 where it finds one.
 */
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

import { ARTEFACTS } from '../../harness/pack';
import { filesIn, secretsIn } from './secrets';

const files = filesIn(ARTEFACTS);
const found = files.flatMap((file) => {
	const path = relative(ARTEFACTS, file);
	return secretsIn(readFileSync(file, 'latin1')).kinds.map(
		(kind) => `${kind} in artefacts/${path}`,
	);
});
for (const each of found) console.error(each);
console.log(`Searched ${files.length} files for secrets and found ${found.length}.`);
if (files.length === 0 || found.length > 0) process.exitCode = 1;
