import { findFields } from '../../simulator/extract/fields';
import { linesOfText } from '../../simulator/extract/lines';
import { cellIn, field } from './support';

const POLICY = field(['Policy Number', 'Policy No.']);

describe('the value of a field', () => {
	test.each([
		['behind the label and a colon', 'Policy Number: AB-1', 0.98],
		['behind a wide colon', 'Policy Number：AB-1', 0.98],
		['in the next column, with a colon', 'Policy Number:      AB-1', 0.96],
		['in the next column', 'Policy Number      AB-1', 0.94],
		['behind a row of dots', 'Policy Number ........ AB-1', 0.94],
		['in the next line, with a colon', 'Policy Number:\nAB-1', 0.9],
		['below the label', 'Policy Number\nAB-1', 0.86],
		['below the label after an empty line', 'Policy Number\n\n   AB-1', 0.86],
		[
			'below a label that stands alone, and further right',
			'Policy Number\n                              AB-1',
			0.86,
		],
		['behind another label', 'Policy No: AB-1', 0.893],
		['behind a label in capital letters', 'POLICY NUMBER: AB-1', 0.921],
		['behind a label without its space', 'PolicyNumber: AB-1', 0.921],
		['behind a label in the middle of a sentence', 'Your policy number: AB-1', 0.737],
	])('is found %s', (_where, text, score) => {
		expect(cellIn(text, POLICY)).toEqual({ value: 'AB-1', confidence_score: score });
	});

	test('is null with a score of 0 when none of its labels is found', () => {
		expect(cellIn('Prior carrier: AB-1', POLICY)).toEqual({ value: null, confidence_score: 0 });
	});

	test.each([
		['a label is only part of a word', 'Repolicy Number: AB-1'],
		['a label closes a sentence', 'See your policy number'],
		['a label is the last thing in the document', 'Policy Number:'],
		['the next line holds another label', 'Policy Number:\nInsured: Example'],
		['nothing stands below it in a form', 'A    Policy Number\nx'],
	])('is not found where %s', (_why, text) => {
		expect(cellIn(text, POLICY, [{ ...field('Insured'), name: 'other' }]).value).toBeNull();
	});

	test('is found below its label when a row of labels stands above a row of values', () => {
		const fields = [
			{ ...field('Policy Number'), name: 'policy' },
			{ ...field('Insured'), name: 'insured' },
		];
		expect(
			findFields(linesOfText('Policy Number   Insured\nAB-1            Example Ltd'), fields),
		).toEqual({
			policy: { value: 'AB-1', confidence_score: 0.86 },
			insured: { value: 'Example Ltd', confidence_score: 0.86 },
		});
	});

	test('ends where the next label in the same line begins', () => {
		const fields = [
			{ ...field('From', 'date'), name: 'from' },
			{ ...field('To', 'date'), name: 'to' },
		];
		expect(findFields(linesOfText('From: 01/02/2026 To: 01/02/2027'), fields)).toEqual({
			from: { value: '2026-01-02', confidence_score: 0.98 },
			to: { value: '2027-01-02', confidence_score: 0.98 },
		});
	});

	test('belongs to the longer of two labels', () => {
		const prior = { ...field('Prior Policy Number'), name: 'prior' };
		expect(cellIn('Prior Policy Number: OLD\nPolicy Number: NEW', POLICY, [prior])).toEqual({
			value: 'NEW',
			confidence_score: 0.98,
		});
	});

	test('follows a label that ends in a number sign without a colon', () => {
		expect(cellIn('Policy # AB-1', field('Policy #'))).toEqual({
			value: 'AB-1',
			confidence_score: 0.95,
		});
	});

	test('has a lower score when the document has different values for it', () => {
		expect(cellIn('Policy Number: AB-1\nPolicy No.: AB-2', POLICY)).toEqual({
			value: 'AB-1',
			confidence_score: 0.735,
		});
		expect(cellIn('Policy Number: AB-1\nPolicy No.: ab-1', POLICY)).toEqual({
			value: 'AB-1',
			confidence_score: 0.98,
		});
	});

	test('is kept as text with half the score when it is not of its type', () => {
		expect(cellIn('Premium: on request', field('Premium', 'amount'))).toEqual({
			value: 'on request',
			confidence_score: 0.49,
		});
	});

	test('spans several lines when it is multiline, up to an empty line or a label', () => {
		const story = field('Description', 'text', { multiline: true });
		expect(cellIn('Description: The car\nhit a tree.\n\nRegards', story).value).toBe(
			'The car hit a tree.',
		);
		expect(cellIn('Description:\nThe car\nhit a tree.\nWitness: none', story).value).toBe(
			'The car hit a tree.',
		);
		expect(cellIn('Description: The car\nhit a tree.', story).value).toBe('The car hit a tree.');
		expect(cellIn('Description: The car\nhit a tree.', field('Description')).value).toBe('The car');
	});

	test('is found in other scripts, and after labels with characters of regular expressions', () => {
		expect(cellIn('保険証券番号：東-1', field('保険証券番号'))).toEqual({
			value: '東-1',
			confidence_score: 0.98,
		});
		expect(cellIn('Номер полиса: Я-7', field('Номер полиса')).value).toBe('Я-7');
		expect(cellIn('Limit (each) [$]: 5', field('Limit (each) [$]', 'amount')).value).toBe(5);
	});
});
