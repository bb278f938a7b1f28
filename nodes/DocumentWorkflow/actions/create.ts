import type { IDataObject } from 'n8n-workflow';

import type { StartedExecution } from '../../../service/contract';
import { createExecution } from '../../../service/executions';
import type { InputDocument } from '../documents/inputDocuments';
import { documentsOf, readFieldNames } from '../documents/inputDocuments';
import { createBody } from '../documents/multipart';
import { textInputsOf } from '../documents/textInputs';
import { idsOf, sentDocuments } from '../results/shapes';
import { failed, refused, unknownOutcome } from './failures';
import { documentFields, readWorkflowId, workflowField } from './fields';
import type { Call, Failure, Operation } from './operation';

export const create: Operation = {
	option: {
		name: 'Create',
		value: 'create',
		description: 'Send documents to a workflow and start an execution, without waiting for its result',
		action: 'Create execution',
	},
	fields: [workflowField, ...documentFields],
	run: async (call) => {
		const started = await start(call);
		return started.ok ? { ok: true, json: { ...idsOf(started.execution), documents: sentDocuments(started.documents) } } : started;
	},
};

export type Started = { ok: true; execution: StartedExecution; documents: InputDocument[] } | Failure;

/** Checks what is to be sent, sends it, and remembers the execution that the service started. */
export async function start(call: Call): Promise<Started> {
	const { context, connection, itemIndex } = call;
	const workflowId = readWorkflowId(context, itemIndex);
	const fieldNames = readFieldNames(context.getNodeParameter('inputDataFieldName', itemIndex, ''));
	const documents = await documentsOf(context, itemIndex, fieldNames);
	const textInputs = textInputsOf(context, itemIndex);
	const known: IDataObject = { workflowId };
	if (documents.length === 0 && Object.keys(textInputs).length === 0) {
		return failed(
			call,
			'There is nothing to send: no document and no text input',
			"Enter the name of the field that holds the file in 'Input Data Field Name', or add text inputs",
			known,
		);
	}
	const body = createBody(documents, textInputs);
	const created = await createExecution(connection.send, connection.pause, workflowId, body);
	if (!created.ok) {
		const { refusal } = created;
		return refusal.outcome === 'unknown' ? unknownOutcome(call, refusal, known) : refused(call, refusal, known);
	}
	call.remember(created.execution);
	return { ok: true, execution: created.execution, documents };
}
