import { hintsForShaped } from '../../../../nodes/DocumentWorkflow/results/hints';
import { reportOn } from './report/reports';
import { onlyItem, shaped } from './support';

const SIGNATURE = 'not-to-be-seen';
const BODY = {
	status: 'failed',
	error: `no data at https://files.example.com/2?signature=${SIGNATURE}`,
	steps: [
		{ step_name: 'policy', data: { url: `https://files.example.com/1?signature=${SIGNATURE}` } },
	],
};

describe('The signed address of the data of a step', () => {
	it.each(['simplified', 'rows', 'selected'] as const)(
		'is shown without its signature: %s',
		(output) => {
			const json = onlyItem(BODY, { output });
			expect(JSON.stringify(json)).not.toContain(SIGNATURE);
			expect(JSON.stringify(json)).toContain('https://files.example.com/1"');
		},
	);

	it('is not in the report or a hint', () => {
		for (const status of ['failed', 'completed'])
			expect(reportOn({ ...BODY, status })).not.toContain(SIGNATURE);
		const messages = hintsForShaped([shaped(BODY)]).map(({ message }) => message);
		expect(messages.join()).not.toContain(SIGNATURE);
	});

	it('is unchanged in Raw, because Raw is the answer of the service', () => {
		expect(onlyItem(BODY, { output: 'raw' }).response).toEqual(BODY);
	});
});
