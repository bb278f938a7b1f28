/** Deliveries of webhooks: to all URLs in parallel, with retries after temporary faults, and a log of every attempt. */
import { setMaxListeners } from 'node:events';
import type { Clock } from '../clock';
import type { Webhook, Workflow } from '../configuration';
import { exchangeCredentials } from '../processing/oauth2';
import type { Execution } from '../state/executions';
import { payloadOf } from './payload';

/** One attempt. Only the origin of the URL is kept: the rest may be a secret. */
export interface Delivery {
	number: number;
	workflowId: string;
	executionId: string;
	status: string;
	/** Index of the webhook in the workflow's list. */
	webhook: number;
	origin: string;
	/** From 1, for each duplicate. */
	attempt: number;
	/** 0 for the first delivery; duplicates count from 1. */
	duplicate: number;
	at: number;
	/** Status of the answer; null when there was none. */
	answer: number | null;
	/** Why there was no answer. */
	fault?: string;
	outcome: 'accepted' | 'repeat' | 'givenUp';
}

const LONGEST_ANSWER_MILLISECONDS = 30_000;

export class Deliveries {
	private log: Delivery[] = [];
	private last = 0;
	private underWay = 0;
	private readonly tokens = new Map<string, string>();
	private readonly stopped = new AbortController();

	constructor(private readonly clock: Clock) {
		setMaxListeners(0, this.stopped.signal); // each call in progress listens
	}

	all(): Delivery[] {
		return this.log.map((entry) => ({ ...entry }));
	}

	clear(): void {
		this.log = [];
		this.last = 0;
		this.tokens.clear();
	}

	/** Whether no call is in progress or waiting for a retry. */
	isIdle(): boolean {
		return this.underWay === 0;
	}

	stop(): void {
		this.stopped.abort();
	}

	/** Calls all webhooks of a workflow about a finished execution. Never raises an error. */
	async announce(execution: Execution, workflow: Workflow): Promise<void> {
		this.underWay++;
		await Promise.all(
			workflow.webhooks.map((webhook, index) => this.deliver(execution, webhook, index)),
		);
		this.underWay--;
	}

	private async deliver(execution: Execution, webhook: Webhook, index: number): Promise<void> {
		const body = payloadOf(execution, webhook);
		await this.pause(webhook.delaySeconds * 1000);
		for (let duplicate = 0; duplicate <= webhook.duplicates; duplicate++) {
			for (let attempt = 1; !this.stopped.signal.aborted; attempt++) {
				const entry = await this.attempt({ execution, webhook, index, body, attempt, duplicate });
				if (entry.outcome !== 'repeat') break;
				const { firstDelayMilliseconds, longestDelayMilliseconds = Infinity } = webhook.retry;
				await this.pause(
					Math.min(firstDelayMilliseconds * 2 ** (attempt - 1), longestDelayMilliseconds),
				);
			}
		}
	}

	private async attempt(delivery: {
		execution: Execution;
		webhook: Webhook;
		index: number;
		body: string;
		attempt: number;
		duplicate: number;
	}): Promise<Delivery> {
		const { execution, webhook, index, body, attempt, duplicate } = delivery;
		const { answer, fault } = await this.send(webhook, body);
		const entry: Delivery = {
			number: ++this.last,
			workflowId: execution.workflowId,
			executionId: execution.executionId,
			status: execution.status,
			webhook: index,
			origin: new URL(webhook.url).origin,
			attempt,
			duplicate,
			at: this.clock.now(),
			answer,
			...(fault ? { fault } : {}),
			outcome: outcomeOf(answer, webhook, attempt),
		};
		if (!this.stopped.signal.aborted) this.log.push(entry);
		if (answer === 401 || answer === 403) this.tokens.delete(tokenKey(webhook));
		return entry;
	}

	private async send(
		webhook: Webhook,
		body: string,
	): Promise<{ answer: number | null; fault?: string }> {
		const signal = AbortSignal.any([
			this.stopped.signal,
			AbortSignal.timeout(LONGEST_ANSWER_MILLISECONDS),
		]);
		try {
			const headers = {
				'content-type': 'application/json',
				...(await this.authenticationHeaders(webhook, signal)),
			};
			const response = await fetch(webhook.url, {
				method: 'POST',
				headers,
				body,
				redirect: 'manual',
				signal,
			});
			await response.body?.cancel();
			return { answer: response.status };
		} catch (error) {
			return { answer: null, fault: reasonOf(error) };
		}
	}

	private async authenticationHeaders(
		webhook: Webhook,
		signal: AbortSignal,
	): Promise<Record<string, string>> {
		const { authentication } = webhook;
		if (authentication.type === 'none') return {};
		if (authentication.type === 'api_key') return { [authentication.header]: authentication.key };
		const key = tokenKey(webhook);
		const token = this.tokens.get(key) ?? (await exchangeCredentials(authentication, signal));
		this.tokens.set(key, token);
		return { authorization: `Bearer ${token}` };
	}

	private async pause(milliseconds: number): Promise<void> {
		await this.clock.sleep(milliseconds, this.stopped.signal);
	}
}

/** Published: network errors and 5xx are retried, 401 and 403 with a new OAuth2 token, any other answer never. */
function outcomeOf(answer: number | null, webhook: Webhook, attempt: number): Delivery['outcome'] {
	if (answer !== null && answer >= 200 && answer < 300) return 'accepted';
	const refused = answer === 401 || answer === 403;
	const passing =
		answer === null || answer >= 500 || (refused && webhook.authentication.type === 'oauth2');
	return passing && attempt < webhook.retry.attempts ? 'repeat' : 'givenUp';
}

function tokenKey({ authentication }: Webhook): string {
	return authentication.type === 'oauth2'
		? `${authentication.tokenUrl} ${authentication.clientId}`
		: '';
}

function reasonOf(error: unknown): string {
	const { message, cause } = error as Error;
	return cause instanceof Error && 'code' in cause ? String(cause.code) : message;
}
