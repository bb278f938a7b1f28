import type { IHttpRequestOptions } from 'n8n-workflow';

import type { FormDataShaped } from '../../../service/http';
import { TOKEN_PATH } from '../../../service/contract';
import type { FakeClock } from '../support/fakeClock';

/** How the service behaves in a test. */
export interface Behaviour {
	/** The status of executions that have ended. */
	ends?: 'completed' | 'failed' | 'paused';
	/** When executions end, in seconds since the test began. */
	endsAfterSeconds?: number;
}

/** How long each request takes. */
const LATENCY_MILLISECONDS = 100;

/** Dates and an amount as a document writes them, the second date in one style only, and a number that nothing declares. */
const TEXTS = { from: '07/04/2024', to: '31/12/2024', fee: '1.250,00', size: '1,250' };
const cell = (value: unknown, confidence: number) => ({ value, confidence_score: confidence });
const STEPS = [
	{
		step_name: 'policy',
		data: { data: [{ policy_number: cell('CPP-1', 0.98), premium: cell(1250, 0.5) }] },
	},
	{
		step_name: 'coverages',
		data: { data: [{ limit: cell(1, 0.9) }, { limit: cell(2, 0.9), ...TEXTS }] },
	},
	{ step_name: 'losses', data: { data: [{ amount: cell(300, 0.9) }] } },
];

/** The service without a network. It records what it is asked for. */
export class FakeService {
	readonly requests: object[] = [];

	private created = 0;

	private underWay = 0;

	constructor(
		private readonly clock: FakeClock,
		private readonly behaviour: Behaviour,
	) {}

	/** Answers a request that carries a token. */
	async answer({ method, url, body, headers }: IHttpRequestOptions): Promise<object> {
		const [, workflowId, executionId] = /workflows\/([^/]+)\/executions\/?(.*)$/.exec(url) ?? [];
		await this.record({ method, url, headers, body: await shown(body) });
		if (method === 'POST') {
			const number = ++this.created;
			const ids = { workflow_execution_id: `e-${number}`, job: `j-${number}` };
			const started = { ...ids, status: 'running' };
			return { statusCode: 200, headers: {}, body: started };
		}
		const ids = { workflow_id: workflowId, workflow_execution_id: executionId };
		return { statusCode: 200, headers: {}, body: { ...ids, ...this.state() } };
	}

	/** Answers a request without a token: an exchange, or a paused n8n execution. */
	async answerOpen({ method, url, body }: IHttpRequestOptions): Promise<object> {
		// The token shows for what it was exchanged. Exchanges are not recorded, because the package shares them between runs.
		if (url.endsWith(TOKEN_PATH))
			return answered({ access_token: encodeURIComponent(`${url} ${JSON.stringify(body)}`) });
		await this.record({ method, url: new URL(url).origin, body });
		return answered({ waiting: false });
	}

	/** What a check, or a notification, says of an execution. */
	state(): object {
		const { endsAfterSeconds = 0, ends = 'completed' } = this.behaviour;
		if (this.clock.now() < 1000 * endsAfterSeconds) return { status: 'running' };
		if (ends === 'failed') return { status: ends, error: 'The scan is not readable' };
		return { status: ends, steps: STEPS };
	}

	private async record(request: object): Promise<void> {
		this.underWay++;
		this.requests.push({ at: this.clock.now(), underWay: this.underWay, ...request });
		await this.clock.pause(LATENCY_MILLISECONDS);
		this.underWay--;
	}
}

const answered = (body: unknown) => ({ statusCode: 200, headers: {}, body });

/** What is sent, with the files of a form read to their end. */
async function shown(body: unknown): Promise<unknown> {
	if (!isForm(body)) return body;
	const parts: unknown[] = [];
	for (const [field, part] of body) {
		if (typeof part === 'string') parts.push([field, part]);
		else {
			const chunks: Uint8Array[] = [];
			for await (const chunk of part.stream()) chunks.push(chunk);
			parts.push([field, part.name, part.type, Buffer.concat(chunks).toString('base64')]);
		}
	}
	return parts;
}

const isForm = (body: unknown): body is FormDataShaped =>
	typeof body === 'object' && body !== null && Symbol.iterator in body;
