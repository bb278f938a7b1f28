import { Readable } from 'node:stream';

import { fetchSteps } from '../../../../nodes/DocumentWorkflow/results/fetchSteps';
import { Queue } from '../../../../service/rateLimit';
import { contextOf } from '../../support/context';
import { executionOf } from './support';

interface Stored {
	chunks: Iterable<Buffer>;
	headers?: Record<string, string>;
}

const stored = (text: string, headers: Record<string, string> = {}): Stored => ({
	chunks: [Buffer.from(text)],
	headers,
});

/** The unchanged data of a step at an address, from a storage with this answer, or why there is none. */
async function fetchedFrom({ chunks, headers = {} }: Stored) {
	const httpRequest = async () => ({ statusCode: 200, headers, body: Readable.from(chunks) });
	return fetchFrom(httpRequest);
}

async function fetchFrom(httpRequest: () => Promise<unknown>): Promise<unknown> {
	const context = contextOf({ helpers: { httpRequest } });
	const connection = { fetching: new Queue(1), isLocal: true, pause: async () => undefined };
	const url = 'https://files.example.com/1?signature=made-up';
	const execution = executionOf({ steps: [{ step_name: 's', data: { url } }] });
	const { fetched, notDownloaded } = await fetchSteps(context, connection, execution, []);
	return notDownloaded[0] ?? fetched.s;
}

const refusal = (reason: string) => `The data of step "s" could not be downloaded: ${reason}`;

/** White space of so many megabytes, in chunks that share their memory. */
const chunksOf = (megabytes: number) => Array<Buffer>(megabytes).fill(Buffer.alloc(1_000_000, ' '));

describe('The data at an address', () => {
	it('may begin with a byte order mark', async () => {
		expect(await fetchedFrom(stored('\uFEFF{"data": []}'))).toEqual({ data: [] });
	});

	it('keeps all digits of its numbers, as an answer of the service does', async () => {
		const answer = stored('{"data": [{"id": 12345678901234567890, "paid": 12.5}]}');
		expect(await fetchedFrom(answer)).toEqual({
			data: [{ id: '12345678901234567890', paid: 12.5 }],
		});
	});

	it('may be a text, such as a summary, or nothing', async () => {
		expect(await fetchedFrom(stored('"Hail damage"'))).toBe('Hail damage');
		expect(await fetchedFrom(stored('null'))).toBeNull();
	});

	it.each<[string, Stored]>([
		['it is not JSON', stored('<html>Sign in</html>')],
		['it is not JSON', stored('')],
		['it is nested too deeply to be read', stored('['.repeat(2_000) + ']'.repeat(2_000))],
		['it is larger than 100 MB', { chunks: chunksOf(101) }],
	])('is named as missing with the reason: %s', async (reason, answer) => {
		expect(await fetchedFrom(answer)).toBe(refusal(reason));
	});

	it('is named as missing when it does not arrive in time, and is not tried again', async () => {
		const late = new AbortController();
		const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(late.signal);
		let tries = 0;
		const httpRequest = async () => {
			tries++;
			late.abort();
			return Promise.reject(new Error('canceled'));
		};
		expect(await fetchFrom(httpRequest)).toBe(refusal('it did not arrive within 60 seconds'));
		expect(timeout).toHaveBeenCalledWith(60_000);
		expect(tries).toBe(1);
		jest.restoreAllMocks();
	});
});
