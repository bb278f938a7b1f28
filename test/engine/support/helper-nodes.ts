/** Nodes around the node under test. */
import {
	NodeConnectionTypes,
	type EngineRequest,
	type IBinaryKeyData,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type ITriggerFunctions,
	type ITriggerResponse,
} from 'n8n-workflow';

export interface InputFile {
	bytes: Buffer;
	fileName?: string;
	mimeType: string;
	/** Whether n8n's store no longer has the file when the node reads it. */
	isLost?: boolean;
}

export interface InputItem {
	json?: IDataObject;
	files?: Record<string, InputFile>;
	/** Files as another node passed them on. */
	binary?: IBinaryKeyData;
}

/** Starts a workflow manually. */
export class ManualStart implements INodeType {
	description = describe('Manual Start', { group: ['trigger'], inputs: [] });

	async trigger(this: ITriggerFunctions): Promise<ITriggerResponse> {
		return { manualTriggerFunction: async () => this.emit([this.helpers.returnJsonArray([{}])]) };
	}
}

/** Outputs the items of a test, in a loop one in each turn, with their files in n8n's store of binary data. */
export class GiveItems implements INodeType {
	description = describe('Give Items');

	constructor(
		private readonly items: InputItem[],
		private readonly loops = false,
	) {}

	execute: INodeType['execute'] = bind(async (context) => {
		const given: INodeExecutionData[] = [];
		for (const [index, { json = {}, files, binary: passedOn }] of this.items.entries()) {
			const binary: IBinaryKeyData = { ...passedOn };
			for (const [fieldName, { bytes, fileName, mimeType, isLost }] of Object.entries(
				files ?? {},
			)) {
				const prepared = await context.helpers.prepareBinaryData(
					bytes,
					fileName,
					mimeType || 'application/octet-stream',
				);
				// Many nodes set names and types themselves; n8n would remove folders and detect a missing type.
				binary[fieldName] = {
					...prepared,
					mimeType,
					...(fileName === undefined ? {} : { fileName }),
					...(isLost === true ? { id: `${prepared.id}-lost` } : {}),
				};
			}
			given.push({
				json: { index, ...json },
				...(files === undefined && passedOn === undefined ? {} : { binary }),
				pairedItem: 0,
			});
		}
		if (!this.loops) return [given];
		const memory = context.getContext('node');
		const turn = Number(memory.turn ?? 0);
		memory.turn = turn + 1;
		return [given.slice(turn, turn + 1)];
	});
}

/** Calls the node under test as its tool, once with each input, as the AI Agent node does. */
export class Agent implements INodeType {
	description = describe('Agent');

	constructor(private readonly inputs: IDataObject[]) {}

	execute: INodeType['execute'] = bind(async (context) => {
		const memory = context.getContext('node');
		const call = Number(memory.call ?? 0);
		memory.call = call + 1;
		const input = this.inputs[call];
		if (input === undefined) return [[]];
		const action = {
			actionType: 'ExecutionNodeAction' as const,
			nodeName: 'Document Workflow',
			type: NodeConnectionTypes.AiTool,
			id: `call ${call}`,
			input,
			metadata: { itemIndex: 0 },
		};
		return { actions: [action], metadata: {} };
	});
}

/** Records the items that it receives, and outputs them. */
export class Collector implements INodeType {
	description = describe('Collector');

	readonly items: INodeExecutionData[] = [];

	execute: INodeType['execute'] = bind(async (context) => {
		this.items.push(...context.getInputData());
		return [context.getInputData()];
	});
}

/** n8n calls `execute` with its context as `this`; the nodes here are the test's own objects. */
function bind(
	run: (context: IExecuteFunctions) => Promise<INodeExecutionData[][] | EngineRequest>,
): INodeType['execute'] {
	return async function (this: IExecuteFunctions) {
		return run(this);
	};
}

function describe(
	displayName: string,
	more: Partial<INodeTypeDescription> = {},
): INodeTypeDescription {
	return {
		displayName,
		name: displayName.replaceAll(' ', ''),
		group: ['transform'],
		version: 1,
		description: displayName,
		defaults: { name: displayName },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		properties: [],
		...more,
	};
}

/** A file whose content contains its name by default, so that files differ. */
export function file(
	fileName: string | undefined,
	content: Buffer | string = `Policy Number: ${fileName}`,
	mimeType = 'text/plain',
): InputFile {
	return { bytes: Buffer.from(content), mimeType, ...(fileName === undefined ? {} : { fileName }) };
}

/** Text of this many bytes. The simulated service takes long to read one in which each line has a value. */
export function textOf(bytes: number): Buffer {
	return Buffer.alloc(bytes, `Policy Number: CPP-1001\n${'x'.repeat(1_000)}\n`);
}

export const PDF: Buffer = Buffer.from(
	'%PDF-1.7\n1 0 obj\n<</Type/Catalog>>\nendobj\ntrailer\n<</Root 1 0 R>>\n%%EOF\n',
);

export const WEB_PAGE: Buffer = Buffer.from(
	'<!doctype html>\n<html><head><title>Sign in</title></head><body>Your session has ended.</body></html>\n',
);
