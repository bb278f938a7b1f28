/** What stands above the output items: all hints of the action node are made here. Why a single item needs review is in its `toReview`. */
import type { INodeExecutionData, NodeExecutionHint } from 'n8n-workflow';

import { listed, plainText } from '../../../../service/text';
import { type About, describeSkip } from '../../about';
import type { TextFacts } from '../judge/values/texts';
import { skippedInReview } from './toReview';
import { escapeHtml } from './words';

const MAX_NAMES = 10;

/** In characters. */
const MAX_NAME_LENGTH = 100;
const MAX_REASON = 500;

/** What hints say of what an output makes of the data. */
export interface ItemFacts {
	/** Steps whose rows are mixed in one table. */
	mixedSteps: string[];
	/** Extracted fields that have another name in the items. */
	renamedFields: string[];
}

export const NO_ITEM_FACTS: ItemFacts = { mixedSteps: [], renamedFields: [] };

/** What hints say of the data of an execution: mostly names. */
export interface Facts extends TextFacts, ItemFacts {
	/** Fields without a value that need review, where no field is required. */
	emptyFields: string[];
	/** Steps whose rows have no score, while others have one. */
	unjudgedSteps: string[];
	stepNames: string[];
	/** Minimums per field that no field has, and that a field has. */
	unknownMinimums: string[];
	foundMinimums: string[];
}

/** What is known of an execution, even if it has no output item or failed. */
export interface JobOutput {
	itemIndexes: number[];
	about: About;
	/** Undefined where there is no data. */
	facts: Facts | undefined;
	items: INodeExecutionData[];
}

/** Facts with names, and what to say of those, each once. */
const OF_DATA = {
	unjudgedSteps: (names) =>
		`Some rows of these steps have no confidence score and were not checked: ${names}`,
	emptyFields: (names) =>
		`Fields without a value need review: ${names}. If these may be empty, add 'Required Fields' to the output options, and name there only the fields that need a value`,
	convertible: (_names, some) => describeConvertible(some),
	numbersIfNamed: (names) =>
		`These fields have texts that look like numbers: ${names}. To convert them, enter the fields under 'Number Fields' in the output options`,
	inOtherStyle: (names) =>
		`Some texts are numbers or dates in another style, for example ${names}. If your documents use that style, choose it under 'Numbers and Dates' in the output options`,
	mixedSteps: (names) =>
		`The items are rows of different steps: ${names}. For a table with the same columns in each row, enter one of them under 'Step'`,
	renamedFields: (names) =>
		`Extracted fields named ${names} got underscores at the end of their names, because these names are reserved`,
} satisfies Partial<Record<keyof Facts, (names: string, some: Facts[]) => string>>;

/** The hints above the output items, so that nothing is skipped silently. `keptRunning`: why n8n did not pause during a long wait. */
export function hintsOf(all: JobOutput[], keptRunning?: string): NodeExecutionHint[] {
	return [
		...hintsOfReview(all.flatMap(({ items }) => items)),
		...hintsOfData(all.flatMap(({ facts }) => facts ?? [])),
		...hintsOfSending(all),
		...hintsOfSkipped(all),
		...(keptRunning === undefined ? [] : [hint('info', keptRunning)]),
	];
}

export function hintsOfData(all: Facts[]): NodeExecutionHint[] {
	const facts = Object.keys(OF_DATA) as Array<keyof typeof OF_DATA>;
	const ofNames = facts.flatMap((fact) => {
		const some = all.filter((each) => [...each[fact]].length > 0);
		if (some.length === 0) return [];
		const names = quote(some.flatMap((each) => [...each[fact]]));
		return [hint('info', OF_DATA[fact](names, some))];
	});
	return [...hintsOfMinimums(all), ...ofNames];
}

