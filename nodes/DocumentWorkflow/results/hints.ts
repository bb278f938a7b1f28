import type { NodeExecutionHint } from 'n8n-workflow';

import { listed, plainText } from '../../../service/text';
import { escapeHtml } from './html';
import type { Fact, Shaped } from './shape';

const MAX_NAMES = 10;

const MAX_NAME_LENGTH = 100;

/** The executions that have a fact. */
interface Found {
	/** Their names, each once and in quotes. */
	names: string;
	some: Shaped[];
	all: Shaped[];
}

/** By fact, the hint that is shown where an execution has it. What a single item needs review for is in its `toReview`. */
const TEXTS: Partial<Record<Fact, (found: Found) => string>> = {
	unknownMinimums: ({ names, all }) =>
		`'Minimums per Field': no field is named ${names}; ${stepsIn(all)}`,
	unjudgedSteps: ({ names }) => `Rows without confidence scores are not judged: ${names}`,
	convertible,
	numbersIfNamed: ({ names }) =>
		`Texts of these fields would be numbers if 'Number Fields' named them: ${names}`,
	inOtherStyle: ({ names }) =>
		`Some texts would be values in another style under 'Values', for example ${names}`,
	mixedSteps: ({ names }) =>
		`The items are rows of different steps: ${names}. For a table with the same columns in each row, enter one of them under 'Step'`,
	renamedFields: ({ names }) =>
		`Extracted fields named ${names} got underscores at the end of their names, because these names are reserved`,
};

/** The hints about the data of all executions. */
export function hintsForShaped(all: Shaped[]): NodeExecutionHint[] {
	// What one execution lacks is not missing where another one has it.
	const there = new Set(all.flatMap(({ foundMinimums }) => foundMinimums));
	return Object.entries(TEXTS).flatMap(([name, text]) => {
		const isMinimum = name === 'unknownMinimums';
		const namesIn = (each: Shaped) =>
			each[name as Fact].filter((value) => !isMinimum || !there.has(value));
		const some = all.filter((each) => namesIn(each).length > 0);
		const names = quote(some.flatMap(namesIn));
		const type = isMinimum ? 'warning' : 'info';
		return some.length === 0 ? [] : hint(type, text({ names, some, all }));
	});
}

export function hint(type: 'info' | 'warning', message: string): NodeExecutionHint {
	return { message, type, location: 'outputPane' };
}

function convertible({ some }: Found): string {
	const count = some.reduce((sum, { convertibleCount }) => sum + convertibleCount, 0);
	const [are, them] =
		count === 1
			? ['1 text is a number or a date', 'it']
			: [`${count} texts are numbers or dates`, 'them'];
	const example = quote(some.flatMap((each) => each.convertible).slice(0, 1));
	return `${are}, for example ${example}. To convert ${them}, add 'Values' to the output options`;
}

function stepsIn(all: Shaped[]): string {
	const names = quote(all.flatMap(({ stepNames }) => stepNames));
	return names === '' ? 'there are no steps' : `the steps are: ${names}`;
}

function quote(names: string[]): string {
	const inQuotes = (name: string) => `"${escapeHtml(plainText(name, [], MAX_NAME_LENGTH))}"`;
	return listed([...new Set(names)], MAX_NAMES, inQuotes);
}
