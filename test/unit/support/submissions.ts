import type {
	SendOptions,
	Submission,
} from '../../../nodes/DocumentWorkflow/actions/sending/submission';
import { NO_CONTENT } from '../../../nodes/DocumentWorkflow/documents/body';

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
		documents: [],
		fileUrls: [],
		skipped: [],
		content: NO_CONTENT,
		settings: {},
		...given,
		handling: { ...HANDLING, ...handling },
	};
}
