import {
	NodeHelpers,
	type ICredentialDataDecryptedObject,
	type IDataObject,
	type IExecuteFunctions,
	type IHttpRequestOptions,
	type INodeExecutionData,
	type INodeParameters,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { DocumentWorkflowApi } from '../../../credentials/DocumentWorkflowApi.credentials';
import { outages } from '../../../nodes/DocumentWorkflow/connection/connect';
import { time } from '../../../nodes/DocumentWorkflow/connection/time';
import { node } from '../support/context';
import { FakeClock } from '../support/fakeClock';
import { reporting, withValue } from './offered';
import type { FormDataShaped } from '../../../service/http';
import { TOKEN_PATH } from '../../../service/contract';

/** The circumstances of a run. Each has a default. */
export interface Scene extends Behaviour {
	parameters?: Record<string, unknown>;
	/** What an expression gives for a parameter, by its path. n8n never copies such a value. */
	expression?: [path: string, value: unknown];
	items?: INodeExecutionData[];
	/** How many n8n executions run, one after the other. */
	runs?: number;
	credentials?: ICredentialDataDecryptedObject;
}

/** Is called with each parameter, and each field of the credential, that is read. */
export interface Listener {
	parameter: (path: string) => void;
	credential: (name: string) => void;
}
export const NOBODY: Listener = { parameter: () => undefined, credential: () => undefined };

const BEGIN = Date.UTC(2026, 0, 15, 12);
export const CREDENTIALS: ICredentialDataDecryptedObject = {
	environment: 'production',
	productionUrl: 'https://api.example.com',
	stagingUrl: 'https://staging.example.com',
	clientId: 'client',
	clientSecret: 'made-up-secret',
};

/** A file of an input item. */
export function fileOf(content: string | Buffer, fileName = 'policy.txt', mimeType = 'text/plain') {
	return { data: Buffer.from(content).toString('base64'), fileName, mimeType };
}

export const SILENT = {
	error: () => undefined,
	warn: () => undefined,
	info: () => undefined,
	debug: () => undefined,
};
export const prepare: IExecuteFunctions['helpers']['prepareBinaryData'] = async (
	content,
	fileName,
) => Promise.resolve(fileOf(content as Buffer, fileName, 'text/csv'));

/** Reads parameters as n8n does: what is not shown has no value, what is shown and not set has its default, options only what was added. */
export function parametersOf(
	description: INodeTypeDescription,
	values: Record<string, unknown>,
	listener: Listener,
	expression?: Scene['expression'],
): (name: string, fallback: unknown) => unknown {
	const given = (
		expression === undefined ? values : withValue(values, expression[0], '={{ $json.given }}')
	) as INodeParameters;
	const set = NodeHelpers.getNodeParameters(
		description.properties,
		given,
		true,
		false,
		node,
		description,
	);
	if (expression && !JSON.stringify(set).includes('$json.given'))
		throw new Error(`The form does not show ${expression[0]}: add with what it does to SHOWN_WITH`);
	const shown = expression === undefined ? set : withValue(set ?? {}, ...expression);
	return (name, fallback) => {
		listener.parameter(name);
		let value: unknown = shown;
		for (const part of name.split('.')) value = (value as IDataObject | undefined)?.[part];
		if (expression?.[0].startsWith(name)) return value;
		return reporting(value === undefined ? fallback : value, name, listener.parameter);
	};
}

export function credentialsWith(
	credentials: ICredentialDataDecryptedObject,
	listener: Listener,
): <T extends object>() => Promise<T> {
	return async <T extends object>() =>
		Promise.resolve(reporting(credentials, '', listener.credential) as T);
}

export type Helpers = Partial<IExecuteFunctions['helpers']>;

/** n8n's HTTP layer: it has the credential sign each request, and asks it for a token where that raises a 401. */
export function httpOf(
	service: FakeService,
	entered: ICredentialDataDecryptedObject,
	listener: Listener,
): Helpers {
	const api = new DocumentWorkflowApi();
	const stored = { ...entered };
	const credentials = () =>
		reporting(stored, '', listener.credential) as ICredentialDataDecryptedObject;
	const httpRequest = async (options: IHttpRequestOptions): Promise<unknown> =>
		service.answerOpen(options);
	const exchange = async () => {
		const helper = { helpers: { httpRequest } };
		Object.assign(stored, await api.preAuthentication.call(helper, credentials()));
	};
	const send = async (_name: string, options: IHttpRequestOptions): Promise<unknown> => {
		const sign = async () => api.authenticate(credentials(), options);
		const signed = await sign().catch(async () => exchange().then(sign));
		return service.answer(signed);
	};
	return { httpRequest, httpRequestWithAuthentication: send };
}

/** Runs something on a fake clock and without random numbers. */
export async function inFakeTime(work: (clock: FakeClock) => Promise<unknown>): Promise<unknown> {
	const clock = new FakeClock();
	outages.clear(); // the package knows them for all runs of the process
	const replaced = [
		jest.spyOn(Date, 'now').mockImplementation(() => BEGIN + clock.now()),
		jest.spyOn(Math, 'random').mockReturnValue(0),
		jest.spyOn(time, 'sleep').mockImplementation(clock.pause),
	];
	try {
		return JSON.parse(JSON.stringify(await clock.passUntil(work(clock))));
	} finally {
		for (const spy of replaced) spy.mockRestore();
	}
}

/** How the service behaves in a test. */
interface Behaviour {
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
