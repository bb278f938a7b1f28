import { LOCKED_PDF, WEB_PAGE } from '../../engine/support/files';
import { png } from '../../fixtures/images';
import { chain, documentWorkflow, type Operation } from '../flows';
import { publish } from '../published';
import type { World } from '../support';

interface Answer {
	executionId?: string;
	status?: string;
	documents?: Array<Record<string, unknown>>;
	skipped?: Array<Record<string, unknown>>;
	error?: Record<string, unknown>;
	[field: string]: unknown;
}

const OLDER = Buffer.from('Policy Number: CPP-1001\n');

/** The panel's settings on items with several files, as from a mail or a form. */
export function sendingSpec(world: () => World): void {
	const state = () => world().simulator.state;
	const arrived = ({ executionId = '' }: Answer) => state().executions.find(executionId);
	const namesIn = (answer: Answer) => arrived(answer)?.files.map(({ fileName }) => fileName);

	/** Posts files to a workflow with the node; returns the first item of the node. */
	async function send(
		parameters: Record<string, unknown>,
		files: Record<string, [string, string, Buffer?]> = {},
		workflowId = 'quick',
		operation: Operation = 'create',
	): Promise<Answer> {
		const flow = await publish(
			world(),
			chain(
				'Sends',
				documentWorkflow(world(), operation, workflowId, parameters, {
					onError: 'continueRegularOutput',
				}),
			),
		);
		const form = new FormData();
		form.append('from', 'broker@example.com');
		for (const [field, [name, type, bytes]] of Object.entries(files))
			form.append(
				field,
				new Blob([Uint8Array.from(bytes ?? Buffer.from(`Policy Number: ${name}`))], { type }),
				name,
			);
		return (await flow.call(form)) as Answer;
	}

	const MAIL: Record<string, [string, string, Buffer?]> = {
		attachment_10: ['claim.txt', 'text/plain'],
		attachment_2: ['policy.txt', 'text/plain'],
		logo: ['logo.png', 'image/png', png(500, 500)],
	};

	it('sends the files that a wildcard matches in natural order', async () => {
		expect(namesIn(await send({ inputDataFieldName: 'attachment_*' }, MAIL))).toEqual([
			'policy.txt',
			'claim.txt',
		]);
		expect(namesIn(await send({ inputDataFieldName: 'logo, attachment_2' }, MAIL))).toEqual([
			'logo.png',
			'policy.txt',
		]);
	});

	it('fails before anything is sent when a field is missing or empty, and lists the fields with files', async () => {
		const missing = await send({ inputDataFieldName: 'scan' }, MAIL);
		expect(missing.error).toMatchObject({
			message: "The input item has no file in 'scan'",
			description: expect.stringContaining("'attachment_2', 'attachment_10', 'logo'"),
		});
		const empty = await send(
			{
				inputDataFieldName: '={{ $json.absent }}',
				inputs: { textInputs: [{ name: 'note', value: 'x' }] },
			},
			MAIL,
		);
		expect(empty.error?.message).toContain("'Input Data Field Name' is empty");
		expect(state().requests.all()).toEqual([]);
	});

	it('starts an execution for each document', async () => {
		const before = state().executions.all().length;
		await send({ inputDataFieldName: '*', groupBy: 'document' }, MAIL);
		const names = state()
			.executions.all()
			.slice(before)
			.map(({ files }) => files.map(({ fileName }) => fileName).join());
		expect(names.sort()).toEqual(['claim.txt', 'logo.png', 'policy.txt']);
	});

	it('skips documents by name, and duplicates', async () => {
		const files: typeof MAIL = {
			a: ['policy.txt', 'text/plain', OLDER],
			b: ['same policy.txt', 'text/plain', OLDER],
			c: ['policy.png', 'image/png', png(500, 500)],
			d: ['claim.txt', 'text/plain'],
		};
		const documentOptions = { fileNames: '*policy*.txt' };
		const answer = await send({ inputDataFieldName: '*', documentOptions }, files);
		expect(namesIn(answer)).toEqual(['policy.txt']);
		expect(answer.skipped?.map(({ fileName }) => fileName).sort()).toEqual([
			'claim.txt',
			'policy.png',
			'same policy.txt',
		]);
	});

	it('skips and flags a file that is not what its name says, or fails, and sends a locked PDF', async () => {
		const files: typeof MAIL = {
			locked: ['locked.pdf', 'application/pdf', LOCKED_PDF],
			page: ['report.pdf', 'application/pdf', WEB_PAGE],
			good: ['good.txt', 'text/plain'],
		};
		const flagged = await send({ inputDataFieldName: '*' }, files);
		expect(namesIn(flagged)).toEqual(['good.txt', 'locked.pdf']);
		expect(flagged.skipped?.map(({ fileName }) => fileName)).toEqual(['report.pdf']);
		expect(flagged.documents?.map(({ encrypted }) => encrypted)).toEqual([undefined, true]);
		const failing = await send(
			{ inputDataFieldName: '*', documentOptions: { unusableFiles: 'fail' } },
			files,
		);
		expect(failing.error?.message).toContain('report.pdf');
	});

	it('sends URLs and shared links of Box in place of files', async () => {
		const fileUrls =
			'={{ ["https://files.example.com/a.pdf", "https://files.example.com/b.pdf?signature=s"] }}';
		expect(
			arrived(await send({ documents: 'urls', fileUrls }, {}, 'by-address'))?.fileUrls,
		).toEqual(['https://files.example.com/a.pdf', 'https://files.example.com/b.pdf?signature=s']);
		const link = 'https://app.box.com/s/0123456789abcdef0123456789abcdef';
		expect(
			arrived(await send({ documents: 'urls', fileUrls: link }, {}, 'by-box-link'))?.fileUrls,
		).toEqual([link]);
		expect(
			(
				await send(
					{ documents: 'urls', fileUrls: 'http://files.example.com/a.pdf' },
					{},
					'by-address',
				)
			).error?.message,
		).toContain('https');
	});

	it('sends text inputs without documents, with metadata and additional fields', async () => {
		const answer = await send({
			documents: 'none',
			inputs: {
				textInputs: [
					{ name: 'policy_number', value: 'CPP-1001' },
					{ name: 'limit', value: '={{ 5 }}' },
				],
				metadata: [
					{ name: 'mailbox', value: 'claims' },
					{ name: 'external_id', value: '={{ $json.body.from }}' },
				],
				additional: [{ name: 'desk', value: '={{ { level: 2 } }}' }],
			},
		});
		expect(arrived(answer)).toMatchObject({
			files: [],
			userInputs: { policy_number: 'CPP-1001', limit: '5' },
			metadata: { mailbox: 'claims', external_id: 'broker@example.com' },
			bodyFields: { desk: '{"level":2}' },
		});
		const wrong = await send({
			documents: 'none',
			inputs: { textInputs: [{ name: '', value: 'CPP-1001' }] },
		});
		expect(wrong.error?.message).toBe('The text input at position 1 has no name');
	});

	it('fails or sends an item again whose response was lost, as set', async () => {
		const lost = async (lostResponse: string) => {
			state().faults.clear();
			state().faults.add({
				route: 'create',
				requests: { to: 1 },
				action: { type: 'reset', when: 'after' },
			});
			const before = state().executions.all().length;
			const answer = await send(
				{
					inputDataFieldName: 'attachment_2',
					lostResponse,
					inputs: { metadata: [{ name: 'external_id', value: 'CASE-1' }] },
				},
				MAIL,
			);
			return { answer, started: state().executions.all().length - before };
		};
		expect(await lost('fail')).toMatchObject({
			started: 1,
			answer: {
				error: {
					outcome: 'unknown',
					externalId: 'CASE-1',
					description: expect.stringContaining('"CASE-1"'),
				},
			},
		});
		expect(await lost('again')).toMatchObject({
			started: 2,
			answer: { sentAgain: 1, warning: expect.stringContaining('second execution') },
		});
	});

	it('returns the input of a skipped item when Include Input is on', async () => {
		const answer = await send(
			{
				inputDataFieldName: 'logo',
				documentOptions: { fileNames: '*.pdf' },
				outputOptions: { includeInput: true },
			},
			MAIL,
			'quick',
			'createAndWait',
		);
		expect(answer).toMatchObject({
			status: 'skipped',
			input: { body: { from: 'broker@example.com' } },
		});
	});
}
