import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
	readExampleWorkflows,
	withCredential,
	withSetting,
} from '../../../harness/example-workflows';
import { output } from '../../../harness/n8n-execution';
import type { WorkflowJson } from '../../../harness/n8n-rest';
import { webUrlOf, SETTINGS } from '../sharepoint/server';
import type { LibraryFile } from '../sharepoint/contents';
import { DOCUMENTS, until, type World } from '../support';
import { POLICY } from '../templateRuns';

const DECLARATIONS = readFileSync(join(DOCUMENTS, 'declarations-page.pdf'));

/** The example "sharepoint-list" as a user imports it: n8n's own Microsoft SharePoint nodes, on a stand-in for Microsoft Graph. */
export function sharePointSpec(world: () => World): void {
	describe('the example "sharepoint-list"', () => {
		let example: WorkflowJson;
		let sentBefore = 0;

		beforeAll(async () => {
			const { client, sharePoint, credential } = world();
			const { name, type } = sharePoint.credential;
			const id = await client.createCredential(sharePoint.credential);
			const account = { id: credential.id, name: credential.name };
			example = withCredential(
				withCredential(readExample(sharePoint.graphUrl), { id, name }, type),
				account,
			);
		});
		beforeEach(() => {
			const { simulator, sharePoint } = world();
			sentBefore = simulator.state.executions.all().length;
			sharePoint.contents.clear();
		});

		const put = (name: string, text: string, fields?: Record<string, unknown>) =>
			world().sharePoint.contents.put(name, 'text/plain', Buffer.from(text), fields);
		const sent = () => world().simulator.state.executions.all().slice(sentBefore);
		const namesSent = () => sent().flatMap(({ files }) => files.map(({ fileName }) => fileName));
		const rows = () => world().sharePoint.contents.rows.map(({ fields }) => fields);

		it('sends each new file once while the schedule runs, writes a row with its values and its address, and marks a doubtful one for review', async () => {
			const { client, sharePoint } = world();
			const { contents, polls } = sharePoint;
			const declarations = contents.put('declarations-page.pdf', 'application/pdf', DECLARATIONS);
			const named = put(
				'Police Nr. 7 – Übersicht & Prämie.txt',
				POLICY.replace('EMC-CP-1050117-26', 'EX-7'),
			);
			const old = put('there before the column.txt', 'Policy Number: EX-0', {});
			const morePolls = async () => {
				const seen = polls();
				await until(() => polls() >= seen + 2);
			};

			// An execution takes three seconds, longer than a round of the schedule.
			const rule = { interval: [{ field: 'seconds', secondsInterval: 2 }] };
			const id = await client.createWorkflow(
				withParameters(example, 'Every Five Minutes', { rule }),
			);
			await client.activate(id);
			let late: LibraryFile;
			try {
				await until(() => [declarations, named].every(({ fields }) => isRead(fields.IntakeStatus)));
				await morePolls();
				late = put('late.txt', 'Policy Number: EX-8');
				await until(() => isRead(late.fields.IntakeStatus));
				await morePolls();
			} finally {
				await client.deactivate(id);
			}
			// An execution that has just begun would take the files of the next test.
			for (const each of await client.executionIds(id)) await client.waitForExecution(each);

			const arrived = (file: LibraryFile) =>
				sent().find(({ files }) => files[0]?.fileName === file.name);
			const expected = [declarations, named, late].map(({ name, mediaType, content }) => ({
				files: [
					expect.objectContaining({
						fileName: name,
						mediaType,
						sha256: createHash('sha256').update(content).digest('hex'),
					}),
				],
			}));
			expect(sent()).toHaveLength(expected.length);
			expect(sent()).toEqual(
				expect.arrayContaining(expected.map((each): unknown => expect.objectContaining(each))),
			);

			const rowOf = (file: LibraryFile, values: Record<string, unknown>) => ({
				Title: file.name,
				FileLink: webUrlOf(file),
				Execution: arrived(file)?.executionId,
				ToCheck: expect.any(String),
				...values,
			});
			const expectedRows = [
				rowOf(declarations, {
					PolicyNumber: 'EMC-CP-1048823-26',
					NamedInsured: 'Example Manufacturing Inc.',
					TotalPremium: 61689.5,
				}),
				rowOf(named, {
					PolicyNumber: 'EX-7',
					NamedInsured: '=Sample Bakery LLC',
					TotalPremium: 7415,
				}),
				rowOf(late, { PolicyNumber: 'EX-8', NamedInsured: '' }),
			];
			expect(rows()).toHaveLength(expectedRows.length);
			expect(rows()).toEqual(expect.arrayContaining(expectedRows));
			expect(old.fields).toEqual({});
			expect(declarations.fields).toEqual({
				IntakeStatus: 'Review',
				IntakeProblem:
					'EMC-CP-1048823-26: Check: underwriter (no value)\nCompare the row with the file, and set its status to Done',
			});
			expect(named.fields).toEqual({ IntakeStatus: 'Done', IntakeProblem: '' });
			expect(late.fields).toMatchObject({ IntakeStatus: 'Review' });
		});

		it('marks a file that fails with the reason, and continues with the others', async () => {
			const { client } = world();
			const gone = put('gone.txt', 'Policy Number: EX-1');
			gone.gone = true;
			const broken = put('broken.txt', 'Policy Number: EX-2');
			const rejected = put(
				'rejected by the list.txt',
				`Policy Number: EX-3\nNamed Insured: ${'Long '.repeat(60)}`,
			);
			const good = put('good.txt', POLICY);
			const value = "={{ $binary.data.fileName === 'broken.txt' ? 'failing' : 'policy-intake' }}";
			const flow = withParameters(example, 'Read the File', {
				workflowId: { __rl: true, mode: 'id', value },
			});
			const execution = await client.runToEnd(flow);
			expect(execution.status).toBe('success');

			const idOf = ({ name }: LibraryFile) =>
				sent().find(({ files }) => files[0]?.fileName === name)?.executionId;
			const failed = (...parts: Array<string | undefined>) => ({
				IntakeStatus: 'Failed',
				IntakeProblem: expect.stringMatching(new RegExp(parts.join('.*'))),
			});
			expect(gone.fields).toEqual(failed('The file could not be downloaded', 'not found'));
			expect(broken.fields).toEqual(
				failed('The execution failed: The document has no pages', 'set its status to New'),
			);
			expect(rejected.fields).toEqual(failed('The row could not be added', idOf(rejected)));
			expect(good.fields).toEqual({ IntakeStatus: 'Done', IntakeProblem: '' });
			expect(namesSent().sort()).toEqual([broken.name, good.name, rejected.name]);
			expect(rows().map(({ Title }) => Title)).toEqual([good.name]);
			const downloaded = output(execution, 'Download the File').find(
				({ binary }) => binary?.data?.fileName === good.name,
			);
			expect(downloaded).toMatchObject({ json: {}, binary: { data: { mimeType: 'text/plain' } } });
		});

		it('does not send a file that cannot be marked, but sends it in a later run', async () => {
			const { client } = world();
			const checkedOut = put('checked out.txt', 'Policy Number: EX-5');
			const free = put('free.txt', 'Policy Number: EX-6');
			checkedOut.checkedOut = true;
			expect((await client.runToEnd(example)).status).toBe('success');
			expect(namesSent()).toEqual([free.name]);
			expect(checkedOut.fields.IntakeStatus).toBe('New');

			checkedOut.checkedOut = false;
			expect((await client.runToEnd(example)).status).toBe('success');
			expect(namesSent()).toEqual([free.name, checkedOut.name]);
			expect(isRead(checkedOut.fields.IntakeStatus)).toBe(true);
		});
	});
}

const isRead = (status: unknown): boolean => status === 'Done' || status === 'Review';

/** The example without its sample data. */
function readExample(graphUrl: string): WorkflowJson {
	const workflow = readExampleWorkflows().get('sharepoint-list');
	if (!workflow) throw new Error('There is no example "sharepoint-list".');
	return Object.entries({ ...SETTINGS, graphUrl }).reduce<WorkflowJson>(
		(changed, [name, value]) => withSetting(changed, name, value),
		{ ...workflow, pinData: {} },
	);
}

/** The workflow with some parameters of one node replaced. */
function withParameters(
	workflow: WorkflowJson,
	name: string,
	parameters: Record<string, unknown>,
): WorkflowJson {
	const nodes = workflow.nodes.map((node) =>
		node.name === name
			? { ...node, parameters: Object.assign({}, node.parameters, parameters) }
			: node,
	);
	return { ...workflow, nodes };
}
