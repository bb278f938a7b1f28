import type { ICredentialDataDecryptedObject, IExecuteFunctions } from 'n8n-workflow';

import { connect, outages } from '../../../../nodes/DocumentWorkflow/connection/connect';
import { RunEnd } from '../../../../nodes/DocumentWorkflow/connection/time';
import { contextOf, errorWith } from '../../support/context';
import { settled } from '../../support/fakeClock';

/** The package knows them for all runs of the process. */
beforeEach(() => outages.clear());

const credential = {
	environment: 'production',
	productionUrl: 'https://api.example.com',
	clientId: 'id',
	clientSecret: 'secret',
};
const CHECK = { kind: 'check', path: '/x', timeoutMilliseconds: 1000 } as const;
const CREATE = { ...CHECK, kind: 'create' } as const;

type Request = IExecuteFunctions['helpers']['httpRequestWithAuthentication'];

function contextWith({
	credentials = credential,
	request,
}: { credentials?: ICredentialDataDecryptedObject; request?: Request } = {}): IExecuteFunctions {
	return contextOf({
		getCredentials: <T extends object>() => Promise.resolve(credentials as T),
		getExecutionCancelSignal: () => undefined,
		helpers: {
			httpRequestWithAuthentication:
				request ?? (() => Promise.reject(new Error('Nothing is to be sent'))),
		},
	});
}

describe('a request that n8n cannot send', () => {
	it.each([CHECK, CREATE])(
		"was not sent, with n8n's reason, and only a create is tried again ($kind)",
		async (request) => {
			const connection = await connect(
				contextWith({
					request: () => Promise.reject(new Error('Connection terminated unexpectedly')),
				}),
				{ maxInParallel: 8 },
			);
			expect(await connection.send(request)).toMatchObject({
				kind: 'noToken',
				message: 'Connection terminated unexpectedly',
				passing: request.kind === 'create',
			});
		},
	);
});

describe('a connection', () => {
	it('links executions by the pattern of the credential, and not by one that cannot be used', async () => {
		const IDS = { workflowId: 'w', executionId: 'e' };
		const linkBy = async (executionLink: string) => {
			const context = contextWith({ credentials: { ...credential, executionLink } });
			const { linkTo } = await connect(context, { maxInParallel: 8 });
			return linkTo(IDS);
		};
		const pattern = 'https://app.example.com/{workflowId}/{executionId}';
		const executionUrl = 'https://app.example.com/w/e';
		expect(await linkBy(pattern)).toEqual({ ...IDS, executionUrl });
		expect(await linkBy('http://app.example.com')).toEqual(IDS);
	});

	it('has the file access fields, which fail where they are needed', async () => {
		const accessWith = async (fileAccessFields: string) => {
			const context = contextWith({ credentials: { ...credential, fileAccessFields } });
			return (await connect(context, { maxInParallel: 8 })).fileAccess;
		};
		expect(await accessWith('')).toEqual({ fields: {} });
		expect(await accessWith('{"key": "k"}')).toEqual({ fields: { key: 'k' } });
		expect(await accessWith('{')).toEqual({
			fields: {},
			mistake: { message: expect.stringContaining('line 1, column 2'), advice: 'Correct it' },
		});
	});

	it('fails without a secret', async () => {
		const credentials = { ...credential, clientSecret: '' };
		await expect(connect(contextWith({ credentials }), { maxInParallel: 8 })).rejects.toEqual(
			errorWith({
				message: 'Client Secret is empty',
				description: expect.stringMatching(/credential/),
			}),
		);
	});

	it('sends as many creates in parallel as allowed, eight checks, and eight others, also if they are POSTs', async () => {
		const answers: Array<() => void> = [];
		const request: Request = async () =>
			new Promise((resolve) =>
				answers.push(() => resolve({ statusCode: 200, headers: {}, body: {} })),
			);
		const { send } = await connect(contextWith({ request }), { maxInParallel: 3 });
		let replies = 0;
		for (const each of [
			...Array<typeof CREATE>(5).fill(CREATE),
			...Array<typeof CHECK>(10).fill(CHECK),
		])
			void send(each).then(() => replies++);
		await settled();
		expect(answers).toHaveLength(3 + 8);
		while (replies < 15) {
			for (const answer of answers.splice(0)) answer();
			await settled();
		}
	});

	it('rejects sending and pausing when the run is over, with the reason', async () => {
		const reason = 'Another item failed';
		const record = { sent: jest.fn(), refused: jest.fn() };
		const context = contextWith();
		const end = new RunEnd(context);
		end.end(reason);
		const { send, pause } = await connect(context, { maxInParallel: 8 }, end);
		for (const call of [() => send({ ...CREATE, record }), () => send(CHECK), () => pause(1000)])
			await expect(call()).rejects.toThrow(reason);
		expect(record.sent).not.toHaveBeenCalled();
	});

	it.each([
		['an accepted one', 200, ['sent', 'sent']],
		['one without a known outcome', 500, ['sent', 'sent']],
		['a refused one', 422, ['sent', 'sent', 'refused']],
	])('records a create before it is sent: %s', async (_, statusCode, expected) => {
		const order: string[] = [];
		const request: Request = () => {
			order.push('sent');
			return Promise.resolve({ statusCode, headers: {}, body: {} });
		};
		const { send } = await connect(contextWith({ request }), { maxInParallel: 8 });
		const record = { sent: () => order.push('sent'), refused: () => order.push('refused') };
		await send({ ...CREATE, record });
		expect(order).toEqual(expected);
	});
});
