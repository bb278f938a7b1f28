import type { IExecuteFunctions } from 'n8n-workflow';

import type { Pause } from '../../../service/http';
import { messageOf } from '../../../service/text';
import type { Skip, SkippedFile } from '../about';
import { MAX_SLEEP_MILLISECONDS } from '../connection/time';
import type { InputDocument } from './open';
import { claimDocuments, type SentEvent, type SentState, SentStore } from './sentStore';

/** Which documents to send, as long as others with the same documents wait. */
export interface Claim {
	documents: InputDocument[];
	skipped: SkippedFile[];
	/** The names of the documents to send in n8n's store. */
	remembered: string[];
	/** The names of files that an earlier n8n execution may have sent. */
	maybeSent: string[];
	/** Must be called, because others wait for it. Undefined: this try started nothing. */
	done: (outcome: 'accepted' | 'unknown' | undefined) => Promise<void>;
}

/** Skips documents that were sent before. n8n executions in this process wait for each other where they have the same document. */
export class AlreadySent {
	private readonly store: SentStore;

	/** Documents whose execution belongs to this run. */
	private readonly inThisRun = new Set<string>();

	/** `pause` rejects when there is nothing to wait for any more. */
	constructor(
		private readonly context: IExecuteFunctions,
		private readonly pause: Pause,
	) {
		this.store = new SentStore(context);
	}

	/** Claims documents, and finds those to send. Rejects when `pause` or n8n's store does. */
	async claim(submission: { workflowId: string; documents: InputDocument[] }): Promise<Claim> {
		const { workflowId, documents: given } = submission;
		const named = await Promise.all(
			given.map(async (document) => ({ document, name: `${workflowId} ${await document.hash()}` })),
		);
		const { states, release } = await this.ask(named.map(({ name }) => name));
		const all = named.map(({ document, name }) => {
			const state = states.get(name);
			return { document, name, state, reason: this.reasonToSkip(name, state) };
		});
		const toSend = all.filter(({ reason }) => reason === undefined);
		const remembered = toSend.map(({ name }) => name);
		const maybeSent = toSend.filter(({ state }) => state === 'unknown');
		return {
			documents: toSend.map(({ document }) => document),
			skipped: all.flatMap(({ document, reason }) =>
				reason === undefined ? [] : skip(document, { reason }),
			),
			remembered,
			maybeSent: maybeSent.map(({ document }) => document.fileName),
			done: async (outcome) => {
				if (outcome === 'accepted') {
					this.belongToThisRun(remembered);
					await this.write('accepted', remembered);
				} else if (outcome === undefined) {
					const unsent = toSend.filter(({ state }) => state !== 'unknown');
					const names = unsent.map(({ name }) => name);
					await this.write('forget', names);
				}
				release();
			},
		};
	}

	private reasonToSkip(name: string, state: SentState | undefined): Skip['reason'] | undefined {
		if (this.inThisRun.has(name)) return 'sentInThisRun';
		if (state === 'accepted') return 'sentWithoutResult';
		if (state !== 'cameOut') return undefined;
		return this.context.getMode() === 'retry' ? 'sentBeforeRetry' : 'sentBefore';
	}

	belongToThisRun(names: string[]): void {
		for (const name of names) this.inThisRun.add(name);
	}

	/** The service has answered, so a failing store must not change the result of the item. */
	async write(event: SentEvent, names: string[]): Promise<void> {
		try {
			await this.store.write(event, names);
		} catch (error) {
			const message = `n8n could not store which documents were sent: ${messageOf(error)}`;
			this.context.logger.warn(message);
		}
	}

	/** The states of documents, once no earlier claim on them is left. They are claimed until `release` is called. */
	private async ask(names: string[]) {
		const record = `${this.context.getWorkflow().id} ${this.context.getNode().id}`;
		const { earlier, release } = claimDocuments(names.map((name) => `${record} ${name}`));
		let states: Map<string, SentState> | undefined;
		try {
			let isFree = earlier.length === 0;
			const free = Promise.all(earlier).then(() => (isFree = true));
			while (!isFree) await Promise.race([free, this.pause(MAX_SLEEP_MILLISECONDS)]);
			states = await this.store.ask(names);
			return { states, release };
		} finally {
			if (states === undefined) release();
		}
	}
}

export function skip({ itemIndex, fieldName, fileName }: InputDocument, why: Skip): SkippedFile {
	return { itemIndex, fieldName, fileName, ...why };
}
