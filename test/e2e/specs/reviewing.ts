import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { output, type Item } from '../../../harness/n8n-execution';
import { chain, documentWorkflow, EARLY, node, readFiles } from '../flows';
import { nextPage, openLastPage, sendForm, submitForm, textAt } from '../forms';
import { REVIEWER, SETTLED, withReviewExample } from '../reviews';
import { DOCUMENTS, until, withOwnService, type World } from '../support';
import { template } from '../templateRuns';

/** The example with a form for values, in which a person corrects them, and the items behind it. */
export function reviewingSpec(world: () => World): void {
	it('shows one form after the other for several documents, and says which of them is settled', async () => {
		const documents = ['declarations-page.pdf', 'invoice.pdf'];
		await withReviewExample(world(), {}, async ({ url, reviewed }) => {
			const review = reviewAt(await upload(url, documents), reviewed);
			const first = await review.form();
			await review.send({ [REVIEWER]: 'First', [SETTLED]: 'No' });
			expect(await review.form()).not.toEqual(first);
			await review.send({ [REVIEWER]: 'Second', [SETTLED]: 'Yes' });
			const items = await review.end();
			expect(items.map(({ json }) => json)).toMatchObject([
				{ needsReview: true, toReview: expect.any(String), review: { by: 'First' } },
				{ needsReview: false, toReview: null, review: { by: 'Second' } },
			]);
		});
	});

	it('asks another person by mail with the same fields, whose answers are put in place by the same code', async () => {
		await withOwnService(world(), async (own) => {
			await withSmtp(async (port, linkIn) => {
				const { client } = own;
				const data = { user: '', password: '', host: '127.0.0.1', port, secure: false };
				const smtp = { name: 'SMTP', type: 'smtp', data: { ...data, disableStartTls: true } };
				const credential = { id: await client.createCredential(smtp), name: smtp.name };
				const message = { fromEmail: 'a@example.com', toEmail: 'b@example.com' };
				const ask = node('Ask', 'n8n-nodes-base.emailSend', 2.1, {
					...{ operation: 'sendAndWait', ...message, subject: 'Review', message: 'Please check' },
					...{ responseType: 'customForm', defineForm: 'json', options: {} },
					jsonOutput: nodeOf('form').parameters.jsonOutput,
				});
				const flow = chain(
					'Ask by mail',
					readFiles(join(DOCUMENTS, 'declarations-page.pdf')),
					documentWorkflow(own, 'createAndWait', 'policy-intake', EARLY),
					node('Loop Over Items', 'n8n-nodes-base.noOp', 1, {}),
					{ ...ask, webhookId: randomUUID(), credentials: { smtp: credential } },
					nodeOf('code'),
				);
				const id = await client.run(await client.createWorkflow(flow));
				const url = await linkIn();
				await until(async () => (await client.execution(id)).status === 'waiting');
				await sendForm(url, await textAt(url), { underwriter: 'A. <U>', [SETTLED]: 'Yes' });
				const execution = await client.waitForExecution(id);
				expect(execution.error).toBeUndefined();
				expect(output(execution, nodeOf('code').name)).toMatchObject([
					{ json: { data: { policy_details: [{ underwriter: 'A. <U>' }] }, needsReview: false } },
				]);
			});
		});
	});
}

/** A node of the example. */
function nodeOf(type: 'form' | 'code') {
	const found = template('review').nodes.find((each) => each.type === `n8n-nodes-base.${type}`);
	if (found === undefined) throw new Error(`The example has no node of the type ${type}.`);
	return found;
}

interface Review {
	/** The HTML of the form for which n8n waits. */
	form: () => Promise<string>;
	/** Sends the form with some other answers, by a part of their labels. */
	send: (answers: Record<string, string>) => Promise<void>;
	/** The items behind the form, after the last page was shown. */
	end: () => Promise<Item[]>;
}

/** Sends documents in the first form. */
async function upload(url: string, documents: string[]): Promise<string> {
	const body = new FormData();
	for (const name of documents)
		body.append('field-0', new Blob([readFileSync(join(DOCUMENTS, name))]), name);
	return submitForm(url, body);
}

function reviewAt(url: string, reviewed: () => Promise<Item[]>): Review {
	const form = async () => nextPage(url);
	return {
		form,
		send: async (answers) => sendForm(url, await form(), answers),
		end: async () => {
			await openLastPage(url);
			return reviewed();
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
			await until(() => link() !== undefined);
			return link() ?? '';
		});
	} finally {
		server.close();
		for (const socket of sockets) socket.destroy();
	}
}
