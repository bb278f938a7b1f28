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
	return search(words).indexOf(OURS) + 1;
}

function search(words: string): string[] {
	const found = sublimeSearch(words.toLowerCase(), everyNode);
	return reRankSearchResults(found, { popularity }).map(({ item }) => item.key);
}

/** What people type for their documents and tasks, by the place that the node then has in the list. 0: it is not found. */
const WORDS: Record<number, string> = {
	1: `endorsements, renewals, quotes, bordereau, bordereaux, commission statement, commission statements, policy checking,
		schedule of values, driver list, claims intake, first notice of loss, ACORD 25, ACORD 125, repair estimate, workers comp,
		inspection report, human review, MGA, carrier, agency, endorsement, renewal, quote, automate policy checking, policy check,
		COI tracking, commission reconciliation, certificate of insurance, certificates of insurance, loss run, loss runs,
		submission, submissions, submission intake, underwriting, underwriter, application, applications, declarations page,
		dec page, statement of values, SOV, vehicle schedule, drivers list, ACORD, ACORD form, ACORD 1, broker, brokers,
		insurance agent, carriers, adjuster, claims adjuster, reinsurance, insurance, policy, policies, policy review,
		compare policies, policy changes, change request, renewal list, expiring policies, general liability, commercial auto,
		commercial property, workers compensation, claim, claims, FNOL, claims processing, claim form, loss history, invoices,
		invoice processing, premium bordereau, missing documents, email intake, email attachments, attachment, attachments,
		mailroom, data entry, document, documents, document AI, document processing, IDP, intelligent document processing,
		extract data, scanned documents, read pdf, pdf to excel, unstructured data, human in the loop, review, intake,
		straight through processing, proof of insurance, certificate of liability insurance, quote vs policy, read scanned pdf,
		extract table from pdf`,
	2: 'invoice, data extraction, extraction, OCR, scan, PDF, forms',
	0: 'bank statement, passport, purchase order, webhook, SharePoint, google sheets, files',
};

const BY_PLACE = Object.entries(WORDS).map(
	([place, words]) => [Number(place), words.split(',').map((each) => each.trim())] as const,
);

describe("n8n's node list", () => {
	it.each(BY_PLACE)(
		'has the node at place %i, where 0 is none, for what people type',
		(place, words) => {
			const places = words.map((each) => [each, placeFor(each)] as const);
			expect(places.filter(([, found]) => found !== place)).toEqual([]);
		},
	);

	it('has the node first for most words of the tasks, and lacks it for few', () => {
		const [all = [], first = [], absent = []] = [
			BY_PLACE.flatMap(([, words]) => words),
			...[1, 0].map((at) => BY_PLACE.flatMap(([place, words]) => (place === at ? words : []))),
		];
		expect(all).toEqual([...new Set(all)]);
		expect(all.length).toBeGreaterThanOrEqual(110);
		expect(first.length / all.length).toBeGreaterThanOrEqual(0.8);
		expect(absent.length / all.length).toBeLessThanOrEqual(0.1);
	});

	it('has the node behind each node whose name is typed', () => {
		const ahead = others.filter(([name = '']) => {
			const found = search(name);
			return found.includes(OURS) && found.indexOf(OURS) < found.indexOf(name);
		});
		expect(ahead).toEqual([]);
	});

	it('does not find the node by a word of another trade', () => {
		expect(placeFor('spreadsheet')).toBe(0);
	});

	it('says with one sentence what the node is for, also where n8n shows the description of the trigger', () => {
		for (const { description } of [new DocumentWorkflow(), new DocumentWorkflowTrigger()])
			expect(description.description).toMatch(/^Extract data from documents\b[^.]+$/);
		expect(new DocumentWorkflowTrigger().description.description.length).toBeLessThanOrEqual(100);
	});

	it('knows no search word twice', () => {
		const { alias } = ours.properties.codex;
		expect(alias).toEqual([...new Set(alias)]);
	});
});
