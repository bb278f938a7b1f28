import type { Answer } from '../../../service/http';
import { NO_ANSWER_IN_TIME } from '../../../service/http';
import type { Exchange, HeldToken, PostJson } from '../../../service/token';
import { fingerprintOf, TokenExchanger } from '../../../service/token';
import { answer, issue, settings, START } from '../support/tokens';

describe('renewal in one process', () => {
	function exchangerWith(replies: Answer[]) {
		let now = START;
		const post = jest.fn<ReturnType<PostJson>, Parameters<PostJson>>(async () => {
			await new Promise((resolve) => setImmediate(resolve));
			return replies.shift() ?? answer(500, {});
		});
		return {
			exchanger: new TokenExchanger(() => now),
			post,
			pass: (milliseconds: number) => (now += milliseconds),
		};
	}
	const heldOf = (exchange: Exchange): HeldToken => {
		if (!exchange.ok) throw new Error(exchange.refusal.message);
		return exchange.held;
	};
	const tokenOf = (exchange: Exchange) =>
		exchange.ok ? exchange.held.token : exchange.refusal.message;

	it('makes one exchange for any number of parallel callers', async () => {
		const { exchanger, post } = exchangerWith([issue('one')]);
		const renewed = await Promise.all(
			Array.from({ length: 20 }, async () => exchanger.renew(post, settings, undefined)),
		);
		expect(renewed.map(tokenOf)).toEqual(Array(20).fill('one'));
		expect(post).toHaveBeenCalledTimes(1);
	});

	it('makes one more exchange for callers that waited for one without an answer in time', async () => {
		const { exchanger, post } = exchangerWith([issue('two')]);
		let end = (): void => undefined;
		const late: PostJson = async () => {
			await new Promise<void>((resolve) => (end = resolve));
			return NO_ANSWER_IN_TIME;
		};
		const first = exchanger.renew(late, settings, undefined);
		const joined = [1, 2, 3].map(async () => exchanger.renew(post, settings, undefined));
		end();
		expect((await first).ok).toBe(false);
		expect((await Promise.all(joined)).map(tokenOf)).toEqual(['two', 'two', 'two']);
		expect(post).toHaveBeenCalledTimes(1);
	});

	it('waits for no third exchange when the second has no answer in time either', async () => {
		const { exchanger } = exchangerWith([]);
		const late = jest.fn<ReturnType<PostJson>, Parameters<PostJson>>(async () => {
			await new Promise((resolve) => setImmediate(resolve));
			return NO_ANSWER_IN_TIME;
		});
		const all = [1, 2, 3].map(async () => exchanger.renew(late, settings, undefined));
		expect((await Promise.all(all)).map(({ ok }) => ok)).toEqual([false, false, false]);
		expect(late).toHaveBeenCalledTimes(2);
	});

	it('gives a caller with a replaced token the new one without another exchange', async () => {
		const { exchanger, post, pass } = exchangerWith([
			issue('old'),
			issue('new'),
			issue('unwanted'),
		]);
		const old = heldOf(await exchanger.renew(post, settings, undefined));
		pass(1);
		await exchanger.renew(post, settings, old);
		expect(tokenOf(await exchanger.renew(post, settings, old))).toBe('new');
		expect(post).toHaveBeenCalledTimes(2);
	});

	it('makes another exchange when the latest token was rejected', async () => {
		const { exchanger, post } = exchangerWith([issue('one'), issue('two')]);
		const one = heldOf(await exchanger.renew(post, settings, undefined));
		expect(tokenOf(await exchanger.renew(post, settings, one))).toBe('two');
	});

	it('makes another exchange when the rejected token, from another process, is newer than the latest of this one', async () => {
		const { exchanger, post } = exchangerWith([issue('mine'), issue('two')]);
		const mine = heldOf(await exchanger.renew(post, settings, undefined));
		const other = { ...mine, token: 'of another process', issuedAt: mine.issuedAt + 1 };
		expect(tokenOf(await exchanger.renew(post, settings, other))).toBe('two');
	});

	it('gives the latest token to a caller whose token belonged to other settings', async () => {
		const { exchanger, post } = exchangerWith([issue('one')]);
		const one = heldOf(await exchanger.renew(post, settings, undefined));
		const other = { ...one, fingerprint: 'of other settings', issuedAt: one.issuedAt + 1 };
		expect(tokenOf(await exchanger.renew(post, settings, other))).toBe('one');
	});

	it('makes another exchange when the latest token is due for renewal', async () => {
		const { exchanger, post, pass } = exchangerWith([issue('one'), issue('two')]);
		await exchanger.renew(post, settings, undefined);
		pass(3_300_000);
		expect(tokenOf(await exchanger.renew(post, settings, undefined))).toBe('two');
	});

	it('separates the tokens of other settings', async () => {
		const { exchanger, post } = exchangerWith([issue('one'), issue('two')]);
		const other = { ...settings, clientId: 'other' };
		const renewed = await Promise.all([
			exchanger.renew(post, settings, undefined),
			exchanger.renew(post, other, undefined),
		]);
		expect(renewed.map(tokenOf)).toEqual(['one', 'two']);
		expect(tokenOf(await exchanger.renew(post, settings, undefined))).toBe('one');
	});

	const page = answer(200, '<html>', { 'content-type': 'text/html' });

	it('takes a strange answer as a wrong address, before a token was ever issued', async () => {
		const { exchanger, post } = exchangerWith([page]);
		expect(await exchanger.renew(post, settings, undefined)).toMatchObject({
			refusal: {
				passing: false,
				message: expect.stringContaining('is not a document workflow service'),
			},
		});
		expect(post).toHaveBeenCalledTimes(1);
	});

	it('takes a strange answer as temporary after a token was issued', async () => {
		const { exchanger, post } = exchangerWith([issue('one'), page]);
		const one = heldOf(await exchanger.renew(post, settings, undefined));
		expect(await exchanger.renew(post, settings, one)).toMatchObject({
			refusal: { passing: true },
		});
	});

	it('takes a strange answer as temporary when another process has stored a token for the same settings', async () => {
		const stored = { token: 't', issuedAt: 0, renewAt: 1, fingerprint: fingerprintOf(settings) };
		const { exchanger, post } = exchangerWith([page]);
		expect(await exchanger.renew(post, settings, stored)).toMatchObject({
			refusal: { passing: true },
		});
		const other = { ...settings, clientId: 'other' };
		const others = exchangerWith([page]);
		expect(await others.exchanger.renew(others.post, other, stored)).toMatchObject({
			refusal: { passing: false },
		});
	});

	it('makes another exchange after one that failed', async () => {
		const { exchanger, post } = exchangerWith([answer(500, {}), issue('two')]);
		expect(tokenOf(await exchanger.renew(post, settings, undefined))).toMatch(/status 500/);
		expect(tokenOf(await exchanger.renew(post, settings, undefined))).toBe('two');
	});
});
