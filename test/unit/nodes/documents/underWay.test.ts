import { claim } from '../../../../nodes/DocumentWorkflow/documents/alreadySent';
import { settled } from '../../support/fakeClock';

const RUN = Symbol('run');
const claiming = (...documents: string[]) => claim(new Set(documents));
const nobodyClaims = (...documents: string[]) => {
	const { earlier, settle } = claiming(...documents);
	settle(undefined);
	expect([...earlier.keys()]).toEqual([]);
};

describe('documents that are being sent', () => {
	it('include earlier claims only, so that no claim waits for itself', async () => {
		const first = claiming('a', 'b');
		const second = claiming('b', 'c');
		expect([[...first.earlier.keys()], [...second.earlier.keys()]]).toEqual([[], ['b']]);
		first.settle(RUN);
		expect(await second.earlier.get('b')).toBe(RUN);
		second.settle(undefined);
	});

	it('have the outcome of the first claim that was accepted', async () => {
		const [first, second, third, fourth] = [
			claiming('a'),
			claiming('a'),
			claiming('a'),
			claiming('a'),
		];
		third.settle(undefined);
		second.settle(RUN);
		first.settle(undefined);
		expect([
			await second.earlier.get('a'),
			await third.earlier.get('a'),
			await fourth.earlier.get('a'),
		]).toEqual([undefined, RUN, RUN]);
		fourth.settle(undefined);
	});

	it('are released when all claims are settled, in any order', async () => {
		const [first, second] = [claiming('a', 'b'), claiming('b', 'a')];
		second.settle(undefined);
		await settled();
		const third = claiming('a');
		expect([...third.earlier.keys()]).toEqual(['a']);
		third.settle(undefined);
		first.settle(undefined);
		await settled();
		nobodyClaims('a', 'b');
	});

	it('stay claimed while a later claim on them is not settled', async () => {
		const [first, second] = [claiming('a'), claiming('a')];
		first.settle(undefined);
		await settled();
		const third = claiming('a');
		expect([...third.earlier.keys()]).toEqual(['a']);
		second.settle(undefined);
		third.settle(undefined);
		await settled();
		nobodyClaims('a');
	});
});
