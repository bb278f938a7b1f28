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
}

/** By fact, the hint where an execution has it. Why a single item needs review is in its `toReview`. */
const TEXTS: Partial<Record<Fact, (found: Found) => string>> = {
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
	const notes = Object.entries(TEXTS).flatMap(([name, text]) => {
		const namesIn = (each: Shaped) => each[name as Fact];
		const some = all.filter((each) => namesIn(each).length > 0);
		const names = quote(some.flatMap(namesIn));
		return some.length === 0 ? [] : hint('info', text({ names, some }));
	});
	return [...unknownMinimums(all), ...notes];
}

/** What one execution lacks is not missing where another one has it. */
function unknownMinimums(all: Shaped[]): NodeExecutionHint[] {
	const found = new Set(all.flatMap(({ foundMinimums }) => foundMinimums));
	const lacking = all.flatMap((each) => each.unknownMinimums).filter((name) => !found.has(name));
	if (lacking.length === 0) return [];
	const steps = quote(all.flatMap(({ stepNames }) => stepNames));
	return [
		hint(
			'warning',
			`'Minimums per Field': no field is named ${quote(lacking)}; the steps are: ${steps}`,
		),
	];
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

function quote(names: string[]): string {
	const inQuotes = (name: string) => `"${escapeHtml(plainText(name, [], MAX_NAME_LENGTH))}"`;
	return listed([...new Set(names)], MAX_NAMES, inQuotes);
}
