import { COLUMNS, DECLARED, KINDS, LINES, STYLES, TEXT_CASES } from './texts';

const DATE = /^\d{4}-\d\d-\d\d(T\d\d:\d\d)?$/;
const [header, ...rows] = LINES;

describe('The table of texts', () => {
	it('has its columns in each line, and at least 450 rows', () => {
		expect(header).toEqual(COLUMNS);
		expect(rows.filter(({ length }) => length !== COLUMNS.length)).toEqual([]);
		expect(rows.length).toBeGreaterThanOrEqual(450);
	});

	it('knows each kind, style and declared type, and says yes or nothing', () => {
		const strange = rows.filter(
			([kind, , style, , declared, numberField, , , review, unmistakable]) =>
				!KINDS.some((known) => known === kind) ||
				!STYLES.some((known) => known === style) ||
				!DECLARED.some((known) => known === declared) ||
				[numberField, review, unmistakable].some((said) => said !== 'yes' && said !== ''),
		);
		expect(strange).toEqual([]);
	});

	it('has texts of each kind and style', () => {
		expect(new Set(TEXT_CASES.map(({ kind }) => kind))).toEqual(new Set(KINDS));
		expect(new Set(TEXT_CASES.map(({ style }) => style))).toEqual(new Set(STYLES));
	});

	it('has only texts as texts', () => {
		expect(TEXT_CASES.filter(({ text }) => typeof text !== 'string')).toEqual([]);
	});

	it('asks about no case twice', () => {
		const keys = TEXT_CASES.map(({ style, field, declared, isNumberField, text }) =>
			JSON.stringify([style, field, declared, isNumberField, text]),
		);
		expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([]);
	});

	it('expects the text itself, a finite number that is not -0, a date, a boolean or null', () => {
		const strange = TEXT_CASES.filter(({ text, expected }) => {
			if (typeof expected === 'number')
				return !Number.isFinite(expected) || Object.is(expected, -0);
			if (typeof expected === 'string') return expected !== text && !DATE.test(expected);
			return expected !== null && typeof expected !== 'boolean';
		});
		expect(strange).toEqual([]);
	});

	it('expects what is declared, or the text, or null', () => {
		const strange = TEXT_CASES.filter(({ declared, isNumberField, text, expected }) => {
			if (expected === text || expected === null) return false;
			if (declared === 'integer') return !Number.isInteger(expected);
			if (declared === 'number' || isNumberField) return typeof expected !== 'number';
			if (declared === 'boolean') return typeof expected !== 'boolean';
			if (declared === 'date') return typeof expected !== 'string' || expected.length !== 10;
			return declared === 'date-time' ? typeof expected !== 'string' : false;
		});
		expect(strange).toEqual([]);
	});

	it('asks only about texts that stay', () => {
		expect(
			TEXT_CASES.filter(({ isAsked, text, expected }) => isAsked && expected !== text),
		).toEqual([]);
	});

	it('asks about each text that stays where a number or a boolean is declared', () => {
		const isValue = ({ declared, isNumberField }: (typeof TEXT_CASES)[number]) =>
			['number', 'integer', 'boolean'].includes(declared) || isNumberField;
		const silent = TEXT_CASES.filter(
			(each) => isValue(each) && each.expected === each.text && !each.isAsked,
		);
		expect(silent).toEqual([]);
	});

	it('calls unmistakable only what becomes a value', () => {
		const strange = TEXT_CASES.filter(
			({ isUnmistakable, text, expected }) =>
				isUnmistakable && (expected === text || expected === null),
		);
		expect(strange).toEqual([]);
	});

	it('calls each value unmistakable, or notes why not', () => {
		const strange = TEXT_CASES.filter(
			({ isUnmistakable, text, expected, note }) =>
				expected !== text && expected !== null && !isUnmistakable && !note,
		);
		expect(strange).toEqual([]);
	});
});
