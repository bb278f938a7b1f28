import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	INodeExecutionData,
	INodeParameters,
	INodeTypeDescription,
} from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

import { DocumentWorkflowApi } from '../../../credentials/DocumentWorkflowApi.credentials';
import { outages } from '../../../nodes/DocumentWorkflow/connection/connect';
import { time } from '../../../nodes/DocumentWorkflow/connection/time';
import { node } from '../support/context';
import { FakeClock } from '../support/fakeClock';
import type { Behaviour, FakeService } from './fakeService';
import { reporting, withValue } from './offered';

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

export const BEGIN = Date.UTC(2026, 0, 15, 12);
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
