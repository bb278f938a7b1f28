import type { NodeExecutionHint } from 'n8n-workflow';

import { listed, plainText } from '../../../service/text';
import { NEW_URL } from './fetchSteps';
import { escapeHtml } from './html';
import { type Fact, MAX_NAMED_VALUES, type Shaped } from './shape';

const MAX_NAMES = 10;

const MAX_NAME_LENGTH = 100;

/** The executions that have a fact. */
interface Found {
	/** Their names, each once and in quotes. */
	names: string;
	/** For example "3 of 40 executions". */
	executions: string;
	has: 'has' | 'have';
	some: Shaped[];
	all: Shaped[];
}

/** The text of a hint that is shown where an execution has such a fact. */
type Texts = Partial<Record<Fact, (found: Found) => string>>;

const WARNINGS: Texts = {
	failure: failures,
	lowValues: valuesToReview,
	stepsWithoutScores: ({ executions, has, names }) =>
		`${executions} ${has} no confidence scores, so nothing could be judged: ${names}`,
	fieldsWithoutData: ({ executions, has, names }) =>
		`${executions} ${has} no readable data. The answer has these fields: ${names}. To see all of it, choose 'Raw' under 'Output'`,
	partialStatus: ({ names }) =>
		`The service reports that a result is incomplete or needs review: its status is ${names}`,
	unknownStatus: ({ names }) =>
		`The status ${names} is unknown to this node. An execution with this status counts as completed if its steps have data, and as running otherwise`,
	unknownSteps: ({ names, all }) => `No step is named ${names}; ${stepsIn(all)}`,
	unknownFields: ({ names, all }) => `No field is named ${names}; ${stepsIn(all)}`,
	unknownMinimums: ({ names, all }) =>
		`'Minimums per Field': no field is named ${names}; ${stepsIn(all)}`,
	unknownRequired: ({ names, all }) =>
		`'Required Fields': no field is named ${names}; ${stepsIn(all)}`,
	notDownloaded,
};

const NOTES: Texts = {
	otherStepsField: ({ names }) =>
		`The answer has no steps. The data was read from the field ${names}`,
	unjudgedSteps: ({ executions, has, names }) =>
		`${executions} ${has} rows without confidence scores, which are not judged: ${names}`,
	convertible,
	numbersIfNamed: ({ names }) =>
		`Texts of these fields would be numbers if 'Number Fields' named them: ${names}`,
	inOtherStyle: ({ names }) =>
		`Some texts would be values in another style under 'Values', for example ${names}`,
	emptySteps: ({ names }) => `There are no rows in ${names}`,
	mixedSteps: ({ names }) =>
		`The items are rows of different steps: ${names}. For a table with the same columns in each row, enter one of them under 'Step'`,
	renamedFields: ({ names }) =>
		`Extracted fields named ${names} got underscores at the end of their names, because these names are reserved`,
};

/** Names that are there: what one execution lacks is not missing where another one has it. */
const KNOWN: Partial<Record<Fact, Fact>> = {
	unknownSteps: 'stepNames',
	unknownFields: 'foundFields',
	unknownMinimums: 'foundMinimums',
	unknownRequired: 'foundRequired',
};

/** The hints about the data, so that nothing is missing or left out silently. */
export function hintsForShaped(all: Shaped[]): NodeExecutionHint[] {
	return [
		...messages(WARNINGS, all).map((message) => hint('warning', message)),
		...messages(NOTES, all).map((message) => hint('info', message)),
	];
}

function messages(texts: Texts, all: Shaped[]): string[] {
	return Object.entries(texts).flatMap(([name, text]) => {
		const fact = name as Fact;
		const known = KNOWN[fact];
		const there = new Set(known && all.flatMap((each) => each[known]));
		const namesIn = (each: Shaped) => each[fact].filter((value) => !there.has(value));
		const some = all.filter((each) => namesIn(each).length > 0);
		const executions =
			all.length === 1 ? 'The execution' : `${some.length} of ${all.length} executions`;
		const has = some.length === 1 ? 'has' : 'have';
		const names = quote(some.flatMap(namesIn));
		return some.length === 0 ? [] : text({ names, executions, has, some, all });
	});
}

export function hint(type: 'info' | 'warning', message: string): NodeExecutionHint {
	return { message, type, location: 'outputPane' };
}

function failures({ executions, some }: Found): string {
	const reason = some.flatMap(({ failure }) => failure).find(Boolean);
	if (reason === undefined) return `${executions} failed. The service gives no reason`;
	const link = some.length === 1 ? ': ' : '. First reason: ';
	return `${executions} failed${link}${escapeHtml(plainText(reason))}`;
}

function valuesToReview({ executions, some, all }: Found): string {
	const count = some.reduce((sum, { lowCount }) => sum + lowCount, 0);
	const shown = some.flatMap(({ lowValues }) => lowValues).slice(0, MAX_NAMED_VALUES);
	const values = shown.map((value) => escapeHtml(plainText(value))).join('; ');
	const more = count > shown.length ? ` and ${count - shown.length} more` : '';
	const where = all.length === 1 ? '' : ` in ${executions}`;
	return `${count} ${count === 1 ? 'value needs' : 'values need'} review${where}: ${values}${more}`;
}

function convertible({ some }: Found): string {
	const count = sumOf(some, 'convertibleCount');
	const [are, them] =
		count === 1
			? ['1 text is a number or a date', 'it']
			: [`${count} texts are numbers or dates`, 'them'];
	const example = quote(some.flatMap((each) => each.convertible).slice(0, 1));
	return `${are}, for example ${example}. To convert ${them}, add 'Values' to the output options`;
}

function notDownloaded({ executions, some, all }: Found): string {
	const where = all.length === 1 ? '' : ` This concerns ${executions}.`;
	return `${escapeHtml(some[0]?.notDownloaded[0] ?? '')}.${where} ${NEW_URL}`;
}

function stepsIn(all: Shaped[]): string {
	const names = quote(all.flatMap(({ stepNames }) => stepNames));
	return names === '' ? 'there are no steps' : `the steps are: ${names}`;
}

function sumOf(all: Shaped[], count: 'lowCount' | 'convertibleCount'): number {
	return all.reduce((sum, each) => sum + each[count], 0);
}

function quote(names: string[]): string {
	const inQuotes = (name: string) => `"${escapeHtml(plainText(name, [], MAX_NAME_LENGTH))}"`;
	return listed([...new Set(names)], MAX_NAMES, inQuotes);
}
