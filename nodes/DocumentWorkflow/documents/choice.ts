import type { Filters } from './filters';

/** What becomes of a document that meets a check. */
export type Treatment = 'refuse' | 'skip' | 'send';

/** Which documents of an input item go out, as the panel says. */
export interface Choice {
	/** Names of fields, and wildcards. */
	patterns: string[];
	filters: Filters;
	skipInlineImages: boolean;
	emptyDocuments: Exclude<Treatment, 'send'>;
	mislabelledDocuments: Treatment;
	lockedPdfs: Treatment;
	/** Items in which no document is left; automatic: refused where no file matched, skipped where the filters left none. */
	withoutDocuments: 'automatic' | Treatment;
}
