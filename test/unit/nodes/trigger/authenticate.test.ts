import type {
	ICredentialDataDecryptedObject,
	IHookFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';

import {
	failIfAllRejected,
	judgeCall,
	type Verdict,
} from '../../../../nodes/DocumentWorkflow/trigger/authenticate';
import { node as nodeOfTests } from '../../support/context';

type Entered = ICredentialDataDecryptedObject | Error;

/** Keys of fewer than 16 characters are refused. */
const lengthened = (key = '') => (key === '' ? '' : `${key}-made-up-key`);

const keyed = (...keys: string[]): Entered => ({
	triggerAuthentication: 'apiKey',
	headerName: 'x-api-key',
	apiKey: lengthened(keys[0]),
	secondApiKey: lengthened(keys[1]),
});

let number = 0;
/** The content of the credential, and how often it was read. */
let entered: Entered;
let readings: number;
let logs: string[];
beforeEach(() => {
	number++;
	readings = 0;
	logs = [];
	entered = keyed('first');
	jest.useFakeTimers({ now: Date.UTC(2026, 0, 1) });
});
afterEach(() => jest.useRealTimers());

/** A call with a key, by default to the trigger of this test. */
async function call(
	key: string,
	{ workflow = 'workflow', node = 'trigger', credential = 'c-1' } = {},
): Promise<Verdict> {
	const context = {
		getHeaderData: () => ({ 'x-api-key': lengthened(key) }),
		getWorkflow: () => ({ id: `${workflow} ${number}`, name: '', active: true }),
		getNode: () => ({
			id: node,
			...(credential !== 'none' && {
				credentials: { documentWorkflowApi: { id: credential, name: '' } },
			}),
		}),
		getCredentials: async (type: string) => {
			readings++;
			if (type !== 'documentWorkflowApi') throw new Error(`no credential ${type}`);
			if (entered instanceof Error) throw entered;
			return entered;
		},
		logger: { warn: (line: string) => void logs.push(line) },
	};
	return judgeCall(context as unknown as IWebhookFunctions);
}

describe('the credential of the trigger', () => {
	it('is read once for all calls of a second, and then again', async () => {
		expect(await Promise.all([call('first'), call('first'), call('first')])).toEqual(
			Array(3).fill('authentic'),
		);
		jest.advanceTimersByTime(999);
		expect(await call('first')).toBe('authentic');
		expect(readings).toBe(1);
		jest.advanceTimersByTime(1);
		expect(await call('first')).toBe('authentic');
		expect(readings).toBe(2);
	});

	it('has a key that is added accepted, and one that is removed rejected, within a second', async () => {
		await call('first');
		entered = keyed('second', 'first');
		jest.advanceTimersByTime(1_000);
		expect(await call('second')).toBe('authentic');
		entered = keyed('second');
		jest.advanceTimersByTime(1_000);
		expect(await call('first')).toBe('rejected');
	});

	it('is read once a second at most while calls are rejected, however many come', async () => {
		const calls = async () => Promise.all(Array.from({ length: 50 }, async () => call('wrong')));
		expect(await calls()).toEqual(Array(50).fill('rejected'));
		expect(await calls()).toEqual(Array(50).fill('rejected'));
		expect(readings).toBe(1);
		jest.advanceTimersByTime(1_000);
		expect([...(await calls()), ...(await calls())]).toEqual(Array(100).fill('rejected'));
		expect(readings).toBe(2);
	});

	it('is read again when the clock is set back', async () => {
		await call('first');
		entered = keyed('second');
		jest.setSystemTime(Date.UTC(2025, 0, 1));
		expect(await call('first')).toBe('rejected');
	});

	it('is read again for another trigger, and when another credential is chosen', async () => {
		await call('first');
		entered = keyed('second');
		for (const other of [
			{ workflow: 'another' },
			{ node: 'another' },
			{ credential: 'c-2' },
			{ credential: 'c-3' },
		])
			expect(await call('first', other)).toBe('rejected');
		expect(readings).toBe(5);
	});

	it('is read again a second after it could not be read', async () => {
		entered = new Error('The database is locked');
		expect(await call('first')).toBe('unknown');
		expect(logs).toEqual([
			'Calls are rejected: the Document Workflow API credential cannot be read: The database is locked',
		]);
		entered = keyed('first');
		jest.advanceTimersByTime(1_000);
		expect(await call('first')).toBe('authentic');
		expect(readings).toBe(2);
	});

	it('says in the log what rejected calls lack, once a minute, and not what they have', async () => {
		for (let second = 0; second < 120; second++) {
			expect(await call('wrong')).toBe('rejected');
			jest.advanceTimersByTime(1_000);
		}
		const line =
			"A call was rejected with 401, because it does not have the right key in the header x-api-key. Compare 'Trigger Authentication' in the Document Workflow API credential with what the service operator entered";
		expect(logs).toEqual([line, line]);
	});

	it('that cannot be used leaves every call unknown, and only the log says why, once a minute', async () => {
		entered = keyed('');
		for (let second = 0; second < 120; second++) {
			expect(await call('')).toBe('unknown');
			jest.advanceTimersByTime(1_000);
		}
		expect(logs).toEqual(Array(2).fill(expect.stringMatching(/^Calls are rejected: .+\. .+/)));
		entered = new Error('The database is locked');
		await call('');
		expect(logs).toHaveLength(3);
	});

	it('may be missing in a node', async () => {
		entered = new Error('The node has no credential');
		expect(await call('first', { credential: 'none' })).toBe('unknown');
		expect(logs).toHaveLength(1);
	});
});

describe('an activation', () => {
	const activate = async (given: Entered) => {
		const context = {
			getNode: () => nodeOfTests,
			getCredentials: async () => (given instanceof Error ? Promise.reject(given) : given),
		};
		return failIfAllRejected(context as unknown as IHookFunctions);
	};
	const NOT_USED: Entered = { triggerAuthentication: 'notUsed', apiKey: lengthened('first') };

	it.each<[Entered, string]>([
		[{}, "'Trigger Authentication' is set to Not Used"],
		[NOT_USED, "'Trigger Authentication' is set to Not Used. In the Document Workflow API"],
		[keyed(''), "'Key' is empty. Enter it in the Document Workflow API credential"],
		[keyed('clé-première'), "'Key' has a character that a header cannot carry. Agree with"],
	])('fails when every call would be rejected, and says why (%#)', async (given, words) => {
		await expect(activate(given)).rejects.toThrow(words);
	});

	it.each<Entered>([keyed('first'), { triggerAuthentication: 'none' }])(
		'succeeds when calls can be accepted (%#)',
		async (given) => {
			await expect(activate(given)).resolves.toBeUndefined();
		},
	);

	it('never fails because the credential cannot be read at the moment', async () => {
		const activated = activate(new Error('The database is locked'));
		await expect(activated).resolves.toBeUndefined();
	});
});
