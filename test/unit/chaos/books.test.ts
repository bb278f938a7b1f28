import { FAULTS, judge, VERDICTS, type Booked, type Told, type Verdict } from '../../chaos/books';

const sent = { id: 'd1', files: { 'd1.txt': 'hash' }, cases: ['CASE-d1'] };
const booked = (executionId: string, files: Booked['files'] = sent.files) => ({
	executionId,
	files,
});
const item = (json: Told['items'][number]): Told => ({ items: [json], error: '' });
const data = { case: [{ case_number: 'CASE-d1' }] };
const completed = { status: 'completed', executionId: 'e1', data };
const unknown = { outcome: 'unknown', advice: 'It is unknown whether an execution was started' };
const failed = (error: string): Told => ({ items: [], error });

describe('The comparison of the books', () => {
	const cases: Array<[Verdict, Booked[], Told]> = [
		['result', [booked('e1')], item(completed)],
		['started', [booked('e1')], item({ status: 'running', executionId: 'e1' })],
		['failure', [booked('e1')], item({ error: { message: 'Failed', executionId: 'e1' } })],
		['failure', [booked('e1')], failed('Started for item 0: e1 (workflow w)')],
		['doubt', [booked('e1')], item(unknown)],
		['doubt', [booked('e1')], item({ error: { message: 'Lost', ...unknown } })],
		['doubt', [booked('e1')], failed('Possibly started: item 0 (d1.txt), External ID "d1"')],
		['needlessDoubt', [], item(unknown)],
		['twice', [booked('e1'), booked('e2')], item({ ...completed, sentAgain: true })],
		['once', [booked('e1')], item({ ...completed, sentAgain: true })],
		['refused', [], item({ error: { message: 'Busy' } })],
		['refused', [], failed('Busy')],
		['lost', [], { items: [], error: '' }],
		['lost', [booked('e1')], item({ error: { message: 'Busy' } })],
		['lost', [booked('e1')], failed('Possibly started: item 1, External ID "d11"')],
		['doubled', [booked('e1'), booked('e2')], item(completed)],
		['doubled', [booked('e1'), booked('e2')], item(unknown)],
		['mixedUp', [booked('e1')], item({ ...completed, executionId: 'e9', beside: 'e1' })],
		['mixedUp', [booked('e1')], item({ ...completed, data: { case: [{ case_number: 'C' }] } })],
		['mixedUp', [booked('e1', { 'd1.txt': 'other' })], item(completed)],
		['mixedUp', [booked('e1')], { items: [completed, completed], error: '' }],
	];

	it.each(cases)('finds "%s" where the service has %j and n8n says %j', (verdict, books, told) =>
		expect(judge(sent, books, told)).toBe(verdict),
	);

	it('names each verdict, and has an example of each', () => {
		expect(new Set(cases.map(([verdict]) => verdict))).toEqual(new Set(Object.keys(VERDICTS)));
		expect(FAULTS).toEqual(['lost', 'doubled', 'mixedUp']);
	});
});
