import type { INodeParameters } from 'n8n-workflow';
import type { RequestEntry } from '../../simulator/state/requests';
import { runFlow } from './support/engine';
import { file } from './support/files';
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
	it.each([3])(
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
});

describe('When the service is too busy', () => {
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
