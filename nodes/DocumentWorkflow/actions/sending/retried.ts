import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

/** What n8n puts in place of the output of a node that had ended when n8n crashed. */
const REPLACED = 'isArtificialRecoveredEventItem';

const TOLD = 'documentWorkflowRetryTold';

/**
 * Whether this run retries one that n8n crashed in when the previous node had ended: this node may have sent its
 * documents, and n8n has stored nothing of it. Only once, so that another retry sends them.
 */
export function mayHaveSentBefore(context: IExecuteFunctions): boolean {
	if (context.getMode() !== 'retry') return false;
	const memory = context.getContext('node');
	if (memory[TOLD] === true || !previousNodeHadEnded(context)) return false;
	return (memory[TOLD] = true);
}

type Items = (
	name: string | undefined,
	outputIndex: number,
	runIndex: number,
) => INodeExecutionData[];

function previousNodeHadEnded(context: IExecuteFunctions): boolean {
	const [source] = context.getExecuteData().source?.main ?? [];
	try {
		const proxy: { $items?: Items } = context.getWorkflowDataProxy(0);
		const [first] = proxy.$items?.(source?.previousNode, 0, 0) ?? [];
		return first?.json[REPLACED] === true;
	} catch {
		// n8n has no output of that run.
		return false;
	}
}
