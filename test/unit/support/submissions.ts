import type { Handling, Submission } from '../../../nodes/DocumentWorkflow/actions/submission';

const HANDLING: Handling = {
	withoutDocuments: 'skip',
	lostResponse: 'fail',
	sentMemory: 'off',
};

/** A submission of one item with only the given content. */
export function submissionOf({
	handling,
	...given
}: Omit<Partial<Submission>, 'handling'> & { handling?: Partial<Handling> } = {}): Submission {
	return {
		itemIndexes: [0],
		workflowId: 'policy-intake',
		documents: [],
		fileUrls: [],
		skipped: [],
		hashes: new Map(),
		content: { textInputs: {}, metadata: {}, additional: {} },
		...given,
		handling: { ...HANDLING, ...handling },
	};
}
