import type { DeduplicationScope, IExecuteFunctions } from 'n8n-workflow';
import type { Pause } from '../../../service/http';
import { MAX_SLEEP_MILLISECONDS } from '../../../service/send';
import { messageOf } from '../../../service/text';
import type { SkippedAddress } from './addresses';
import type { InputDocument } from './open';
import type { SkippedDocument } from './select';
import type { SentEvent, SentState } from './sentStore';
import { SentStore } from './sentStore';

const IN_THIS_RUN = 'it was sent with another item in this run';
const BEFORE = 'it was sent before';
/** n8n stores only hashes, so what still runs and what was broken off look the same. */
const NO_RESULT = 'sent before, no result yet: another run may still wait, or was broken off';

/** n8n has not stored what this node output in the n8n execution that is retried. */
const IN_RETRY =
	'sent before, and this is a retry: its result may have been lost with the run before';

/** Why a document in a state is skipped; undefined when it is sent. */
const REASONS: Record<SentState, string | undefined> = {
	new: undefined,
	unknown: undefined,
	accepted: NO_RESULT,
	cameOut: BEFORE,
};

/** Reasons to skip a document that the service already has. */
export const SENT_BEFORE: ReadonlySet<unknown> = new Set([
	IN_THIS_RUN,
	BEFORE,
	NO_RESULT,
	IN_RETRY,
]);

/** Whether the result of a skipped document may be missing, so that a person has to look. */
export function mayLackResult({ reason }: { reason?: unknown }): boolean {
	return reason === NO_RESULT || reason === IN_RETRY;
}

/** Documents as they are remembered: each is named by its workflow and content. */
export interface Remembered {
	scope: DeduplicationScope;
	names: string[];
}

/** The parts of a submission that are needed here. */
interface ToBeSent {
	workflowId: string;
	documents: InputDocument[];
	/** SHA-256 of the documents; empty unless sent documents are remembered. */
	hashes: ReadonlyMap<InputDocument, string>;
	skipped: Array<SkippedDocument | SkippedAddress>;
	handling: { sentMemory: DeduplicationScope | 'off' };
}

interface Reduced<T> {
	submission: T;
	/** Its documents; undefined unless they are remembered. */
	remembered?: Remembered;
	/** The names of files that an earlier n8n execution may have sent. */
	maybeSent: string[];
	/** Must be called, because others with the same documents wait for it. Undefined: this try started nothing. */
	done: (outcome: 'accepted' | 'unknown' | undefined) => Promise<void>;
}

/**
 * Skips documents that were sent before, in another n8n execution or by another submission of this run. n8n executions
 * that run at the same time in this process wait for each other where they have the same document.
 */
export class AlreadySent {
	private readonly stores: Record<DeduplicationScope, SentStore>;

	/** Documents whose execution belongs to this run. */
	private readonly inThisRun = new Set<string>();

	/** `pause` rejects when there is nothing to wait for any more. */
	constructor(
		private readonly context: IExecuteFunctions,
		private readonly pause: Pause,
	) {
		const [node, workflow] = [new SentStore(context, 'node'), new SentStore(context, 'workflow')];
		this.stores = { node, workflow };
	}

	/** Returns the submission without documents that were sent before. Rejects when `pause` or n8n's store does. */
	async reduce<T extends ToBeSent>(given: T): Promise<Reduced<T>> {
		const { sentMemory: scope } = given.handling;
		if (scope === 'off') return { submission: given, maybeSent: [], done: async () => undefined };
		const nameOf = (document: InputDocument) =>
			`${given.workflowId} ${given.hashes.get(document) ?? ''}`;
		const { states, release } = await this.ask(scope, given.documents.map(nameOf));
		const stateOf = (document: InputDocument) => states.get(nameOf(document)) ?? 'new';
		const documents: InputDocument[] = [];
		const skipped = [...given.skipped];
		for (const document of given.documents) {
			const isInThisRun = this.inThisRun.has(nameOf(document));
			const reason = isInThisRun ? IN_THIS_RUN : this.reasonToSkip(stateOf(document));
			if (reason === undefined) documents.push(document);
			else skipped.push(skip(document, reason));
		}
		const unknown = documents.filter((document) => stateOf(document) === 'unknown');
		const unsent = documents.filter((document) => stateOf(document) === 'new');
		const remembered = { scope, names: documents.map(nameOf) };
		return {
			submission: { ...given, documents, skipped },
			remembered,
			maybeSent: unknown.map(({ fileName }) => fileName),
			done: async (outcome) => {
				if (outcome === 'accepted') {
					this.belongToThisRun(remembered);
					await this.write('accepted', remembered);
				} else if (outcome === undefined) {
					await this.write('forget', { scope, names: unsent.map(nameOf) });
				}
				release();
			},
		};
	}

	private reasonToSkip(state: SentState): string | undefined {
		return state === 'cameOut' && this.context.getMode() === 'retry' ? IN_RETRY : REASONS[state];
	}

	belongToThisRun(documents: Remembered | undefined): void {
		for (const name of documents?.names ?? []) this.inThisRun.add(name);
	}

	/** The service has answered, so a failing store must not change the result of the item. */
	async write(event: SentEvent, documents: Remembered | undefined): Promise<void> {
		if (documents === undefined) return;
		try {
			await this.stores[documents.scope].write(event, documents.names);
		} catch (error) {
			const { logger } = this.context;
			logger.warn(`n8n could not store which documents were sent: ${messageOf(error)}`);
		}
	}

	/** The states of documents, once no earlier claim on them is left. They are claimed until `release` is called. */
	private async ask(scope: DeduplicationScope, names: string[]) {
		const [workflow, node] = [this.context.getWorkflow().id, this.context.getNode().id];
		const record = [workflow, scope === 'node' ? node : ''].join(' ');
		const { earlier, release } = claim(names.map((name) => `${record} ${name}`));
		let states: Awaited<ReturnType<SentStore['ask']>> | undefined;
		try {
			let isFree = earlier.length === 0;
			const free = Promise.all(earlier).then(() => (isFree = true));
			while (!isFree) await Promise.race([free, this.pause(MAX_SLEEP_MILLISECONDS)]);
			states = await this.stores[scope].ask(names);
			return { states, release };
		} finally {
			if (states === undefined) release();
		}
	}
}

/** The claims on each document that is being sent in this process, by any n8n execution. */
const claims = new Map<string, Promise<unknown>>();

/** Claims all documents at once. A claim waits only for earlier ones, so no two can wait for each other. */
function claim(documents: string[]): { earlier: Array<Promise<unknown>>; release: () => void } {
	let release = (): void => undefined;
	const own = new Promise<void>((resolve) => (release = resolve));
	const earlier = documents.flatMap((document) => claims.get(document) ?? []);
	for (const document of documents) {
		const all = Promise.all([claims.get(document), own]);
		claims.set(document, all);
		void all.then(() => {
			if (claims.get(document) === all) claims.delete(document);
		});
	}
	return { earlier, release };
}

/** A skipped document for the output. */
export function skip(
	{ itemIndex, fieldName, fileName }: InputDocument,
	reason: string,
): SkippedDocument {
	return { itemIndex, fieldName, fileName, reason };
}
