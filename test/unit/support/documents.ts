import { createHash } from 'node:crypto';

import type { InputDocument } from '../../../nodes/DocumentWorkflow/documents/open';
import type { SendOptions } from '../../../nodes/DocumentWorkflow/actions/fields/sending';
import type { Submission } from '../../../nodes/DocumentWorkflow/actions/sending/prepare';
import { NO_CONTENT } from '../../../nodes/DocumentWorkflow/documents/body';

interface CountedDocument extends InputDocument {
	/** How often it was opened. */
	opened: number;
}

/** A document with this content. `given` overrides its properties. */
export function documentOf(content: string, given: Partial<InputDocument> = {}): CountedDocument {
	const bytes = Buffer.from(content);
	const document: CountedDocument = {
		itemIndex: 0,
		fieldName: 'data',
		fileName: 'policy.pdf',
		mediaType: 'application/pdf',
		bytes: bytes.length,
		reference: `stored:${sha256(content)}`,
		opened: 0,
		open: async function* () {
			document.opened++;
			const half = Math.ceil(bytes.length / 2);
			yield bytes.subarray(0, half);
			yield bytes.subarray(half);
		},
		hash: async () => {
			document.opened++;
			return Promise.resolve(sha256(content));
		},
		...given,
	};
	return document;
}

export function sha256(content: string | Uint8Array): string {
	return createHash('sha256').update(content).digest('hex');
}

export async function bytesOf(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
	const all: Uint8Array[] = [];
	for await (const chunk of chunks) all.push(chunk);
	return Buffer.concat(all);
}

const HANDLING: SendOptions = {
	withoutDocuments: 'skip',
	skipsSent: false,
};

/** A submission of one item with only the given content. */
export function submissionOf({
	handling,
	...given
}: Partial<Omit<Submission, 'handling'>> & { handling?: Partial<SendOptions> } = {}): Submission {
	return {
		key: '0',
		itemIndexes: [0],
		workflowId: 'policy-intake',
		about: { workflowId: 'policy-intake' },
		documents: [],
		fileUrls: [],
		skipped: [],
		content: NO_CONTENT,
		settings: {},
		...given,
		handling: { ...HANDLING, ...handling },
	};
}
