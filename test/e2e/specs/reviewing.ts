import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { output, type Item } from '../../../harness/n8n-execution';
import { chain, documentWorkflow, EARLY, node, readFiles } from '../flows';
import { fieldsIn, nextPage, openLastPage, submitForm, textAt } from '../forms';
import { AWKWARD, REVIEWER, withReviewExample } from '../reviews';
import { DOCUMENTS, processesOf, until, withOwnService, type World } from '../support';

const MINUTE = 60_000;
type Name = keyof typeof AWKWARD;

/** A form for values with low confidence, and the corrected items behind it. */
export function reviewingSpec(world: () => World): void {
	it(
		'corrects a value in the form of the example, which n8n still has after a restart',
		async () => {
			await withReview(world(), 'declarations-page.pdf', {}, async (review) => {
				const { n8n } = world();
				const before = await review.form();
				const label = 'policy details: underwriter (0 %)';
				expect([...before.keys()]).toEqual([label, REVIEWER]);
				const processes = processesOf(n8n);
				await Promise.all(processes.map(async (each) => each.end('SIGTERM')));
				await Promise.all(processes.map(async (each) => each.start()));
				expect(await review.form()).toEqual(before);
				const [item, ...others] = await review.submit({ [label]: 'A. <U>', [REVIEWER]: 'Zoë' });
				expect(others).toEqual([]);
				expect(item?.json).toMatchObject({
					data: { policy_details: [{ underwriter: 'A. <U>' }] },
					needsReview: false,
					lowConfidenceFields: [],
					review: {
						by: 'Zoë',
						at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
						changes: [{ field: 'policy_details[0].underwriter', from: null, to: 'A. <U>' }],
						confirmed: [],
					},
				});
				expect(item?.json).not.toHaveProperty('reviewForm');
			});
		},
		3 * MINUTE,
	);

	it(
		'returns awkward values as they were, and only the changed ones changed',
		async () => {
			await withReview(world(), 'claim-note.txt', AWKWARD, async (review) => {
				const shown = await review.form();
				const labels = [...shown.keys()];
				expect(labels).toHaveLength(Object.keys(AWKWARD).length + 1);
				const labelOf = (name: Name) =>
					labels.find((label) => label.includes(` ${name} `)) ?? `no ${name}`;
				const [item] = await review.submit({
					[labelOf('number')]: '1234.75',
					[labelOf('lines')]: `${shown.get(labelOf('lines'))}fourth <x>`,
				});
				expect(item?.json).toMatchObject({
					data: {
						policy: [{ ...AWKWARD, number: 1234.75, lines: expect.stringMatching(/fourth <x>$/) }],
					},
					needsReview: false,
					review: { by: null, changes: [{}, { field: 'policy[0].number', from: -1234.5 }] },
				});
			});
		},
		2 * MINUTE,
	);

	it(
		'shows an expression in the name of a document as text',
		async () => {
			await withReviewExample(world(), {}, async ({ url }) => {
				const content = readFileSync(join(DOCUMENTS, 'declarations-page.pdf'));
				const body = new FormData();
				body.append('field-0', new Blob([content]), 'a{{ 6 + 36 }}{{ $env.HOME }}.pdf');
				const shown = await nextPage(await submitForm(url, body));
				expect(shown.replaceAll('&#123;', '{').replaceAll('&#125;', '}')).toContain(
					'a{{ 6 + 36 }}{{ $env.HOME }}.pdf',
				);
			});
		},
		2 * MINUTE,
	);

	it(
		'shows one form after the other for several documents',
		async () => {
			await withReview(world(), ['declarations-page.pdf', 'invoice.pdf'], {}, async (review) => {
				const first = [...(await review.form()).keys()];
				await review.send({ [REVIEWER]: 'First' });
				expect([...(await review.form()).keys()]).not.toEqual(first);
				const items = await review.submit({ [REVIEWER]: 'Second' });
				expect(items.map(({ json }) => json.review)).toMatchObject([
					{ by: 'First' },
					{ by: 'Second' },
				]);
			});
		},
		2 * MINUTE,
	);

	it(
		'asks another person by mail, whose answers are put in place too',
		async () => {
			await withOwnService(world(), async (own) => {
				await withSmtp(async (port, linkIn) => {
					const { client } = own;
					const data = { user: '', password: '', host: '127.0.0.1', port, secure: false };
					const smtp = { name: 'SMTP', type: 'smtp', data: { ...data, disableStartTls: true } };
					const credential = { id: await client.createCredential(smtp), name: smtp.name };
					const message = { fromEmail: 'a@example.com', toEmail: 'b@example.com' };
					const ask = node('Ask', 'n8n-nodes-base.emailSend', 2.1, {
						...{ operation: 'sendAndWait', ...message, subject: 'Review', message: 'Please check' },
						...{ responseType: 'customForm', defineForm: 'json' },
						...{ jsonOutput: '={{ $json.reviewForm }}', options: {} },
					});
					const correct = node('Correct', 'n8n-nodes-document-workflow.documentWorkflow', 1, {
						operation: 'applyCorrections',
					});
					const parameters = { outputOptions: { reviewForm: true }, ...EARLY };
					const flow = chain(
						'Ask by mail',
						readFiles(join(DOCUMENTS, 'declarations-page.pdf')),
						documentWorkflow(own, 'createAndWait', 'policy-intake', parameters),
						{ ...ask, webhookId: randomUUID(), credentials: { smtp: credential } },
						correct,
					);
					const id = await client.run(await client.createWorkflow(flow));
					const url = await linkIn();
					await until(async () => (await client.execution(id)).status === 'waiting', MINUTE);
					const body = new FormData();
					for (const { id: field, label, value } of fieldsIn(await textAt(url)))
						body.append(field, label.includes('underwriter') ? 'A. <U>' : value);
					expect((await fetch(url, { method: 'POST', body })).status).toBe(200);
					const execution = await client.waitForExecution(id);
					expect(execution.error).toBeUndefined();
					expect(output(execution, 'Correct')).toMatchObject([
						{ json: { data: { policy_details: [{ underwriter: 'A. <U>' }] }, needsReview: false } },
					]);
				});
			});
		},
		2 * MINUTE,
	);
}

