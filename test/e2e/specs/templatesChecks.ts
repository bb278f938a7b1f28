import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withCredential, withSetting } from '../../../harness/example-workflows';
import { output, type Execution } from '../../../harness/n8n-execution';
import { startPostgres, type Postgres } from '../../../harness/postgres';
import { chain, node } from '../flows';
import { DOCUMENTS, expectedOf, type World } from '../support';
import {
	asTemplate,
	expectSampleShape,
	submitExample,
	template,
	withNode,
	withProbes,
	withQuickService,
	withService,
} from '../templateRuns';

const NAME = 'rows-into-postgresql';
const KEY = 'policy_number, limit_applies_to';
type Send = (files: Record<string, string | Uint8Array<ArrayBuffer>>) => Promise<Execution>;
const CARRIER = 'Example Mutual Insurance Company';
const file = (name: string) => ({
	[name]: new Uint8Array(readFileSync(join(DOCUMENTS, name))),
});
const sent = (execution: Execution, name: string) =>
	output(execution, name).map(({ json }) => json);

/** The templates that compare documents with each other or with a table, and that save rows by key, with the simulated service. */
export function templatesChecksSpec(world: () => World): void {
	it.each([
		[
			'policy-check',
			['issued-policy.pdf', 'quote.pdf'],
			[
				['policy, deductible', '5,000', '2,500'],
				['policy, loss_payee', 'not stated', 'Fictional Savings Bank'],
				['coverages: Business Personal Property, limit', '460,000', '640,000'],
				[
					'forms: EX 22 10 (06 24)',
					'missing',
					'form: EX 22 10 (06 24), name: Additional Insured - Manager or Lessor of Premises',
				],
			],
		],
		[
			'endorsement-check',
			['endorsement.pdf', 'change-request.txt'],
			[
				['policy, effective_date', '2026-07-15', '2026-06-15'],
				['changes: Business Personal Property, premises 2, limit', ...['3,040,000', '3,400,000']],
				[
					...['changes: Signs, premises 1', 'missing'],
					'item: Signs, premises 1, change: Add coverage, limit: 40,000, deductible: 1,000',
				],
			],
		],
	])(
		'%s sends the differences between both documents as a table, with page and quote',
		async (name, documents, differences) => {
			await withQuickService(world(), async (own) => {
				const execution = await submitExample(own, name, ['Example', ...documents.map(file)]);
				const [mail, ...more] = sent(execution, 'Send the Differences');
				expect(more).toEqual([]);
				expect(tableIn(mail?.html)).toEqual(differences);
				expect(mail?.html).toMatch(/<td>(460|3,040),000<br>page 1: &#34;.+&#34;<\/td>/);
				expectSampleShape(execution, name, 'Read Both Documents');
			});
		},
	);

	it('policy-check tells that all is equal, shows no HTML of a document, and says what was not read', async () => {
		await withQuickService(world(), async (own) => {
			const check = async (issued: string, quote: string) =>
				submitExample(own, 'policy-check', [
					'Example',
					{ 'issued.txt': issued },
					{ 'quote.txt': quote },
				]);
			const equal = sent(await check(paper('Ann'), paper('ANN ')), 'Tell That All Is Equal');
			expect(equal).toMatchObject([{ text: expect.stringContaining('all values equal: 1\n') }]);
			const [mail] = sent(await check(paper('<img src=x>'), paper('Ann')), 'Send the Differences');
			expect(mail?.html).toContain('<td>&#60;img src=x&#62;<br>');
			const action = { type: 'status', status: 400 } as const;
			own.simulator.state.faults.add({ route: 'create', times: 1, action });
			const failed = await check(paper('Ann'), paper('Bob'));
			expect(sent(failed, 'Tell What Failed')).toMatchObject([
				{
					text: expect.stringMatching(/\n(issued|quote)\.txt, The workflow rejected the request/),
				},
			]);
		});
	});

	it('commission-statement sends what differs from the policies in a table, and lines without an amount with their values', async () => {
		await withQuickService(world(), async (own) => {
			const statement = 'commission-statement.pdf';
			const submit = async (document: ReturnType<typeof file> | Record<string, string>) =>
				submitExample(own, 'commission-statement', [CARRIER, document], withPolicies(own));
			const execution = await submit(file(statement));
			const [mail, ...more] = output(execution, 'Send the Differences');
			expect(more).toEqual([]);
			expect(
				tableIn(mail?.json.html).map(([result, policy, , , , difference]) => [
					result,
					policy,
					difference,
				]),
			).toEqual([
				['Different amount', 'EMC-CA-1048825-26', '-936.50'],
				['Not one of your policies', 'EMC-BOP-1061902-26', '1032.60'],
				['Not on the statement', 'EMC-UM-1048826-26', '-1486.35'],
			]);
			const [total] = expectedOf('commission-statement').steps.statement ?? [];
			expect(mail?.json.html).toContain(
				`<p>${statement}: 4 policies match. Paid: ${String(total?.total_commission)}</p>`,
			);
			expect(Object.values(mail?.binary ?? {})).toMatchObject([{ fileName: 'commissions.xlsx' }]);
			expectSampleShape(execution, 'commission-statement', 'Read the Statement');
			const unread = await submit({ 'odd.txt': STATEMENT });
			expect(sent(unread, 'Tell What Was Not Read')).toMatchObject([
				{ text: expect.stringContaining('policy_number: EX-1\ninsured: Ann\n') },
			]);
		});
	});

	describe('with PostgreSQL', () => {
		let postgres: Postgres;
		beforeAll(async () => {
			postgres = await startPostgres();
		});
		afterAll(async () => postgres.stop());

		/** The example with the database, in a table of its own, and what the table has. */
		async function withTable(
			table: string,
			key: string,
			work: (send: Send, stored: () => Promise<object[]>) => Promise<void>,
		): Promise<void> {
			await withQuickService(world(), async (own) => {
				const { host, port, user, database } = postgres;
				const data = { host, port, user, database, password: '', ssl: 'disable' };
				const id = await own.client.createCredential({ name: 'PG', type: 'postgres', data });
				const credential = { id, name: 'PG' };
				const example = withService(own, template(NAME));
				const live = withProbes(example, ['Make the Table', 'Save the Rows']);
				const set = withSetting(withSetting(live, 'table', table), 'key', key);
				const workflow = asTemplate(withCredential(set, credential, 'postgres'));
				const query = `SELECT policy_number, type, effective_date::text, expiration_date::text, "limit"::float, limit_applies_to FROM "${table}" ORDER BY type, limit_applies_to`;
				const parameters = { operation: 'executeQuery', query, options: {} };
				const select = chain('Select', node('Select', 'n8n-nodes-base.postgres', 2.6, parameters));
				await work(
					async (files) => submitExample(own, NAME, [files], workflow),
					async () =>
						sent(
							await own.client.runToEnd(withCredential(select, credential, 'postgres')),
							'Select',
						),
				);
			});
		}

		it('rows-into-postgresql makes the table and saves each policy once, also when it gets the certificate a second time, and then tells the team what it did not save', async () => {
			await withTable('policies', KEY, async (send, stored) => {
				const certificate = file('certificate-of-insurance.pdf');
				const first = await send({ ...certificate, 'letter.txt': 'No policies' });
				const rows = await stored();
				const { policies = [] } = expectedOf('certificate-of-insurance').steps;
				expect(new Set(rows)).toEqual(new Set(policies));
				expect(sent(first, 'Tell the Team')).toMatchObject([
					{ text: expect.stringContaining('File: letter.txt\nReason: ') },
				]);
				expect(Object.keys(first.runs).at(-1)).toBe('Tell the Team');
				await send(certificate);
				expect(await stored()).toEqual(rows);
				expectSampleShape(first, NAME, 'Read the Documents');
			});
		});

		it('rows-into-postgresql saves both limits of a policy in a table with capital letters, and corrects them, but saves no row with the key of another', async () => {
			await withTable('Fleet_Vehicles', KEY, async (send, stored) => {
				const limits = async () =>
					(await stored()).map((row) => Object.values<unknown>({ ...row }).slice(-2));
				await send({ 'certificate.txt': certificateOf('2,000,000') });
				const aggregate = [2_000_000, 'General aggregate'];
				expect(await limits()).toEqual([[1_000_000, 'Each occurrence'], aggregate]);
				await send({ 'corrected.txt': certificateOf('3,000,000') });
				const corrected = [
					[1_000_000, 'Each occurrence'],
					[3_000_000, 'General aggregate'],
				];
				expect(await limits()).toEqual(corrected);
				const twice = await send({
					'one.txt': certificateOf('4,000,000'),
					'two.txt': certificateOf('5,000,000'),
				});
				expect(await limits()).toEqual(corrected);
				const [mail] = sent(twice, 'Tell the Team');
				const reasons = String(mail?.text).match(/^Reason: .*$/gm);
				expect(reasons).toEqual(Array<string>(4).fill('Reason: another row has the same key'));
			});
		});

		it('rows-into-postgresql sends the rows and the reason to the team if the database refuses them, and those to check too', async () => {
			await withTable('other_key', 'policy_number', async (send, stored) => {
				const execution = await send({
					...file('certificate-of-insurance.pdf'),
					'letter.txt': 'No policies',
				});
				expect(sent(execution, 'Tell the Team')).toHaveLength(1);
				expect(await stored()).toEqual([]);
				const [mail, ...more] = sent(execution, 'Tell That It Failed');
				expect(more).toEqual([]);
				expect(mail?.text).toMatch(/^Reason: .*ON CONFLICT.*\n\n/m);
				expect(String(mail?.text).match(/^policy_number: /gm)).toHaveLength(5);
				expect(mail?.text).toContain('\nFile: certificate-of-insurance.pdf\nExecution: ');
			});
		});
	});
}

/** The cells of the table in a mail, without page and quote. */
function tableIn(html: unknown): string[][] {
	const [, ...rows] = String(html).split('<tr>').slice(1);
	return rows.map((row) =>
		[...row.matchAll(/<td>(.*?)<\/td>/g)].map(([, cell = '']) => cell.replace(/<br>.*/, '')),
	);
}

const paper = (insured: string) =>
	[
		...[`Named Insured: ${insured}`, 'Effective Date: 01/01/2026', 'Expiration Date: 01/01/2027'],
		...['Deductible: $1,000', 'Wind and Hail Deductible: $2,000', 'Loss Payee: Bank'],
		...['Total Premium: $500.00', 'Policy Number: EX-1', ''],
	].join('\n');

const certificateOf = (aggregate: string) =>
	[
		'Type of Insurance             Policy  Effective   Expiration  Limit Applies To   Limit',
		'Commercial General Liability  EX-1    03/01/2026  03/01/2027  Each occurrence    $1,000,000',
		`Commercial General Liability  EX-1    03/01/2026  03/01/2027  General aggregate  $${aggregate}`,
		'',
	].join('\n');

const STATEMENT = [
	'Policy Number  Insured  Transaction  Premium  Rate  Commission',
	'EX-1           Ann      New          100.00   15    See note',
	'',
].join('\n');

/** The example with its sample data in place of a data table. */
function withPolicies(own: World) {
	const example = template('commission-statement');
	const name = 'List the Policies';
	const jsCode = `return ${JSON.stringify(example.pinData[name])};`;
	const code = node(name, 'n8n-nodes-base.code', 2, { jsCode });
	return withNode(withProbes(withService(own, example)), name, code);
}
