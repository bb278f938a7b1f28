import { createHash } from 'node:crypto';
import { output, type Item } from '../../../harness/n8n-execution';
import { startMailServer } from '../../../harness/mail-server';
import { FILES, type GivenFile } from '../../fixtures/files';
import { chain, documentWorkflow, node, split } from '../flows';
import { attachment, compose } from '../mails';
import { until, type World } from '../support';
import { template } from '../templateRuns';

const NODE = 'Document Workflow';
const WATCH = 'Watch the Mailbox';

/** Files as programs give them, through n8n: with which name and type they arrive, byte for byte, and which are left out. */
export function filesSpec(world: () => World): void {
	const expectArrived = (item: Item | undefined, files: GivenFile[]) => {
		const { executionId, skipped } = item?.json ?? {};
		const arrived = world().simulator.state.executions.find(String(executionId))?.files ?? [];
		const left = skipped as Array<{ fileName: string; unusable?: true }>;
		expect([
			...arrived.map(({ fileName, mediaType, sha256 }) => ({ fileName, mediaType, sha256 })),
			...left.map(({ fileName, unusable }) => ({ fileName, unusable })),
		]).toEqual([
			...files.filter(isSent).map(({ name, outcome, content }) => ({
				fileName: name,
				mediaType: outcome,
				sha256: createHash('sha256').update(content).digest('hex'),
			})),
			...files
				.filter((file) => !isSent(file))
				.map(({ name, outcome }) => ({
					fileName: name,
					unusable: outcome === 'flagged' ? true : undefined,
				})),
		]);
	};

	it(`sends ${FILES.length} files of browsers and file managers, or leaves them out, as their kinds say`, async () => {
		const numbers = FILES.map(({ fileName, stated, content }) => ({
			fileName,
			mimeType: stated,
			content: content.toString('base64'),
		}));
		const flow = chain(
			'Files',
			node('Given', 'n8n-nodes-base.set', 3.4, {
				mode: 'raw',
				jsonOutput: JSON.stringify({ numbers }),
				options: {},
			}),
			split(),
			node('Convert', 'n8n-nodes-base.convertToFile', 1.1, {
				operation: 'toBinary',
				sourceProperty: 'content',
				options: { fileName: '={{ $json.fileName }}', mimeType: '={{ $json.mimeType }}' },
			}),
			documentWorkflow(world(), 'create', 'any-document', { groupBy: 'all' }),
		);
		const execution = await world().client.runToEnd(flow);
		expect(`${execution.status} ${JSON.stringify(execution.error ?? '')}`).toBe('success ""');
		expectArrived(output(execution, NODE)[0], FILES);
	});

	it('does the same with the attachments of a mail', async () => {
		const { client } = world();
		const server = await startMailServer();
		const { host, port, user, password } = server;
		const data = { host, port, user, password, secure: false, allowUnauthorizedCerts: false };
		const id = await client.createCredential({ name: 'IMAP files', type: 'imap', data });
		const watch = template('imap-mailbox').nodes.filter(({ name }) => name === WATCH);
		const workflowId = await client.createWorkflow({
			name: 'Attachments',
			nodes: [
				...watch.map((each) => ({ ...each, credentials: { imap: { id, name: 'IMAP files' } } })),
				documentWorkflow(world(), 'create', 'any-document'),
			],
			connections: { [WATCH]: { main: [[{ node: NODE, type: 'main', index: 0 }]] } },
			settings: { executionOrder: 'v1' },
		});
		try {
			await client.activate(workflowId);
			const files = FILES.filter(isAttachment);
			const parts = files.map(({ fileName, stated, content }) =>
				attachment(fileName, stated, content),
			);
			server.deliver(await compose('Files', parts));
			await until(async () => (await client.executionIds(workflowId)).length > 0);
			const [first = ''] = await client.executionIds(workflowId);
			expectArrived(output(await client.waitForExecution(first), NODE)[0], files);
		} finally {
			await client.deactivate(workflowId);
			await server.stop();
		}
	});
}

/**
 * What can arrive as it is stated. A type multipart/… says that the content is parts. A mail or a delivery status stands
 * inline in a mail, and n8n's mail parser makes it text of that mail. A drawing stated as application/octet-stream gets
 * a type by its extension there.
 */
const isAttachment = ({ stated, fileName }: GivenFile) =>
	!/^(?:multipart\/|message\/(?:rfc822|delivery))/.test(stated) && fileName !== 'plan 2.dwg';
const isSent = ({ outcome }: GivenFile) => outcome.includes('/');