interface Review {
	/** The labels of the form for which n8n waits, with what is filled in. */
	form: () => Promise<Map<string, string>>;
	/** Sends the form with some other answers. */
	send: (answers: Record<string, string>) => Promise<void>;
	/** Sends the form, and returns the items behind it at the end. */
	submit: (answers: Record<string, string>) => Promise<Item[]>;
}

/** Starts the example with its form, and works with the second form as a browser does. */
async function withReview(
	outer: World,
	documents: string | string[],
	values: Partial<typeof AWKWARD>,
	work: (review: Review) => Promise<void>,
): Promise<void> {
	await withReviewExample(outer, { values }, async ({ url, settled }) => {
		await work(reviewAt(await upload(url, [documents].flat()), settled));
	});
}

/** Sends documents in the first form. */
async function upload(url: string, documents: string[]): Promise<string> {
	const body = new FormData();
	for (const name of documents)
		body.append('field-0', new Blob([readFileSync(join(DOCUMENTS, name))]), name);
	return submitForm(url, body);
}

function reviewAt(url: string, settled: () => Promise<Item[]>): Review {
	const read = async () => fieldsIn(await nextPage(url));
	const send = async (answers: Record<string, string>) => {
		const body = new FormData();
		for (const { id, label, value } of await read()) body.append(id, answers[label] ?? value);
		const response = await fetch(url, { method: 'POST', body });
		if (response.status !== 200) throw new Error(await response.text());
	};
	const isVisible = ({ label }: { label: string }) => label !== '';
	return {
		form: async () =>
			new Map((await read()).filter(isVisible).map(({ label, value }) => [label, value])),
		send,
		submit: async (answers) => {
			await send(answers);
			await openLastPage(url);
			return settled();
		},
	};
}

/** A mail server that accepts one mail, and gives the link in it. */
async function withSmtp(
	work: (port: number, linkIn: () => Promise<string>) => Promise<void>,
): Promise<void> {
	let mail = '';
	const sockets: Socket[] = [];
	const server = createServer((socket) => {
		let isData = false;
		sockets.push(socket);
		socket.on('error', () => undefined);
		socket.write('220 test\r\n');
		socket.on('data', (chunk) => {
			const text = chunk.toString();
			if (isData) mail += text;
			const ends = isData && mail.includes('\r\n.\r\n');
			if (isData && !ends) return;
			isData = /^DATA/i.test(text);
			socket.write(isData ? '354 go on\r\n' : '250 ok\r\n');
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const link = () =>
		/http:[^"\s]+webhook-waiting[^"\s]+/.exec(
			mail.replaceAll('=\r\n', '').replaceAll('=3D', '=').replaceAll('&amp;', '&'),
		)?.[0];
	try {
		await work((server.address() as AddressInfo).port, async () => {
			await until(() => link() !== undefined, MINUTE);
			return link() ?? '';
		});
	} finally {
		server.close();
		for (const socket of sockets) socket.destroy();
	}
}
