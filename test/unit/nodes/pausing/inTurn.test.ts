import { setTimeout as sleep } from 'node:timers/promises';

import { inTurn } from '../../../../nodes/DocumentWorkflow/pausing/resume';

describe('The pause cache', () => {
	it('runs work for one pause in order, one after the other', async () => {
		const log: string[] = [];
		const calls = [30, 0, 10].map(async (milliseconds, number) =>
			inTurn('order', async () => {
				log.push(`begin ${number}`);
				await sleep(milliseconds);
				log.push(`end ${number}`);
			}),
		);
		await Promise.all(calls);
		expect(log).toEqual([0, 1, 2].flatMap((number) => [`begin ${number}`, `end ${number}`]));
	});

	it('keeps its entries from call to call, separately for each pause', async () => {
		await inTurn('first', async ({ ended }) => void ended.add('ex-1'));
		expect(await inTurn('first', async ({ ended }) => [...ended])).toEqual(['ex-1']);
		expect(await inTurn('second', async ({ ended }) => [...ended])).toEqual([]);
	});

	it('continues after work that failed, and rejects only for the caller of that work', async () => {
		const failed = inTurn('failing', async () => Promise.reject(new Error('no')));
		const next = inTurn('failing', async () => 'next');
		await expect(failed).rejects.toThrow('no');
		expect(await next).toBe('next');
	});

	it('forgets the pause unused for longest once there are a thousand others', async () => {
		for (const pause of ['old', 'used again'])
			await inTurn(pause, async ({ ended }) => void ended.add('ex'));
		for (let number = 0; number < 990; number++)
			await inTurn(`pause ${number}`, async () => undefined);
		expect(await inTurn('used again', async ({ ended }) => ended.size)).toBe(1);
		for (let number = 990; number < 1_010; number++)
			await inTurn(`pause ${number}`, async () => undefined);
		expect(await inTurn('used again', async ({ ended }) => ended.size)).toBe(1);
		expect(await inTurn('old', async ({ ended }) => ended.size)).toBe(0);
	});
});
