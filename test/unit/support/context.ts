import type { IExecuteFunctions, INode, IWorkflowDataProxyData } from 'n8n-workflow';
import { time } from '../../../nodes/DocumentWorkflow/connection/time';
import { Findings } from '../../../nodes/DocumentWorkflow/pausing/awaited';
import type { RunPause, StoredJob } from '../../../nodes/DocumentWorkflow/pausing/pause';

time.age = () => Infinity; // n8n has started

const noLog = () => undefined;

export const node: INode = {
	id: '1',
	name: 'Document Workflow',
	type: 't',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

type Parts = Omit<Partial<IExecuteFunctions>, 'helpers' | 'getNodeParameter'> & {
	helpers?: Partial<IExecuteFunctions['helpers']>;
	/** By name, the same for all items. `options.x` is an entry of a collection. */
	parameters?: Record<string, unknown>;
	runIndex?: number;
};

/** The parts of n8n's context that unit tests need. The engine tests use the real n8n. */
export function contextOf({
	helpers = {},
	parameters = {},
	runIndex = 0,
	...parts
}: Parts = {}): IExecuteFunctions {
	const getNodeParameter = (name: string, _itemIndex: number, fallback?: unknown): unknown => {
		const value = parameters[name] === undefined ? fallback : parameters[name];
		// As n8n does.
		if (value === undefined) throw new Error('Could not get parameter');
		return value;
	};
	const context: Partial<IExecuteFunctions> = {
		getNode: () => node,
		getMode: () => 'trigger',
		getExecutionCancelSignal: () => undefined,
		logger: { debug: noLog, info: noLog, warn: noLog, error: noLog },
		getWorkflowDataProxy: () => ({ $runIndex: runIndex }) as unknown as IWorkflowDataProxyData,
		getNodeParameter: getNodeParameter as IExecuteFunctions['getNodeParameter'],
		helpers: helpers as IExecuteFunctions['helpers'],
		...parts,
	};
	return context as IExecuteFunctions;
}

/** Of a first run, or of one after a pause that stored jobs. */
export const pauseOf = (jobs?: StoredJob[], obstacle?: string) =>
	({
		earlier: jobs && { jobs },
		findings: new Findings(),
		obstacle,
		keepRunning: jest.fn(),
	}) as unknown as RunPause;

/** Matches an error of the node, for `toThrow` and `toEqual`. */
export function errorWith({
	itemIndex,
	...words
}: {
	message: unknown;
	description?: unknown;
	itemIndex?: number;
}): Error {
	const place = itemIndex === undefined ? {} : { context: expect.objectContaining({ itemIndex }) };
	const error: Error = expect.objectContaining({ ...words, ...place });
	return error;
}
