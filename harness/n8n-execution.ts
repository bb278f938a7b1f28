import { createRequire } from 'node:module';
import { z } from 'zod';

// flatted has a CommonJS build, but its types are for import only.
const flatted = z
	.object({ parse: z.function().args(z.string()).returns(z.unknown()) })
	.parse(createRequire(__filename)('flatted'));

const failure = z.object({ message: z.string(), description: z.string().nullish() }).passthrough();

const item = z
	.object({
		json: z.record(z.unknown()),
		binary: z
			.record(z.object({ mimeType: z.string(), fileName: z.string().optional() }).passthrough())
			.optional(),
		error: failure.optional(),
		pairedItem: z.unknown().optional(),
	})
	.passthrough();

const nodeRun = z
	.object({
		executionStatus: z.string().optional(),
		executionTime: z.number(),
		startTime: z.number(),
		error: failure.optional(),
		/** Where n8n waits for the page of a form to be opened. */
		metadata: z.object({ resumeFormUrl: z.string().optional() }).passthrough().optional(),
		data: z
			.object({ main: z.array(z.array(item).nullable()) })
			.partial()
			.optional(),
	})
	.passthrough();

/** What GET /rest/executions/:id answers; `data` is in the flatted format. */
export const executionRecord = z.object({
	id: z.string(),
	status: z.string(),
	workflowId: z.string(),
	data: z.string(),
	customData: z.record(z.string()).default({}),
	stoppedAt: z.string().nullish(),
});

const runDataShape = z
	.object({
		resultData: z
			.object({ runData: z.record(z.array(nodeRun)).default({}), error: failure.optional() })
			.passthrough()
			.default({}), // absent until the first node has run
		waitTill: z.string().nullish(),
	})
	.passthrough();

export type Item = z.infer<typeof item>;
export type NodeRun = z.infer<typeof nodeRun>;
export type Failure = z.infer<typeof failure>;

/** One n8n execution; `status` is n8n's own (success, error, canceled, running, waiting …). */
export interface Execution {
	id: string;
	status: string;
	workflowId: string;
	/** The runs of each node, by name. */
	runs: Record<string, NodeRun[]>;
	error: Failure | undefined;
	/** Custom data that nodes have stored. */
	customData: Record<string, string>;
	/** When it ended, by n8n's clock. */
	stoppedAt?: string | null;
	/** When n8n continues it, if nothing does before. */
	waitTill: string | null;
	/** Size of its data as n8n stores it. */
	bytes: number;
}

export function executionOf({ data, ...record }: z.infer<typeof executionRecord>): Execution {
	const { resultData, waitTill = null } = runDataShape.parse(flatted.parse(data) ?? {}); // empty while the execution is new
	return {
		...record,
		runs: resultData.runData,
		error: resultData.error,
		waitTill,
		bytes: Buffer.byteLength(data),
	};
}

/** The items of a node's last run, by default on its first output; the Error output is the last. */
export function output(execution: Execution, nodeName: string, index = 0): Item[] {
	return lastRun(execution, nodeName).data?.main?.[index] ?? [];
}

/** The last run of a node; fails when the node did not run. */
export function lastRun(execution: Execution, nodeName: string): NodeRun {
	const run = execution.runs[nodeName]?.at(-1);
	if (!run)
		throw new Error(
			`Node "${nodeName}" did not run: execution ${execution.status}${execution.error ? `, ${execution.error.message}` : ''}.`,
		);
	return run;
}
