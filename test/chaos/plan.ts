/** What goes wrong, drawn from a seed. The same seed gives the same faults in the same order; which document meets which depends on time. */
import { randomNumbers } from '../../simulator/processing/durations';
import type { Fault, FaultAction } from '../../simulator/state/faults';
import type { ConnectionFault } from '../../harness/proxy';

/** An entry with its weight. */
type Weighted<T> = readonly [number, T];

/** Draws from a list by weight. */
function drawn<T>(random: () => number, list: ReadonlyArray<Weighted<T>>): T {
	let left = random() * list.reduce((sum, [weight]) => sum + weight, 0);
	for (const [weight, entry] of list) {
		left -= weight;
		if (left < 0) return entry;
	}
	throw new Error('The list has no entry with a weight');
}

/** A number from `from` to `to`, both included. */
export function between(random: () => number, from: number, to: number): number {
	return from + Math.floor(random() * (to - from + 1));
}

/** The numbers of a purpose, so that more of one do not change those of another. */
export function numbersFor(seed: number, purpose: string): () => number {
	return randomNumbers([...purpose].reduce((sum, each) => sum * 31 + each.charCodeAt(0), seed));
}

const HTML = '<!doctype html><html><body><h1>502 Bad Gateway</h1></body></html>';
const HTML_TYPE = { 'content-type': 'text/html; charset=utf-8' };

const status = (code: number, more: object = {}): FaultAction => ({
	type: 'status',
	status: code,
	...more,
});

/** Answers of a busy service with a Retry-After, some of which is not a time. */
const BUSY: ReadonlyArray<Weighted<FaultAction>> = [
	[8, status(429, { retryAfter: 0 })],
	[8, status(429, { retryAfter: 1 })],
	[6, status(429, { retryAfter: { dateInSeconds: 2 } })],
	[3, status(429, { retryAfter: { dateInSeconds: -86_400 } })],
	[3, status(429, { retryAfter: -5 })],
	[3, status(429, { retryAfter: 'soon' })],
	[2, status(429, { retryAfter: '1e400x' })],
	[4, status(429)],
	[6, status(503, { retryAfter: 1 })],
];

const GATEWAY: ReadonlyArray<Weighted<FaultAction>> = [
	[5, status(500)],
	[4, status(502, { body: HTML, headers: HTML_TYPE })],
	[4, status(503)],
	[3, status(504)],
	[5, { type: 'notJson' }],
	[5, { type: 'reset', when: 'before' }],
	[5, { type: 'reset', when: 'after' }],
	[5, { type: 'truncated' }],
	[5, { type: 'truncated', afterBytes: 10 }],
];

/** The service has carried the request out, but its answer is another one. */
const AFTER: ReadonlyArray<Weighted<FaultAction>> = [
	[5, status(500, { carriedOut: true })],
	[5, status(502, { body: HTML, headers: HTML_TYPE, carriedOut: true })],
	[4, status(504, { carriedOut: true })],
	[4, { type: 'notJson', carriedOut: true }],
];

const redirects = (location: string): ReadonlyArray<Weighted<FaultAction>> =>
	[301, 302, 303, 307, 308].map((code) => [4, { type: 'redirect', location, status: code }]);

const delays = (random: () => number): Weighted<FaultAction> => [
	15,
	{ type: 'delay', milliseconds: between(random, 200, 1_200) },
];

interface Extent {
	seed: number;
	documents: number;
	/** The address of a host that must never get a token. */
	otherHost: string;
	/** With faults that last for minutes. */
	long: boolean;
}

/** Shares of the requests that meet a fault of the service. */
const SHARES = { create: 0.22, get: 0.15, token: 0.15 };

/** Faults of the service, by the number of the request. */
export function serviceFaults({ seed, documents, otherHost, long }: Extent): Fault[] {
	const random = numbersFor(seed, 'service');
	const create = (): FaultAction =>
		drawn(random, [
			[15, status(401)],
			[20, { type: 'revokeTokenDuringUpload', afterBytes: between(random, 1, 2_000) }],
			[8, { type: 'reset', when: 'during', afterBytes: between(random, 1, 2_000) }],
			[5, { type: 'redirect', location: otherHost, status: 302, carriedOut: true }],
			...BUSY,
			...GATEWAY,
			...AFTER,
			...redirects(otherHost),
			delays(random),
		]);
	const get = (): FaultAction =>
		drawn(random, [
			[15, status(401)],
			[8, status(404)],
			...BUSY,
			...GATEWAY,
			...redirects(otherHost),
			delays(random),
		]);
	const token = (): FaultAction =>
		drawn(random, [
			[2, status(401)],
			...GATEWAY,
			...redirects(`${otherHost}/token`),
			delays(random),
		]);
	const single = (route: 'create' | 'get' | 'token', count: number, action: () => FaultAction) =>
		Array.from({ length: count }, (_, index) => index + 1)
			.filter(() => random() < SHARES[route])
			.map((number): Fault => ({ ...at(route, number), action: action() }));
	const storms = Array.from({ length: Math.ceil(documents / 250) }, (): Fault => {
		const route = random() < 0.6 ? 'create' : 'get';
		const from = between(random, 1, documents);
		return { ...at(route, from, from + between(random, 3, 12)), action: status(401) };
	});
	return [
		...storms,
		...(long ? lasting(random, documents) : []),
		...single('create', documents * 3, create),
		...single('get', documents * 8, get),
		...single('token', documents, token),
	];
}

/** Answers without an end, and waits of years: each of them ends a request or a run only after its time limit. */
function lasting(random: () => number, documents: number): Fault[] {
	const late = () => between(random, Math.ceil(documents / 2), documents);
	return [
		{ ...at('create', between(random, 1, 100)), action: { type: 'drip', afterBytes: 120 } },
		{ ...at('get', between(random, 1, 200)), action: { type: 'drip' } },
		{ ...at('create', late()), action: status(429, { retryAfter: 1e15 }) },
		{
			...at('create', late()),
			action: status(503, { retryAfter: 'Fri, 31 Dec 9999 23:59:59 GMT' }),
		},
	];
}

const at = (route: Fault['route'], from: number, to = from) => ({ route, requests: { from, to } });

/** Shares of the connections that break. */
const BROKEN = { create: 0.1, get: 0.06, other: 0.06 };

/** Faults of the network in front of the service. */
export function connectionFaults(
	seed: number,
): (requestLine: string) => ConnectionFault | undefined {
	const streams = {
		create: numbersFor(seed, 'connections create'),
		get: numbersFor(seed, 'connections get'),
		other: numbersFor(seed, 'connections other'),
	};
	return (requestLine) => {
		const kind = kindOf(requestLine);
		const random = streams[kind];
		if (random() >= BROKEN[kind]) return undefined;
		return drawn<ConnectionFault>(random, [
			[2, { type: 'reset before' }],
			[3, { type: 'reset during', afterBytes: between(random, 1, 300_000) }],
			[3, { type: 'reset after' }],
			[3, { type: 'cut', afterBytes: between(random, 1, 400) }],
			[2, { type: 'drip' }],
		]);
	};
}

function kindOf(requestLine: string): keyof typeof BROKEN {
	if (/^POST \S+\/executions /.test(requestLine)) return 'create';
	return requestLine.startsWith('GET ') ? 'get' : 'other';
}
