/** The steps of a finished execution, as the service publishes them. */
import type { FieldType, Step } from '../configuration';
import { readDocument, type ReadDocument } from '../extract/document';
import type { Row } from '../extract/fields';
import { linesOfText } from '../extract/lines';
import { rowsOfStep } from '../extract/rows';
import type { Intake } from './intake';

export interface StepData {
	schema: Record<string, unknown>;
	data: Row[];
	metadata: {
		documents: Array<{ file_name: string; media_type: string; bytes: number; readable: boolean }>;
	};
}

export interface StepResult {
	step_name: string;
	/** A text is a summary or a class. */
	data: StepData | string;
}

/** Reads the documents, or the text inputs when there are none, and extracts the fields of each step. */
export async function resultsOf(
	steps: Step[],
	intakes: Intake[],
	userInputs: Record<string, unknown> | null,
): Promise<StepResult[]> {
	if (steps.length === 0) return [];
	const documents = await Promise.all(intakes.map(readIntake));
	const read = documents.length > 0 ? documents : [textInputsAsDocument(userInputs ?? {})];
	const files = intakes.map(({ file }, index) => ({
		file_name: file.fileName,
		media_type: file.mediaType,
		bytes: file.bytes,
		readable: documents[index]?.kind !== 'unreadable',
	}));
	const found: Row = {};
	return steps.map((step) => {
		if (step.content !== undefined)
			return { step_name: step.stepName, data: filled(step.content, found) };
		const rows = rowsOfStep(read, step);
		Object.assign(found, rows[0]);
		const data = { schema: schemaOf(step), data: rows, metadata: { documents: files } };
		return { step_name: step.stepName, data };
	});
}

function filled(content: string, found: Row): string {
	return content.replace(/\{(\w+)\}/g, (_all, name: string) => String(found[name]?.value ?? '?'));
}

async function readIntake({ file, document }: Intake): Promise<ReadDocument> {
	if (document) return readDocument(document);
	return {
		fileName: file.fileName,
		mediaType: file.mediaType,
		kind: 'unreadable',
		lines: [],
		attachments: [],
	};
}

function textInputsAsDocument(userInputs: Record<string, unknown>): ReadDocument {
	const text = Object.entries(userInputs).map(
		([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
	);
	return {
		fileName: '',
		mediaType: 'text/plain',
		kind: 'text',
		lines: linesOfText(text.join('\n')),
		attachments: [],
	};
}

function schemaOf({ fields: ofText, table, asWritten }: Step): StepData['schema'] {
	const fields = [...ofText, ...(table?.fields ?? [])].map(({ name, type }) => ({ name, type }));
	if (!asWritten) return { fields };
	const properties = Object.fromEntries(fields.map(({ name, type }) => [name, IN_JSON[type]]));
	return { type: 'object', properties };
}

const IN_JSON: Record<FieldType, Record<string, unknown>> = {
	text: { type: 'string' },
	number: { type: 'number' },
	amount: { type: ['number', 'null'] },
	date: { type: 'string', format: 'date' },
	boolean: { type: 'boolean' },
};
