import type { INodeParameters } from 'n8n-workflow';
import type { RequestEntry } from '../../simulator/state/requests';
import { useBinaryMode } from './support/binary-storage';
import { runFlow } from './support/engine';
import { file, PDF, textOf } from './support/files';
import type { InputItem } from './support/helper-nodes';
import { operation, useService } from './support/service';
import { time } from './support/time';

const service = useService();

const create = (items: InputItem[], settings: INodeParameters, more: INodeParameters = {}) =>
	runFlow({ ...service, parameters: operation('create', { ...settings, ...more }), items });
const itemsOf = (count: number): InputItem[] =>
	Array.from({ length: count }, (_, index) => ({ files: { data: file(`${index}.txt`) } }));
const sentNames = (items: Parameters<typeof service.executionsOf>[0]) =>
	service.executionsOf(items).map(({ files }) => files[0]?.fileName);
const inOrder = (count: number) => Array.from({ length: count }, (_, index) => `${index}.txt`);

/** For each request, how many were in progress when it began, itself included. */
function atOnce(requests: RequestEntry[]): number[] {
	const runsAt =
		(time: number) =>
		({ startedAt, finishedAt }: RequestEntry) =>
			startedAt <= time && (finishedAt ?? Infinity) > time;
	return requests.map(({ startedAt }) => requests.filter(runsAt(startedAt)).length);
}

describe('Maximum in Parallel', () => {
	it.each([1, 3, 12])(
		'of %d is reached but not exceeded, and results keep the input order',
		async (most) => {
			// Earlier creates take longer.
			service.state.faults.add({
				route: 'create',
				requests: { to: most },
				action: { type: 'delay', milliseconds: 150 },
			});
			service.state.faults.add({ route: 'create', action: { type: 'delay', milliseconds: 20 } });
			const { outputs, error } = await create(itemsOf(24), { maximumInParallel: most });
			expect(error).toBeUndefined();
			expect(Math.max(...atOnce(service.requests('create')))).toBe(most);
			expect(sentNames(outputs[0])).toEqual(inOrder(24));
			expect(outputs[0]?.map(({ pairedItem }) => pairedItem)).toEqual(
				Array.from({ length: 24 }, (_, item) => ({ item })),
			);
		},
	);

	it('is eight by default', async () => {
		service.state.faults.add({ route: 'create', action: { type: 'delay', milliseconds: 50 } });
		await create(itemsOf(24), {});
		expect(Math.max(...atOnce(service.requests('create')))).toBe(8);
	});

	it('keeps the order when one item takes longer to inspect', async () => {
		await useBinaryMode('filesystem');
		const items = [
			{
				files: { data: file('0.pdf', Buffer.concat([PDF, textOf(8_000_000)]), 'application/pdf') },
			},
			...itemsOf(12).slice(1),
		];
		const { outputs } = await create(items, {});
		await useBinaryMode('memory');
		expect(sentNames(outputs[0])).toEqual(['0.pdf', ...inOrder(12).slice(1)]);
		expect(
			outputs[0]?.map(({ json }) => (json.documents as Array<{ itemIndex: number }>)[0]?.itemIndex),
		).toEqual(Array.from({ length: 12 }, (_, index) => index));
	});
});

describe('When the service is too busy', () => {
	it('the node halves the number of parallel creates and then raises it again', async () => {
		service.state.faults.add({
			route: 'create',
			requests: { from: 1, to: 8 },
			action: { type: 'status', status: 429, retryAfter: 1 },
		});
		service.state.faults.add({ route: 'create', action: { type: 'delay', milliseconds: 40 } });
		await create(itemsOf(60), { maximumInParallel: 8 });
		const later = service.requests('create').slice(8);
		const numbers = atOnce(later);
		expect(Math.max(...numbers.slice(0, 4))).toBeLessThanOrEqual(4);
		expect(Math.max(...numbers)).toBeGreaterThan(6);
		expect(service.state.executions.all()).toHaveLength(60);
	});

	it('all creates of a batch wait for the Retry-After of a 429', async () => {
		const names = Array.from({ length: 12 }, (_, index) => `${index}.txt`);
		// The others of the first four are still in progress when the third gets a 429.
		[500, 500, 150, 500].forEach((milliseconds, index) => {
			service.state.faults.add({
				route: 'create',
				requests: { from: index + 1, to: index + 1 },
				action: { type: 'delay', milliseconds },
			});
		});
		service.state.faults.add({
			route: 'create',
			requests: { from: 3, to: 3 },
			action: { type: 'status', status: 429, retryAfter: 1 },
		});
		const { outputs, error } = await runFlow({
			...service,
			parameters: operation('create', { maximumInParallel: 4 }),
			items: names.map((name) => ({ files: { data: file(name) } })),
		});
		expect(error).toBeUndefined();
		expect(service.requests('create').map(({ status }) => status)).toEqual([
			200,
			200,
			429,
			...Array<number>(10).fill(200),
		]);
		const rejectedAt = service.requests('create')[2]?.finishedAt ?? 0;
		const delayed = service.requests('create').filter(({ startedAt }) => startedAt > rejectedAt);
		expect(delayed).toHaveLength(9);
		for (const { startedAt } of delayed)
			expect(startedAt - rejectedAt).toBeGreaterThanOrEqual(1_000);
		expect(service.executionsOf(outputs[0]).map(({ files }) => files[0]?.fileName)).toEqual(names);
		expect(service.state.executions.all()).toHaveLength(12);
	});

	it('a permanent failure ends a batch that waits to retry', async () => {
		service.state.faults.add({
			route: 'create',
			requests: { from: 1, to: 1 },
			action: { type: 'status', status: 429, retryAfter: 60 },
		});
		service.state.faults.add({
			route: 'create',
			requests: { from: 2, to: 2 },
			action: { type: 'status', status: 422 },
		});
		const begun = time.now();
		const { error } = await create(itemsOf(10), { maximumInParallel: 2 });
		expect(error?.message).toContain('status 422');
		expect(time.now() - begun).toBeLessThan(1_000);
		expect(service.requests('create')).toHaveLength(2);
	});
});
