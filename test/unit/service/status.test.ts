import { meaningOfStatus, PHASES, readMeaning } from '../../../service/status';

const phaseOf = (word: string, holdsData = false) => PHASES[readMeaning(word, holdsData)];

describe('the status word', () => {
	it.each([
		['running', 'running'],
		['completed', 'completed'],
		[' Completed ', 'completed'],
		['SUCCESS', 'completed'],
		['failed', 'failed'],
		['Cancelled', 'failed'],
		['timed_out', 'failed'],
		['Timed Out', 'failed'],
		['Completed - With  Errors', 'completed'],
		['queued_for_review', 'running'],
		['pending_review', 'running'],
		['In-Progress', 'running'],
		['extracting', 'running'],
		['aborted', 'failed'],
		['terminated', 'failed'],
		['stopped', 'failed'],
		['completed_with_warnings', 'completed'],
		['Completed with Errors', 'completed'],
		['partially_completed', 'completed'],
		['needs_review', 'running'],
		['Pending Review', 'running'],
		['paused', 'running'],
		['Blocked', 'running'],
		['suspended', 'running'],
		['on hold', 'running'],
		['Not started', 'running'],
		['processing_failed', 'failed'],
		['document_parsing_failed', 'failed'],
		['retrying_failed', 'running'],
		['being_completed', 'running'],
		['resolving_error', 'running'],
		['Pending - Manual Review', 'running'],
		['processing_pending_review', 'running'],
	])('%j means %s, whether or not there is data', (word, phase) => {
		expect([phaseOf(word), phaseOf(word, true)]).toEqual([phase, phase]);
		expect(meaningOfStatus(word)).toBeDefined();
	});

	it.each(['archived', 'constructor', '', '200', 'Processing Completed'])(
		'%j is not known: only data shows that it is an end',
		(word) => {
			expect([phaseOf(word), phaseOf(word, true)]).toEqual(['running', 'completed']);
			expect(meaningOfStatus(word)).toBeUndefined();
		},
	);

	it('may say that a person has to act in the service', () => {
		expect(
			[
				'paused',
				'Blocked',
				'on_hold',
				'Needs Review',
				'in_review',
				'pending_review',
				'not_started',
			].map((word) => meaningOfStatus(word) === 'held'),
		).toEqual([true, true, true, true, true, true, false]);
	});

	it('may say itself that not all is well', () => {
		expect(
			['partial', 'success_with_warnings', 'completed', 'failed', 'archived'].map(
				(word) => meaningOfStatus(word) === 'partial',
			),
		).toEqual([true, true, false, false, false]);
	});
});
