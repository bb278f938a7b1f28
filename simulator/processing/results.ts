/** The steps of a finished execution, as the service publishes them. */
import type { Step } from '../configuration';
import { readDocument, type ReadDocument } from '../extract/document';
import type { Row } from '../extract/fields';
import { linesOfText } from '../extract/lines';
import { rowsOfStep } from '../extract/rows';
import type { Intake } from './intake';

export interface StepData {
	schema: { fields: Array<{ name: string; type: string }> };
	data: Row[];
	metadata: {
		documents: Array<{ file_name: string; media_type: string; bytes: number; readable: boolean }>;
	};
}

export interface StepResult {
	step_name: string;
	data: StepData;
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
	return steps.map((step) => ({
		step_name: step.stepName,
		data: { schema: schemaOf(step), data: rowsOfStep(read, step), metadata: { documents: files } },
	}));
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

function schemaOf(step: Step): StepData['schema'] {
	return {
		fields: [...step.fields, ...(step.table?.fields ?? [])].map(({ name, type }) => ({
			name,
			type,
		})),
	};
}
