/** A cell without its score; null is a field that the document does not state. */
export type PlainValue = string | number | boolean | null;

export type PlainRow = Record<string, PlainValue>;

/** The expected result of one document: the steps of a completed execution, reduced to plain values. */
export interface ExpectedFields {
	workflowId: string;
	steps: Record<string, PlainRow[]>;
}
