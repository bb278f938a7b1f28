import { readValue } from '../../../../../nodes/DocumentWorkflow/results/judge/values/convert';
import { fieldOf } from '../../../../../nodes/DocumentWorkflow/results/judge/values/field';
import type { DeclaredType } from '../../../../../service/contract';
import { KINDS, STYLES, TEXT_CASES, TODAY } from './texts';
import type { TextCase } from './texts';

function outcomeOf({ text, field, declared, isNumberField, style }: TextCase) {
	const known = fieldOf(field, declared === '' ? undefined : declared, isNumberField);
	const { value = text, needed } = readValue(text, known, { style, today: TODAY });
	return { value, isAsked: needed !== undefined };
}

const shown = ({ kind, style, field, declared, isNumberField, text }: TextCase) =>
	[kind, style, field, isNumberField ? 'Number Fields' : declared, JSON.stringify(text)].join(
		' | ',
	);

/** For US, UK and Europe. */
const FIGURES = [
	'money: 137 56 54 0, 55 12 25 0, 56 12 36 0',
	'count: 14 10 7 0, 5 1 1 0, 8 1 1 0',
	'number: 15 14 17 1, 7 6 3 1, 11 9 7 1',
	'date: 71 32 51 0, 46 19 15 0, 65 18 24 0',
	'boolean: 14 4 9 2, 0 0 0 1, 7 4 0 0',
	'identifier: 4 60 8 0, 0 9 0 0, 0 20 0 0',
	'percent: 7 11 8 0, 1 2 1 0, 4 4 1 0',
	'absent: 0 5 0 43, 0 0 0 6, 0 4 0 11',
	'words: 0 27 8 0, 0 7 0 0, 0 6 7 0',
	'misread: 0 7 16 0, 0 1 1 0, 0 0 3 0',
	'hostile: 7 25 55 0, 0 0 1 0, 1 5 0 0',
];

describe('Each text of the table', () => {
	it('becomes the value that it is, or stays', () => {
		const wrong = TEXT_CASES.flatMap((each) => {
			const { value } = outcomeOf(each);
			return Object.is(value, each.expected)
				? []
				: `${shown(each)}: ${JSON.stringify(each.expected)} expected, got ${JSON.stringify(value)} (${each.note})`;
		});
		expect(wrong).toEqual([]);
	});

	it('is asked for where it should have been a value', () => {
		const wrong = TEXT_CASES.flatMap((each) => {
			const { value, isAsked } = outcomeOf(each);
			return isAsked === each.isAsked || value !== each.expected
				? []
				: `${shown(each)}: ${isAsked ? 'asked' : 'not asked'} (${each.note})`;
		});
		expect(wrong).toEqual([]);
	});
});

describe('The figures of the table', () => {
	it('are by kind and style: converted, left as text, asked for, null', () => {
		const figures = KINDS.map((kind) => {
			const counts = STYLES.map((style) => {
				const own = TEXT_CASES.filter((each) => each.kind === kind && each.style === style);
				const outcomes = own.map((each) => ({ ...outcomeOf(each), text: each.text }));
				const count = (is: (each: (typeof outcomes)[number]) => boolean) =>
					outcomes.filter(is).length;
				return [
					count(({ value, text }) => value !== null && value !== text),
					count(({ value, text, isAsked }) => value === text && !isAsked),
					count(({ isAsked }) => isAsked),
					count(({ value }) => value === null),
				].join(' ');
			});
			return `${kind}: ${counts.join(', ')}`;
		});
		expect(figures).toEqual(FIGURES);
	});

	it('leave out no text that is unmistakable', () => {
		const unmistakable = TEXT_CASES.filter(({ isUnmistakable }) => isUnmistakable);
		expect(unmistakable.length).toBeGreaterThan(400);
		expect(unmistakable.filter((each) => outcomeOf(each).value === each.text)).toEqual([]);
	});
});

