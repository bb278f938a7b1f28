/** What stands outside n8n at the end of a flow: it counts requests, takes rows by POST, and mails by SMTP. */
import { createServer as createHttpServer, type Server } from 'node:http';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import PostalMime from 'postal-mime';
import { HOST } from '../../harness/server';

export interface Row {
	at: number;
	json: Record<string, unknown>;
}

export interface Message {
	subject: string;
	text: string;
	/** The names of its attachments. */
	files: string[];
}

export interface Counted {
	rows: Row[];
	messages: Message[];
}

export interface Counter {
	url: string;
	/** How many requests came, by their path. */
	counts: Map<string, number>;
	/** The data of n8n's credential for its mail server. */
	smtp: Record<string, unknown>;
	counted: () => Counted;
	stop: () => Promise<void>;
}

export async function startCounter(): Promise<Counter> {
	const rows: Row[] = [];
	const messages: Message[] = [];
	const counts = new Map<string, number>();
	const table = createHttpServer((request, response) => {
		const name = request.url?.slice(1) ?? '';
		let text = '';
		request.setEncoding('utf8').on('data', (part: string) => (text += part));
		request.on('end', () => {
			counts.set(name, (counts.get(name) ?? 0) + 1);
			if (text !== '') rows.push({ at: Date.now(), json: JSON.parse(text) as Row['json'] });
			response.setHeader('content-type', 'application/json').end('{}');
		});
	});
	const open = new Set<Socket>();
	const mail = createServer((socket) => {
		open.add(socket);
		socket.on('error', () => undefined).once('close', () => open.delete(socket));
		receive(socket, async (bytes) => {
			const { subject = '', text = '', attachments } = await PostalMime.parse(bytes);
			messages.push({ subject, text, files: attachments.map(({ filename }) => filename ?? '') });
		});
	});
	const port = await listen(mail);
	return {
		url: `http://${HOST}:${await listen(table)}`,
		counts,
		smtp: { host: HOST, port, user: '', password: '', secure: false, disableStartTls: true },
		counted: () => ({ rows: [...rows], messages: [...messages] }),
		stop: async () => {
			for (const socket of open) socket.destroy();
			table.closeAllConnections();
			await Promise.all([table, mail].map(async (each) => new Promise((done) => each.close(done))));
		},
	};
}

async function listen(server: Server | ReturnType<typeof createServer>): Promise<number> {
	await new Promise<void>((resolve) => server.listen(0, HOST, resolve));
	return (server.address() as AddressInfo).port;
}

const END = '\r\n.\r\n';

/** Takes mails as a server does that needs no sign-in; a mail is answered once it is noted. */
function receive(socket: Socket, take: (mail: Buffer) => Promise<void>): void {
	let rest = '';
	/** Of a mail that is not complete. */
	let parts: string[] | undefined;
	let tail = '';
	const answer = (text: string) => socket.write(`${text}\r\n`);
	answer('220 counter');
	const takeMail = async (all: string[]) => {
		const text = all.join('');
		const at = text.indexOf(END);
		const mail = text.slice(0, at + 2).replaceAll('\r\n..', '\r\n.');
		[rest, parts] = [text.slice(at + END.length), undefined];
		await take(Buffer.from(mail, 'latin1'));
		answer('250 OK');
	};
	socket.on('data', (data) => {
		const text = data.toString('latin1');
		if (parts !== undefined) {
			// A large mail is not searched again with each of its parts.
			tail = `${tail.slice(1 - END.length)}${text}`;
			parts.push(text);
			if (tail.includes(END)) void takeMail(parts);
			return;
		}
		rest += text;
		for (let at = rest.indexOf('\r\n'); at >= 0 && parts === undefined; at = rest.indexOf('\r\n')) {
			const command = rest.slice(0, 4).toUpperCase();
			rest = rest.slice(at + 2);
			if (command === 'DATA') [parts, tail] = [[rest], rest];
			answer(parts !== undefined ? '354 Go on' : command === 'QUIT' ? '221 Bye' : '250 OK');
			if (command === 'QUIT') socket.end();
		}
	});
}
