import { fieldOf, readValue } from '../../../../../nodes/DocumentWorkflow/results/values/convert';
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

void KINDS;
void STYLES;
