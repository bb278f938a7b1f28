import { chooseVersions, minimumsIn } from '../../versions/choice';

const MINIMUMS = ['1.123.50', '2.11.2'];

describe('The versions of n8n that are tested', () => {
	it('are the minimum and the newest of each line, in numbers and not in letters', () => {
		const available = ['1.123.50', '1.123.9', '1.123.81', '2.9.0', '2.11.2', '2.41.3', '2.41.10'];
		expect(chooseVersions(available, MINIMUMS).versions).toEqual([
			{ candidates: ['1.123.50'], why: 'the minimum' },
			{ candidates: ['2.11.2'], why: 'the minimum' },
			{ candidates: ['1.123.81'], why: 'the newest of n8n 1' },
			{ candidates: ['2.41.10', '2.41.3'], why: 'the newest of n8n 2' },
		]);
	});

	it('are each there once, and none that is not final', () => {
		const available = [...MINIMUMS, '2.12.0-beta.1', '2.12.0-exp.0'];
		expect(
			chooseVersions(available, MINIMUMS).versions.map(({ candidates }) => candidates),
		).toEqual(MINIMUMS.map((version) => [version]));
	});

	it('are the minimums also where the registry does not have them, and a line without a version is said', () => {
		const { versions, missing } = chooseVersions(['2.11.2', '2.41.3'], MINIMUMS);
		expect(versions).toContainEqual({ candidates: ['1.123.50'], why: 'the minimum' });
		expect(missing).toEqual([
			'n8n 1: the registry has no version of it',
			'n8n 3: the registry has no version of it',
		]);
	});

	it('include the next line as soon as the registry has it', () => {
		const { versions, missing } = chooseVersions([...MINIMUMS, '3.0.1'], MINIMUMS);
		expect(versions).toContainEqual({ candidates: ['3.0.1'], why: 'the newest of n8n 3' });
		expect(missing).toEqual(['n8n 4: the registry has no version of it']);
	});

	it('have their minimums from the README, which says if it has none', () => {
		expect(minimumsIn('a\n**Minimum**: n8n 1.123.50 or 2.11.2, because\n')).toEqual(MINIMUMS);
		expect(() => minimumsIn('none')).toThrow('README.md has no line');
	});
});
