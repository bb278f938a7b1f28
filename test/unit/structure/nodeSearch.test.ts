import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DocumentWorkflow } from '../../../nodes/DocumentWorkflow/DocumentWorkflow.node';
import { DocumentWorkflowTrigger } from '../../../nodes/DocumentWorkflow/DocumentWorkflowTrigger.node';

/** A node as n8n's list searches it, with n8n's own search functions. */
interface Listed {
	key: string;
	properties: { displayName: string; codex: { alias: string[] } };
}

interface Found {
	score: number;
	item: Listed;
}

/** The types of this package are of an ES module, which TypeScript refuses in a test. */
const { sublimeSearch } = jest.requireActual<{
	sublimeSearch: (words: string, nodes: Listed[]) => Found[];
}>('@n8n/utils/search/sublime-search');
const { reRankSearchResults } = jest.requireActual<{
	reRankSearchResults: (found: Found[], factors: Record<string, Record<string, number>>) => Found[];
}>('@n8n/utils/search/re-rank-search-results');

const NODES = join(__dirname, '../../../nodes/DocumentWorkflow');
const OURS = 'Document Workflow';

/** n8n shows an action and its trigger as one node: with the aliases of the action and the description of the trigger. */
const ours = listed(
	OURS,
	(
		JSON.parse(readFileSync(join(NODES, 'DocumentWorkflow.node.json'), 'utf8')) as {
			alias: string[];
		}
	).alias,
);

/** The nodes of n8n 2.41.1 in its list: display name, popularity (0 to 100) as in its editor, aliases. Separated by tabs and |. */
const others = readFileSync(join(__dirname, 'fixtures/n8n-nodes.tsv'), 'utf8')
	.trim()
	.split('\n')
	.map((line) => line.split('\t'));

const everyNode = [
	ours,
	...others.map(([name = '', , aliases = '']) => listed(name, aliases.split('|').filter(Boolean))),
];

/** No popularity is known of a community node. */
const popularity = Object.fromEntries(
	others.map(([name = '', percent = '0']) => [name, Number(percent)]),
);

function listed(displayName: string, alias: string[]): Listed {
	return { key: displayName, properties: { displayName, codex: { alias } } };
}

/** The place of the node in the list after a search, from 1; 0 where it is not found. */
function placeFor(words: string): number {
	const found = reRankSearchResults(sublimeSearch(words.toLowerCase(), everyNode), { popularity });
	return found.findIndex(({ item }) => item.key === OURS) + 1;
}

describe("n8n's node list", () => {
	it.each(
		`document, documents, document processing, documents processing, document AI, IDP, OCR, scan, PDF, parse,
		extract data, data extraction, extraction, attachment, attachments, email attachment, invoice, invoices, receipt,
		forms, intake, insurance, underwriting, submission, submissions, claim, claims, FNOL, policy, policies, loss run,
		loss runs, ACORD, statement of values, scanner, read pdf, scan document, image to text, endorsement, renewal,
		quote, underwriter, application, review, event, SharePoint, files, human in the loop, create execution, create and wait, certificate of insurance, contract, contracts, webhook, notification`
			.split(',')
			.map((words) => words.trim()),
	)('shows the node among the first three for "%s"', (words) => {
		expect(placeFor(words)).toBeGreaterThan(0);
		expect(placeFor(words)).toBeLessThanOrEqual(3);
	});

	it.each(['form', 'extract', 'table', 'file', 'email', 'COI'])(
		'finds the node by "%s", behind nodes that have this word in their name',
		(words) => {
			expect(placeFor(words)).toBeGreaterThan(3);
		},
	);

	it('does not find the node by a word of another trade', () => {
		expect(placeFor('spreadsheet')).toBe(0);
	});

	it('says with one sentence what the node is for, also where n8n shows the description of the trigger', () => {
		for (const { description } of [new DocumentWorkflow(), new DocumentWorkflowTrigger()])
			expect(description.description).toMatch(/^Extract data from documents\b[^.]+$/);
		expect(new DocumentWorkflowTrigger().description.description.length).toBeLessThanOrEqual(100);
	});

	it('has at least 40 search words, none of them twice', () => {
		const { alias } = ours.properties.codex;
		expect(alias.length).toBeGreaterThanOrEqual(40);
		expect(alias).toEqual([...new Set(alias)]);
	});
});