describe('A text', () => {
	const us = (text: string, name: string, declared?: DeclaredType) =>
		readValue(text, fieldOf(name, declared), { style: 'us', today: TODAY });

	it.each<[DeclaredType, string]>([
		['number', 'number'],
		['integer', 'number'],
		['boolean', 'boolean'],
		['date', 'date'],
		['date-time', 'date'],
	])('that is none, where %s is declared, should be a %s', (declared, needed) => {
		expect(us('soon', 'a', declared)).toEqual({ needed });
	});

	it('is of no declared type by default', () => {
		expect(us('1,250', 'a')).toEqual({});
		expect(fieldOf('a', 'date', true)).toMatchObject({ declared: 'date', isByPerson: false });
		expect(fieldOf('a', undefined, true)).toMatchObject({ declared: 'number', isByPerson: true });
	});

	it('should have been a number or a date', () => {
		expect(us('$1M', 'a')).toEqual({ needed: 'number' });
		expect(us('1,O00', 'limit')).toEqual({ needed: 'number' });
		expect(us('31/12/2024', 'a')).toEqual({ needed: 'date' });
		expect(us('spring 2024', 'date')).toEqual({ needed: 'date' });
	});

	it('may have 65 characters, and spaces around them', () => {
		expect(us(`${' '.repeat(99)}1,250\n${' '.repeat(99)}`, 'limit')).toEqual({ value: 1250 });
		expect(us(' '.repeat(99), 'limit')).toEqual({ value: null });
		expect(us(`1${' '.repeat(63)}%`, 'size', 'number')).toEqual({ value: 1 });
		expect(us(`1${' '.repeat(64)}%`, 'size', 'number')).toEqual({ needed: 'number' });
		expect(us('9'.repeat(66), 'limit')).toEqual({ needed: 'number' });
		expect(us(`${'9'.repeat(64)} each`, 'limit')).toEqual({});
		expect(us(`${'9'.repeat(65)}\n each`, 'limit')).toEqual({ needed: 'number' });
		expect(us(`effective 2024 ${'x'.repeat(60)}`, 'date')).toEqual({ needed: 'date' });
	});

	it('has the groups of Switzerland with both apostrophes', () => {
		expect(us('1’250.5', 'limit')).toEqual({ value: 1250.5 });
		expect(us('1’25.5', 'limit')).toEqual({ needed: 'number' });
		expect(us('\u00a01,250\u00a0', 'limit')).toEqual({ value: 1250 });
		expect(us('+-5', 'limit')).toEqual({ needed: 'number' });
	});

	it.each([
		['12:59 pm', 'T12:59'],
		['12:01 am', 'T00:01'],
		['23:59', 'T23:59'],
		['11:59 p.m.', 'T23:59'],
	])('may have the time of day %s', (time, iso) => {
		expect(us(`7/4/2024 ${time}`, 'a')).toEqual({ value: `2024-07-04${iso}` });
	});

	it.each(['13:00 pm', '24:00', '7:60', 'noon'])('has no time of day %s', (time) => {
		expect(us(`7/4/2024 ${time}`, 'date')).toEqual({ needed: 'date' });
		expect(us(`7/4/2024 ${time}`, 'a')).toEqual({});
	});

	it('has a year of two digits from 79 years back to 20 ahead, and a birth is not ahead', () => {
		const yearOf = (year: string, name: string) => us(`11/24/${year}`, name).value;
		expect(yearOf('46', 'date')).toBe('2046-11-24');
		expect(yearOf('47', 'date')).toBe('1947-11-24');
		expect(yearOf('26', 'dob')).toBe('2026-11-24');
		expect(us('11/25/26', 'dob').value).toBe('1926-11-25');
		expect(us('11/24/2046', 'dob').value).toBe('2046-11-24');
	});

	it('has a full year from 1900 to 2099 where its name says no date', () => {
		expect(us('1/2/1899', 'a')).toEqual({});
		expect(us('1/2/1899', 'date')).toEqual({ value: '1899-01-02' });
		expect(us('1/2/2100', 'a')).toEqual({});
		expect(us('2/30/2024', 'a')).toEqual({ needed: 'date' });
		expect(us('13/13/2024', 'a')).toEqual({ needed: 'date' });
		expect(us('12 apples 2024', 'a')).toEqual({});
	});

	it.each([
		['policy.limit', true],
		['limit.type', false],
		['Policy No. limit', false],
		['Policy #', false],
		['Policy # Premium', false],
		['effective_time', false],
		['limits2', true],
		[`${'x'.repeat(300)} limit`, true],
		[`number ${'x'.repeat(300)} limit`, true],
		['', false],
	])('is read by the last part of the name %j', (name, isMoney) => {
		expect(us('1,250', name)).toEqual(isMoney ? { value: 1250 } : {});
	});

	it('is read by the whole name where words stand before its last part', () => {
		expect(us('1,250', 'date of the policy.limit')).toEqual({ needed: 'date' });
	});

	it('is no date where the name says a time of day', () => {
		expect(us('12:01', 'effective_time')).toEqual({});
		expect(us('12:01', 'effective')).toEqual({ needed: 'date' });
	});
});
