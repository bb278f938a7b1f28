import type { ICredentialDataDecryptedObject, IWebhookFunctions } from 'n8n-workflow';

import { isAuthentic } from '../../../../nodes/DocumentWorkflow/trigger/authenticate';

type Entered = ICredentialDataDecryptedObject | Error;

/** Keys of fewer than 16 characters are refused. */
const lengthened = (key = '') => (key === '' ? '' : `${key}-made-up-key`);

const keyed = (...keys: string[]): Entered => ({
	authentication: 'apiKey',
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
): Promise<boolean> {
	const context = {
		getHeaderData: () => ({ 'x-api-key': lengthened(key) }),
		getWorkflow: () => ({ id: `${workflow} ${number}`, name: '', active: true }),
		getNode: () => ({
			id: node,
			...(credential !== 'none' && {
				credentials: { documentWorkflowWebhookApi: { id: credential, name: '' } },
			}),
		}),
		getCredentials: async (type: string) => {
			readings++;
			if (type !== 'documentWorkflowWebhookApi') throw new Error(`no credential ${type}`);
			if (entered instanceof Error) throw entered;
			return entered;
		},
		logger: { error: (line: string) => void logs.push(line) },
	};
	return isAuthentic(context as unknown as IWebhookFunctions, Buffer.alloc(0));
}

describe('the credential of the trigger', () => {
	it('is read once for all calls of five seconds, and then again', async () => {
		expect(await Promise.all([call('first'), call('first'), call('first')])).toEqual([
			true,
			true,
			true,
		]);
		jest.advanceTimersByTime(4_999);
		expect(await call('first')).toBe(true);
		expect(readings).toBe(1);
		jest.advanceTimersByTime(1);
		expect(await call('first')).toBe(true);
		expect(readings).toBe(2);
	});

	it('has a key that is added accepted within a second', async () => {
		await call('first');
		entered = keyed('second', 'first');
		jest.advanceTimersByTime(1_000);
		expect(await call('second')).toBe(true);
		expect(await call('neither')).toBe(false);
	});

	it('is read once a second at most while calls are rejected, however many come', async () => {
		const calls = async () => Promise.all(Array.from({ length: 50 }, async () => call('wrong')));
		expect(await calls()).not.toContain(true);
		expect(await calls()).not.toContain(true);
		expect(readings).toBe(1);
		jest.advanceTimersByTime(1_000);
		expect([...(await calls()), ...(await calls())]).not.toContain(true);
		expect(readings).toBe(2);
	});

	it('has a removed key accepted for five seconds at most', async () => {
		await call('first');
		entered = keyed('second');
		jest.advanceTimersByTime(4_999);
		expect(await call('first')).toBe(true);
		jest.advanceTimersByTime(1);
		expect(await call('first')).toBe(false);
	});

	it('is read again when the clock is set back', async () => {
		await call('first');
		entered = keyed('second');
		jest.setSystemTime(Date.UTC(2025, 0, 1));
		expect(await call('first')).toBe(false);
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
			expect(await call('first', other)).toBe(false);
		expect(readings).toBe(5);
	});

	it('is read again a second after it could not be read', async () => {
		entered = new Error('The database is locked');
		expect(await call('first')).toBe(false);
		expect(logs).toEqual([
			'Calls are rejected, because the Document Workflow Webhook API credential cannot be read: The database is locked',
		]);
		entered = keyed('first');
		jest.advanceTimersByTime(1_000);
		expect(await call('first')).toBe(true);
		expect(readings).toBe(2);
	});

	it('that cannot be used rejects all calls, and only the log says why, once a minute', async () => {
		entered = keyed('');
		for (let second = 0; second < 120; second++) {
			expect(await call('')).toBe(false);
			jest.advanceTimersByTime(1_000);
		}
		expect(logs).toEqual(Array(2).fill(expect.stringMatching(/^Calls are rejected: .+\. .+/)));
		entered = new Error('The database is locked');
		await call('');
		expect(logs).toHaveLength(3);
	});

	it('may be missing in a node', async () => {
		entered = new Error('The node has no credential');
		expect(await call('first', { credential: 'none' })).toBe(false);
		expect(logs).toHaveLength(1);
	});
});
