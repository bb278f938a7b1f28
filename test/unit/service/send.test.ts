import type { Reply } from '../../../service/http';
import { Outage } from '../../../service/outage';
import { RateLimit } from '../../../service/rateLimit';
import { sendWith } from '../../../service/send';
import { answer, OK } from '../support/answeredQueue';
import { FakeClock, settled } from '../support/fakeClock';

const POST = { path: '1', timeoutMilliseconds: 1 } as const;

it('A check does not wait for creates, nor a create for checks', async () => {
	const { pause, now } = new FakeClock();
	const rateLimit = new RateLimit(pause, now);
	const sent: string[] = [];
	const send = sendWith({
		...{ rateLimit, pause, outage: new Outage(now), onOutage: () => undefined },
		queues: {
			create: rateLimit.queue(1),
			check: rateLimit.queue(1),
		},
		continueOrThrow: () => undefined,
		transmit: async ({ kind }) => {
			sent.push(kind);
			return new Promise(() => undefined);
		},
		sleep: async () => Promise.resolve(),
	});
	for (const kind of ['create', 'create', 'check', 'check'] as const) void send({ ...POST, kind });
	await settled();
	expect(sent.sort()).toEqual(['check', 'create']);
});

describe('A request', () => {
	/** What happens to a request that gets a reply or an error, in order. */
	async function steps(
		outcome: Reply | Error,
		{ notAfter = Infinity, isStopped = false } = {},
	): Promise<string[]> {
		const { pause, now } = new FakeClock();
		const rateLimit = new RateLimit(pause, now);
		const queue = rateLimit.queue(1);
		const done: string[] = [];
		const leave = queue.leave.bind(queue);
		queue.leave = () => {
			done.push('its place is free');
			leave();
		};
		const send = sendWith({
			...{ rateLimit, pause, outage: new Outage(now), onOutage: () => done.push('creates wait') },
			queues: { create: queue, check: queue },
			continueOrThrow: () => {
				if (isStopped) throw new Error('stopped');
			},
			transmit: async () => {
				done.push('sent');
				if (outcome instanceof Error) throw outcome;
				return outcome;
			},
			sleep: async () => void done.push('its reply is processed'),
		});
		const record = {
			sent: () => done.push('recorded'),
			refused: () => done.push('recorded as refused'),
		};
		await send({ ...POST, kind: 'create', notAfter, record }).catch((error: unknown) =>
			done.push(String(error)),
		);
		await settled();
		return done;
	}

	it('is recorded before it is sent, and its place is free once its reply is processed', async () => {
		const processed = ['its reply is processed', 'its place is free'];
		expect(await steps(OK)).toEqual(['recorded', 'sent', ...processed]);
		expect(await steps(answer(500))).toEqual(['recorded', 'sent', 'creates wait', ...processed]);
	});

	it.each<[string, Reply]>([
		['a rejection', answer(422)],
		['a connection that was never made', { kind: 'noAnswer', code: 'ECONNREFUSED' }],
	])('is recorded as refused after %s, which started nothing', async (_, reply) => {
		expect(await steps(reply)).toEqual([
			'recorded',
			'sent',
			'recorded as refused',
			'its reply is processed',
			'its place is free',
		]);
	});

	it('that is rejected frees its place at once, and is not recorded as refused', async () => {
		expect(await steps(new Error('over'))).toEqual([
			'recorded',
			'sent',
			'its place is free',
			'Error: over',
		]);
	});

	it('is neither recorded nor sent after a stop, or too late', async () => {
		expect(await steps(OK, { isStopped: true })).toEqual(['its place is free', 'Error: stopped']);
		expect(await steps(OK, { notAfter: -1 })).toEqual(['its place is free']);
	});
});
