import { createServer, type AddressInfo, type Socket } from 'node:net';
import PostalMime from 'postal-mime';

/** A mail server that keeps what is sent to it. */
export interface MailSink {
	/** As a user enters it for n8n's SMTP credential. */
	credential: { host: string; port: number; secure: false; disableStartTls: true };
	/** The texts of all mails so far, with their subjects. */
	texts: () => string[];
	stop: () => void;
}

export async function startMailSink(): Promise<MailSink> {
	const texts: string[] = [];
	const take = async (source: string) => {
		const { subject = '', text = '' } = await PostalMime.parse(source);
		texts.push(`${subject}\n${text}`);
	};
	const server = createServer((socket) => converse(socket, (mail) => void take(mail)));
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	server.unref(); // it ends with this process
	const { port } = server.address() as AddressInfo;
	return {
		credential: { host: '127.0.0.1', port, secure: false, disableStartTls: true },
		texts: () => texts,
		stop: () => void server.close(),
	};
}

const END = '\r\n.\r\n';

/** The part of SMTP that sending needs. */
function converse(socket: Socket, take: (mail: string) => void): void {
	let pending = '';
	let isData = false;
	const answer = (line: string) => void socket.write(`${line}\r\n`);
	// A client that is killed breaks the connection.
	socket.setEncoding('utf8').on('error', () => socket.destroy());
	answer('220 localhost');
	socket.on('data', (text: string) => {
		pending += text;
		for (;;) {
			const separator = isData ? END : '\r\n';
			const at = pending.indexOf(separator);
			if (at < 0) return;
			const part = pending.slice(0, at);
			pending = pending.slice(at + separator.length);
			if (isData) take(part);
			isData = !isData && /^DATA/i.test(part);
			answer(isData ? '354 go on' : '250 OK');
			if (/^QUIT/i.test(part)) socket.end();
		}
	});
}
