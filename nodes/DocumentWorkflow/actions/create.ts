import type { IDataObject } from 'n8n-workflow';

import type { StartedExecution } from '../../../service/contract';
import { createExecution } from '../../../service/executions';
import type { FilePart } from '../../../service/http';
import { documentsOf, readFieldNames } from '../documents/inputDocuments';
import { createBody } from '../documents/multipart';
import { textInputsOf } from '../documents/textInputs';
import { idsOf, sentDocuments } from '../results/shapes';
import { failed, NOT_KNOWN, refused, unknownOutcome } from './failures';
import { documentFields, readWorkflowId, workflowField } from './fields';
import type { Call, Failure, Operation } from './operation';
import { markOf } from './starts';

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

export type Started = { ok: true; execution: StartedExecution; documents: FilePart[] } | Failure;

/**
 * Checks what is to be sent, sends it, and keeps what the service started. What an earlier try of Retry On Fail sent for this item is
 * not sent again: its execution is given.
 */
export async function start(call: Call): Promise<Started> {
	const { context, connection, itemIndex } = call;
	const workflowId = readWorkflowId(context, itemIndex);
	const documents = await documentsOf(context, itemIndex, readFieldNames(context, itemIndex));
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
	const sent = markOf(workflowId, textInputs, documents);
	const earlier = call.starts.of(itemIndex, sent);
	if (earlier?.kind === 'accepted') return { ok: true, execution: earlier.execution, documents };
	if (earlier?.kind === 'unknown') return failed(call, 'An earlier try of this item ended without an answer of the service', NOT_KNOWN, { ...known, outcome: 'unknown' });
	const body = createBody(documents, textInputs);
	const created = await createExecution(connection.send, connection.pause, workflowId, body);
	if (!created.ok) {
		const { refusal } = created;
		if (refusal.outcome !== 'unknown') return refused(call, refusal, known);
		call.starts.keep(itemIndex, { kind: 'unknown', workflowId, sent });
		return unknownOutcome(call, refusal, known);
	}
	call.starts.keep(itemIndex, { kind: 'accepted', execution: created.execution, sent });
	return { ok: true, execution: created.execution, documents };
}
