import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** What happens to a connection. */
export type ConnectionFault =
	/** It is reset before the service has a byte of the request. */
	| { type: 'reset before' }
	/** It is reset once so many bytes of the request have come. */
	| { type: 'reset during'; afterBytes: number }
	/** It is reset when the service has answered, before the caller has a byte of that. */
	| { type: 'reset after' }
	/** It ends after so many bytes of the answer. */
	| { type: 'cut'; afterBytes: number }
	/** The answer comes a few bytes at a time. */
	| { type: 'drip' };

export interface Proxy {
	url: string;
	/** How many connections met a fault, by its type. */
	applied: Map<string, number>;
	stop: () => Promise<void>;
}

const DRIP = { bytes: 24, milliseconds: 25 };

/**
 * A TCP proxy in front of a service, or a balancer in front of several processes, to which requests go in turns. `faultFor` is called
 * once for each request, with its first line.
 */
export async function startProxy(
	target: string | string[],
	faultFor: (requestLine: string) => ConnectionFault | undefined = () => undefined,
): Promise<Proxy> {
	const targets = [target].flat();
	let requests = 0;
	const applied = new Map<string, number>();
	const open = new Set<Socket>();
	const track = (socket: Socket) => {
		open.add(socket);
		// A broken connection is what this proxy is for; both ends see it as their own error.
		socket.on('error', () => undefined).on('close', () => open.delete(socket));
		return socket;
	};
	const server = createServer({ allowHalfOpen: true }, (caller) => {
		track(caller).once('data', (first) => {
			const fault = faultFor(first.toString('latin1').split('\r\n', 1)[0] ?? '');
			if (fault) applied.set(fault.type, (applied.get(fault.type) ?? 0) + 1);
			if (fault?.type === 'reset before') return void caller.resetAndDestroy();
			const { hostname: host, port } = new URL(targets[requests++ % targets.length] ?? '');
			const service = track(connect({ host, port: Number(port), allowHalfOpen: true }));
			forward(caller, service, withoutKeepAlive(first), fault);
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		applied,
		stop: async () => {
			const closed = new Promise<void>((resolve) => server.close(() => resolve()));
			for (const socket of open) socket.destroy();
			return closed;
		},
	};
}

function forward(
	caller: Socket,
	service: Socket,
	first: Buffer,
	fault: ConnectionFault | undefined,
): void {
	const reset = () => {
		caller.resetAndDestroy();
		service.resetAndDestroy();
	};
	let asked = 0;
	const ask = (chunk: Buffer) => {
		asked += chunk.length;
		if (fault?.type === 'reset during' && asked >= fault.afterBytes) reset();
		else if (!service.write(chunk)) {
			caller.pause();
			service.once('drain', () => caller.resume());
		}
	};
	ask(first);
	caller.on('data', ask).on('end', () => service.end());
	service.on('close', () => caller.destroySoon());
	caller.on('close', () => service.destroy());
	if (fault?.type === 'reset after') service.once('data', reset);
	else if (fault?.type === 'cut') cut(caller, service, fault.afterBytes);
	else if (fault?.type === 'drip') void drip(caller, service);
	else service.pipe(caller);
}

function cut(caller: Socket, service: Socket, afterBytes: number): void {
	let left = afterBytes;
	service.on('data', (chunk: Buffer) => {
		caller.write(chunk.subarray(0, left));
		left -= chunk.length;
		if (left <= 0) caller.end(() => service.destroy());
	});
	service.on('end', () => caller.end());
}

async function drip(caller: Socket, service: Socket): Promise<void> {
	const chunks: Buffer[] = [];
	service.on('data', (chunk: Buffer) => chunks.push(chunk));
	await new Promise((resolve) => service.once('end', resolve).once('close', resolve));
	const answer = Buffer.concat(chunks);
	for (let at = 0; at < answer.length && caller.writable; at += DRIP.bytes) {
		caller.write(answer.subarray(at, at + DRIP.bytes));
		await sleep(DRIP.milliseconds);
	}
	caller.end();
}

/** So that each request has a connection of its own, and can meet a fault of its own. */
function withoutKeepAlive(first: Buffer): Buffer {
	const text = first.toString('latin1').replace(/\r\nconnection: *[^\r\n]*/i, '');
	return Buffer.from(text.replace('\r\n', '\r\nConnection: close\r\n'), 'latin1');
}
