import { readExampleWorkflows } from '../../../harness/example-workflows';

/** Which parameters of the node an example for mails may set. The defaults are right for a mailbox, so it sets nothing about mails. */
const ALLOWED = [
	...['operation', 'workflowId', 'output', 'step', 'groupBy', 'documentOptions.skipAlreadySent'],
	...['values', 'numberFields', 'requiredFields', 'includeFiles'].map(
		(name) => `outputOptions.${name}`,
	),
];

/** What the title of an example says it does. */
const BY_TITLE: Record<string, string[]> = {
	// A policy without an underwriter is to be checked.
	'imap-mailbox': ['outputOptions.fieldMinimums'],
	'outlook-to-excel': ['outputOptions.fieldMinimums'],
	// Joins both halves.
	'send-and-continue': ['inputs.metadata'],
	// Leads each file to the workflow for its kind.
	submission: ['documentOptions.fileNames'],
};

function pathsIn(parameters: unknown): string[] {
	return Object.entries(parameters as object).flatMap(([name, value]: [string, unknown]) =>
		typeof value === 'object' && value !== null && name !== 'workflowId'
			? Object.keys(value).map((inner) => `${name}.${inner}`)
			: [name],
	);
}

const MAILBOX = /\.(emailReadImap|microsoftOutlookTrigger|gmailTrigger)$/;
const examples = [...readExampleWorkflows()].filter(
	([, { nodes }]) =>
		nodes.some(({ type }) => MAILBOX.test(type)) &&
		nodes.some(({ type }) => type.endsWith('.documentWorkflow')),
);

describe('The examples for mails', () => {
	it('are found', () => {
		expect(examples.map(([name]) => name).sort()).toEqual([
			...['certificate-check', 'claim-invoice', 'gmail-to-google-sheet', 'imap-mailbox'],
			...['outlook-to-excel', 'send-and-continue', 'submission'],
		]);
	});

	it.each(examples)('set nothing about mails: %s', (name, { nodes }) => {
		const allowed = [...ALLOWED, ...(BY_TITLE[name] ?? [])];
		const set = nodes
			.filter(({ type }) => type.endsWith('.documentWorkflow'))
			.flatMap(({ parameters }) => pathsIn(parameters));
		expect(set.filter((path) => !allowed.includes(path))).toEqual([]);
	});
});
