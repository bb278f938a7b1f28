import { isTrigger } from '../../../harness/example-workflows';
import type { World } from '../support';
import { LISTS } from './templates';
import {
	expectNoGaps,
	expectSuccess,
	itemsOfAllRuns,
	OURS,
	runToEnd,
	template,
	withProbes,
} from '../templateRuns';
import type { Template } from '../templateRuns';

type Json = Record<string, unknown>;

/** By example: where what a person must look at arrives. */
const PEOPLE: Record<string, string[]> = {
	'certificate-check': ['Tell the Team'],
	'claim-invoice': ['Tell the Claims Team'],
	'claims-by-mail': ['Tell the Claims Desk'],
	'drive-folder': ['Name the File'],
	'gmail-to-google-sheet': ['Add the Rows'],
	'imap-mailbox': ['Tell the Team'],
	'outlook-to-excel': ['Add a Row'],
	'overnight-batch': ['Send the Summary'],
	'sample-documents': ['Note What to Check'],
	'send-and-continue': ['Note the Problem'],
	'sharepoint-list': ['Mark as Done or Review', 'Mark as Failed'],
	submission: ['Tell the Team'],
};
/** Where the result of a step says nothing to a person: a file, whose fields are only values. */
const WITHOUT_ADVICE = ['overnight-batch'];

/** Values that a document may have where a number, a date or a text is expected. */
const VALUES: Record<string, unknown> = {
	text: 'See attached',
	nothing: null,
	boolean: false,
	list: ['a', 'b'],
	record: { amount: 1 },
	number: -1,
	unasked: '$1,404,166',
};
const REASONS: Record<string, Json> = {
	failed: { status: 'failed', failureReason: 'Page 3 is blank' },
	skipped: { status: 'skipped' },
	unfinished: { timedOut: true, status: 'running' },
	rejected: { error: { message: 'Refused', description: 'Look' } },
};

/** The examples with mails, files or forms whose results are as nobody hopes, all in one run. */
export function templatesOddSpec(world: () => World): void {
	it.each(Object.entries(PEOPLE))(
		'%s goes on whatever the values are, and leads each mail or file that needs a person to one, with the reason',
		async (name, people) => {
			const workflow = template(name);
			const { trigger, samples, odd } = oddIn(workflow);
			const execution = await runToEnd(world(), withProbes(odd, LISTS), trigger);
			expectSuccess(execution, people.slice(0, 1));
			expectNoGaps(execution, workflow);
			const told = people.map((each) => itemsOfAllRuns(execution, each)).flat();
			const texts = told.flatMap((json) => linesIn(json));
			const untold = samples.filter(
				(kind) =>
					kind !== 'unasked' &&
					!texts.some((text) => isTold(text, kind, WITHOUT_ADVICE.includes(name))),
			);
			expect(untold).toEqual([]);
		},
	);
}

const linkTo = (kind: string): string => `https://service.example.com/${kind}`;

/** The mail or its file, the reason, the link to the execution if there is one, and what to do. In the library, its row has the link. */
function isTold(text: string, kind: string, isBare: boolean): boolean {
	const isNamed = text.includes(`mail ${kind}`) || text.includes(`${kind}.pdf`);
	if (kind in VALUES && !text.includes(linkTo(kind)) && !text.includes('IntakeProblem'))
		return false;
	const advises = /\b(?:compare|enter|open|forward|ask|send|read|check)\b/i.test(text);
	return isNamed && text.includes(`Odd because of ${kind}`) && (isBare || advises);
}

/** An item as one text, or the lines of a list in it. */
function linesIn(json: Json): string[] {
	const text = JSON.stringify(json).replaceAll('\\n', '\n');
	return [text, ...text.split('\n- ').slice(1)];
}

/** The example with an item of its trigger for each kind, and what our nodes give for it. */
function oddIn(workflow: Template) {
	const { nodes, pinData } = workflow;
	const [trigger] = nodes.filter(isTrigger).map(({ name }) => name);
	const kinds = [...Object.keys(VALUES), ...Object.keys(REASONS)];
	const pinned = new Map(Object.entries(pinData));
	for (const [name, [sample]] of Object.entries(pinData)) {
		const { type = '' } = nodes.find((each) => each.name === name) ?? {};
		if (sample === undefined || type === `${OURS}Trigger`) continue;
		const itemOf = type === OURS ? resultOf : arrivalOf;
		pinned.set(
			name,
			kinds.map((kind, item) => ({ json: itemOf(sample.json, kind), pairedItem: { item } })),
		);
	}
	return { trigger, samples: kinds, odd: { ...workflow, pinData: Object.fromEntries(pinned) } };
}

const arrivalOf = (json: Json, kind: string): Json => ({
	...json,
	...('subject' in json ? { subject: `mail ${kind}` } : {}),
	...('name' in json ? { name: `${kind}.pdf` } : {}),
	...('fileName' in json ? { fileName: `${kind}.pdf` } : {}),
	...('id' in json ? { id: kind } : {}),
	...('threadId' in json ? { threadId: kind } : {}),
});

function resultOf(sample: Json, kind: string): Json {
	const needsReview = kind !== 'unasked';
	const review = { needsReview, toReview: needsReview ? `Odd because of ${kind}` : null };
	const more = REASONS[kind];
	const documents = [{ fileName: `${kind}.pdf` }];
	if ('row' in sample) {
		const ids = { fileName: `${kind}.pdf`, executionId: kind, executionUrl: linkTo(kind) };
		if (more !== undefined) return { ...review, step: null, row: null, ...ids };
		return { ...mapped(sample, kind, true), ...review, step: sample.step, row: 1, ...ids };
	}
	if (more?.error !== undefined) return { ...more, ...review };
	if (more !== undefined) return { data: {}, ...review, ...more, documents, skipped: [] };
	const data = (sample.data ?? {}) as Record<string, Json[]>;
	const fields = Object.entries(data).flatMap(([step, rows]) =>
		rows.flatMap((row, index) => Object.keys(row).map((field) => `${step}[${index}].${field}`)),
	);
	return {
		...sample,
		...review,
		data: Object.fromEntries(
			Object.entries(data).map(([step, rows]) => [step, rows.map((row) => mapped(row, kind))]),
		),
		lowConfidenceFields: (needsReview ? fields : []).map((field) => ({
			field,
			value: VALUES[kind],
			confidence: 0,
		})),
		documents,
		executionId: kind,
		executionUrl: linkTo(kind),
	};
}

/** In rows, a record and a list are texts. */
function mapped(row: Json, kind: string, isFlat = false): Json {
	const given = VALUES[kind];
	const value = isFlat && Object(given) === given ? JSON.stringify(given) : given;
	return Object.fromEntries(Object.keys(row).map((field) => [field, value]));
}
