import { hintsOfData } from '../../../../nodes/DocumentWorkflow/results/words/hints';
import { reportOn } from './report/reports';
import { onlyItem, shaped, step } from './support';

const SIGNATURE = 'not-to-be-seen';
const OUTPUTS = ['simplified', 'rows', 'selected', 'raw'] as const;
const BODY = {
	status: 'failed',
	error: `no data at https://files.example.com/2?signature=${SIGNATURE}`,
	steps: [
		{ step_name: 'policy', data: { url: `https://files.example.com/1?signature=${SIGNATURE}` } },
	],
};

describe('A signed address in place of data', () => {
	it.each(OUTPUTS.slice(0, 3))('is shown without its signature: %s', async (output) => {
		const json = await onlyItem(BODY, { output });
		expect(JSON.stringify(json)).not.toContain(SIGNATURE);
		expect(JSON.stringify(json)).toContain('https://files.example.com/1"');
	});

	it.each<[(typeof OUTPUTS)[number], unknown[]]>([
		['simplified', ['The data of "policy", "claim" is at a URL']],
		['selected', ['The data of "policy", "claim" is at a URL']],
		['raw', ['The data of "policy", "claim" is at a URL']],
		['rows', ['The data of "policy" is at a URL', 'The data of "claim" is at a URL', null]],
	])('needs review by the names of its steps: %s', async (output, expected) => {
		const steps = [
			...BODY.steps,
			{ step_name: 'claim', data: 's3://bucket/1' },
			step('notes', [{ note: 'hail' }]),
		];
		const { items } = await shaped({ status: 'completed', steps }, { output });
		expect(items.map(({ toReview }) => toReview)).toEqual(expected);
		expect(items.map(({ needsReview }) => needsReview)).toEqual(
			expected.map((each) => each !== null),
		);
	});

	it('is not in the report or a hint', async () => {
		for (const status of ['failed', 'completed'])
			expect(await reportOn({ ...BODY, status })).not.toContain(SIGNATURE);
		const messages = hintsOfData([await shaped(BODY)]).map(({ message }) => message);
		expect(messages.join()).not.toContain(SIGNATURE);
	});

	it('is unchanged in Raw, because Raw is the answer of the service', async () => {
		expect((await onlyItem(BODY, { output: 'raw' })).response).toEqual(BODY);
	});
});
