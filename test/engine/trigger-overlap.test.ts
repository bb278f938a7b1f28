import { answer } from './support/answers';
import { notification, startedJson } from './support/notifications';
import { useService } from './support/service';
import { time } from './support/time';
import { useTrigger } from './support/webhook';
import type { Answered } from './support/webhook-call';

const service = useService();
const trigger = useTrigger(service);

const bodyOf = (ids: string[]) => ids.map((id) => notification(id));
const idsOf = (count: number) => Array.from({ length: count }, (_, index) => `e-${index}`);
const startedIds = (answered: Answered[]) =>
	answered.flatMap(startedJson).map(({ executionId }) => executionId);
const readings = () =>
	service.requests('get').reduce<Record<string, number>>((counts, { path }) => {
		const id = path.split('/').at(-1) ?? '';
		return { ...counts, [id]: (counts[id] ?? 0) + 1 };
	}, {});

describe('A caller that gives up and repeats its list at once', () => {
	it('gets each of 150 events started once, and none is read twice', async () => {
		service.state.faults.add({ route: 'get', action: { type: 'delay', milliseconds: 15 } });
		answer(service, { steps: [] });
		const ids = idsOf(150);
		const calls: Array<Promise<Answered>> = [];
		for (let tries = 0; tries < 6; tries++) {
			calls.push(trigger.call({ body: bodyOf(ids) }));
			await time.sleep(80);
		}
		const answered = await Promise.all(calls);
		expect(answered.map(({ status }) => status)).toEqual(calls.map(() => 200));
		expect(startedIds(answered)).toEqual(ids);
		expect(readings()).toEqual(Object.fromEntries(ids.map((id) => [id, 1])));
	});

	it('gets events started once when the lists overlap in part', async () => {
		service.state.faults.add({ route: 'get', action: { type: 'delay', milliseconds: 10 } });
		answer(service, { steps: [] });
		const ids = idsOf(40);
		const lists = [ids.slice(0, 25), ids.slice(15), ids.slice(10, 30), ids];
		const answered = await Promise.all(
			lists.map(async (list) => trigger.call({ body: bodyOf(list) })),
		);
		expect(answered.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
		expect(startedIds(answered).sort()).toEqual([...ids].sort());
	});
});

describe('A list that reports progress and end of an execution', () => {
	it('starts the workflow once, also where other events stand between them', async () => {
		answer(service, { steps: [] });
		const others = idsOf(8);
		const body = [
			notification('x', { status: 'running' }),
			...bodyOf(others),
			notification('x', { status: 'completed' }),
		];
		const answered = await trigger.call({ body });
		expect(answered.status).toBe(200);
		expect(startedIds([answered])).toEqual([...others, 'x']);
	});
});
