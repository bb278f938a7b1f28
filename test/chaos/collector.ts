import type { N8n } from '../../harness/n8n';

/** Collects all that n8n logs; n8n's own log in the tests loses its oldest part. */
export function collector(): { onOutput: (text: string) => void; log: N8n['log'] } {
	const parts: string[] = [];
	return { onOutput: (text) => void parts.push(text), log: () => parts.join('') };
}