function hintsOfSending(all: JobOutput[]): NodeExecutionHint[] {
	const unknown = all.filter(({ about }) => about.outcome === 'unknown');
	const again = all.filter(({ about }) => about.sentAgain);
	const share = (some: JobOutput[]) => `${countOf(some)} of ${countOf(all)} items`;
	const unknownText = `For ${share(unknown)} it is unknown whether an execution was started. Check the dashboard of the service before you send them again`;
	const againText = `For ${share(again)} an earlier n8n execution may have sent the same documents. Check the dashboard of the service for a second execution`;
	return [
		...(unknown.length > 0 ? [hint('warning', unknownText)] : []),
		...(again.length > 0 ? [hint('warning', againText)] : []),
	];
}

export function hintOfNoFiles(): NodeExecutionHint {
	return hint(
		'warning',
		"No input item has a file. If a file is missing, connect a node that outputs files, such as a mail trigger, or choose another source under 'Documents'",
	);
}

function hint(type: 'info' | 'warning', message: string): NodeExecutionHint {
	return { message, type, location: 'outputPane' };
}

/** The skipped documents that the hint about review, which quotes the first item, does not name. */
function hintsOfSkipped(all: JobOutput[]): NodeExecutionHint[] {
	const quoted = all.find(({ items }) => items.some(needsReview));
	const untold = all.flatMap((each) => {
		const told = each === quoted ? skippedInReview(each.about) : [];
		const { skipped = [] } = each.about;
		return skipped.filter((file) => !told.includes(file));
	});
	const others = untold.map(
		(file) => `"${escapeHtml(file.fileName)}" (${escapeHtml(describeSkip(file))})`,
	);
	if (others.length === 0) return [];
	const documents = others.length === 1 ? '1 document was' : `${others.length} documents were`;
	return [hint('info', `${documents} skipped: ${listed(others, MAX_NAMES)}`)];
}

function needsReview({ json }: INodeExecutionData): boolean {
	return json.needsReview === true;
}

/** How many items need review, and why the first of them does. */
function hintsOfReview(items: INodeExecutionData[]): NodeExecutionHint[] {
	const some = items.filter(needsReview);
	const [first] = some;
	if (first === undefined) return [];
	const reason: unknown = first.json.toReview;
	const [which, need] = some.length === 1 ? ['. ', 'needs'] : ['. The first: ', 'need'];
	const count =
		items.length === 1
			? 'The item needs review'
			: `${some.length} of ${items.length} items ${need} review`;
	const text = `${count}${which}${String(reason)}`;
	return [hint('warning', escapeHtml(plainText(text, [], MAX_REASON)))];
}

/** A minimum is unknown only if no execution has a field of its name. */
function hintsOfMinimums(all: Facts[]): NodeExecutionHint[] {
	const found = new Set(all.flatMap(({ foundMinimums }) => foundMinimums));
	const lacking = all.flatMap((each) => each.unknownMinimums).filter((name) => !found.has(name));
	if (lacking.length === 0) return [];
	const steps = quote(all.flatMap(({ stepNames }) => stepNames));
	const text = `'Minimums per Field': no field is named ${quote(lacking)}; the steps are: ${steps}`;
	return [hint('warning', text)];
}

function describeConvertible(some: Facts[]): string {
	const count = some.reduce((sum, { convertibleCount }) => sum + convertibleCount, 0);
	const [are, them] =
		count === 1
			? ['1 text is a number or a date', 'it']
			: [`${count} texts are numbers or dates`, 'them'];
	const example = quote(some.flatMap((each) => [...each.convertible]).slice(0, 1));
	return `${are}, for example ${example}. To convert ${them}, choose a style under 'Numbers and Dates' in the output options`;
}

function quote(names: string[]): string {
	const inQuotes = (name: string) => `"${escapeHtml(plainText(name, [], MAX_NAME_LENGTH))}"`;
	return listed([...new Set(names)], MAX_NAMES, inQuotes);
}

/** Of input items. */
function countOf(some: JobOutput[]): number {
	return new Set(some.flatMap(({ itemIndexes }) => itemIndexes)).size;
}
