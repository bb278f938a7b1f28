/** Waits that a kill or a restart of n8n may meet. Each has a document of its own, and a node behind it that reports to a counter outside n8n. */
import type { Counter } from '../e2e/counter';
import { chain, documentWorkflow, node } from '../e2e/flows';
import { publish, type Published } from '../e2e/published';
import type { World } from '../e2e/support';
import { CASE, type ServiceConfiguration } from './service';

/** What a wait did when n8n ended. `starting`: it had paused, and n8n had been started less than half a minute before. */
export const MOMENTS = ['creating', 'first check', 'paused', 'checking', 'starting'] as const;
export type Moment = (typeof MOMENTS)[number];

export interface Wait {
	/** Of its document, and the case in its data. */
	name: string;
	/** The n8n execution that began it. */
	id: string;
	/** At the last end of n8n that met it. */
	met?: Moment;
	/** Its n8n execution has ended, or was broken off. */
	isOver?: true;
}

const NODE = 'Document Workflow';

export const SERVICE: ServiceConfiguration = {
	workflows: [
		{ workflowId: 'ended-soon', duration: { medianSeconds: 4 }, steps: [CASE] },
		{ workflowId: 'ended-later', duration: { medianSeconds: 40, sigma: 0.3 }, steps: [CASE] },
		{ workflowId: 'ended-last', duration: { fixedSeconds: 100_000 }, steps: [CASE] },
	],
};

/**
 * The active n8n workflows, one for each workflow of the service. n8n answers a call with the ID of its n8n execution, which it has then
 * stored, or before that: at a planned restart n8n 1 cancels those that have not paused yet and answer by a node.
 */
export async function publishWaits(
	world: World,
	counter: Counter,
	waiting: object,
	answer: 'onReceived' | 'responseNode' = 'responseNode',
): Promise<Published[]> {
	const respond = node('Respond', 'n8n-nodes-base.respondToWebhook', 1.1, {
		respondWith: 'json',
		responseBody: '={{ { "id": $execution.id } }}',
		options: {},
	});
	const next = node('Next', 'n8n-nodes-base.httpRequest', 4.2, {
		url: `=${counter.url}/{{ $json.data.case[0].case_number }}`,
		options: {},
	});
	const before = answer === 'responseNode' ? [respond] : [];
	const published = [];
	for (const { workflowId } of SERVICE.workflows ?? []) {
		const wait = documentWorkflow(world, 'createAndWait', workflowId, { waiting });
		const flow = chain(`Waits for ${workflowId}`, ...before, wait, next);
		published.push(await publish(world, flow, answer));
	}
	return published;
}

/** Starts a wait, the so manieth of its n8n workflow; undefined where n8n did not accept the call. */
export async function startWait(
	flow: Published | undefined,
	name: string,
	number = 1,
): Promise<Wait | undefined> {
	const form = new FormData();
	// With the name "data", n8n 1 loses files of calls that arrive at the same time.
	form.append('document', new Blob([`Case Number: ${name}\n`]), `${name}.txt`);
	const answer = await flow?.call(form).catch(() => undefined);
	if (answer === undefined) return undefined;
	const id = (answer as { id?: string }).id ?? (await flow?.executionIds(number))?.at(-1);
	return id === undefined ? undefined : { name, id };
}

/** What each wait does now; those that are over are left out. */
export async function momentsOf(world: World, waits: Wait[]): Promise<Map<Wait, Moment>> {
	const created = new Set(world.simulator.state.executions.all().map(nameOf));
	const moments = new Map<Wait, Moment>();
	const look = async (wait: Wait) => {
		const { status, runs, waitTill } = await world.client.execution(wait.id);
		if (status === 'waiting') moments.set(wait, 'paused');
		else if (!OPEN.includes(status)) wait.isOver = true;
		else if (waitTill !== null || NODE in runs) moments.set(wait, 'checking');
		else moments.set(wait, created.has(wait.name) ? 'first check' : 'creating');
	};
	await Promise.all(waits.filter(({ isOver }) => !isOver).map(look));
	return moments;
}

const OPEN = ['new', 'running', 'waiting'];

interface InService {
	files: Array<{ fileName: string }>;
}

/** The document of an execution in the books of the service. */
export const nameOf = ({ files }: InService): string =>
	files[0]?.fileName.replace(/\.txt$/, '') ?? '';
