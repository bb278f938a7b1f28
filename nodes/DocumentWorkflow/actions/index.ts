import type { INodeProperties } from 'n8n-workflow';

import { create } from './create.operation';
import { createAndWait } from './createAndWait.operation';
import { get } from './get.operation';
import type { Operation } from './operation';
import { wait } from './wait.operation';

/** In the order of n8n's lists: the most used first. */
const ALL: Operation[] = [createAndWait, create, get, wait];

/** By their values in the panel. */
export const OPERATIONS: ReadonlyMap<unknown, Operation> = new Map(
	ALL.map((operation) => [operation.option.value, operation]),
);

export const operationField: INodeProperties = {
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	noDataExpression: true,
	options: ALL.map(({ option }) => option),
	default: 'createAndWait',
};

export const operationFields: INodeProperties[] = ALL.flatMap(({ option, fields }) =>
	fields.map((field) => ({
		...field,
		displayOptions: { show: { ...field.displayOptions?.show, operation: [option.value] } },
	})),
);

const OPERATION_IN_WORDS = 'operation?.replace(/[A-Z]/g, " $&").toLowerCase()';

/** Also in the URL of a workflow. An expression has no value here. */
const ID_OF_WORKFLOW =
	'String(workflow?.value ?? "").replace(/^=.*$/s, "").replace(/^.*[/]workflows?[/]([^/?#]+).*$/i, "$1").trim()';

/** For example "create and wait: policy-intake". The raw parameters have the name that was chosen from the list. */
export const subtitle = `={{ (({ operation, workflowId: workflow }) => [${OPERATION_IN_WORDS}, workflow?.cachedResultName || ${ID_OF_WORKFLOW}].filter(Boolean).join(": "))($parameter.toJSON()) }}`;

/** 24 is the default of the option; an expression in it has no value here. */
const LONGEST_WAIT_IN_WORDS = '(isNaN(hours) ? "." : ", for up to " + hours + " hours.")';

/** What n8n shows while the node waits. */
export const waitingNodeTooltip = `={{ ((hours) => "n8n checks the document service regularly" + ${LONGEST_WAIT_IN_WORDS} + " You do not need to enter anything here. If a person must act, they do so in the document service.")(Number($parameter["waiting"]?.["longestWaitHours"] ?? 24)) }}`;
