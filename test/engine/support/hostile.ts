/** Calls of attackers who imitate the service: a table for each part of a call that they can change. */
import { createHmac, sign, type KeyObject } from 'node:crypto';
import { deflateSync, gzipSync } from 'node:zlib';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { ecPair, rsaPair } from '../../unit/credentials/webhook/tokens';
import { notification } from './notifications';
import { WORKFLOW_ID } from './service';

export type Headers = Record<string, string | string[]>;

export interface Delivery {
	headers: Headers;
	body: Buffer | undefined;
}

type Key = string | KeyObject;
type Algorithm = 'HS256' | 'RS256' | 'ES256';

/** A way to authenticate calls, as configured on both sides. */
export interface Way {
	name: string;
	entered: ICredentialDataDecryptedObject;
	/** The header with the proof (key, signature or token), and the text before the proof. */
	header: string;
	prefix: string;
	/** Each of these keys authenticates a call. */
	keys: [Key, ...Key[]];
	/** A key of the same kind that does not. */
	stranger: Key;
	/** Of a token. */
	algorithm?: Algorithm;
}

const FIRST = 'kEy-of-Today-5f0c9b27e1d84a36b2f1';
const SECOND = 'kEy-of-Tomorrow-a71d3e90c54f4b6811';
const STRANGER = 'kEy-of-Yesterday-0b6d2c8e9f7a41d35c';
/** Must appear in no answer and no log. */
export const SECRETS = [FIRST, SECOND, STRANGER];
const ISSUER = 'https://login.example.com/';
const AUDIENCE = 'document-workflow-webhook';

function tokenWay(algorithm: Algorithm): Way {
	const form = { name: algorithm, algorithm, header: 'authorization', prefix: 'Bearer ' };
	const entered = {
		...{ triggerAuthentication: 'jwt', algorithm, issuer: ISSUER, audience: AUDIENCE },
	};
	if (algorithm === 'HS256') {
		const secrets = { jwtSecret: FIRST, secondJwtSecret: SECOND };
		return {
			...form,
			entered: { ...entered, ...secrets },
			keys: [FIRST, SECOND],
			stranger: STRANGER,
		};
	}
	const pair = algorithm === 'RS256' ? rsaPair : ecPair;
	const [first, second] = [pair(), pair()];
	return {
		...form,
		entered: { ...entered, publicKey: first.pem, secondPublicKey: second.pem },
		keys: [first.privateKey, second.privateKey],
		stranger: pair().privateKey,
	};
}

export const WAYS: Way[] = [
	{
		name: 'API key',
		entered: {
			...{ triggerAuthentication: 'apiKey', headerName: 'x-intake-key' },
			...{ apiKey: FIRST, secondApiKey: SECOND },
		},
		...{ header: 'x-intake-key', prefix: '' },
		keys: [FIRST, SECOND],
		stranger: STRANGER,
	},
	...(['HS256', 'RS256', 'ES256'] as const).map(tokenWay),
];

const TOKENS = WAYS.filter(({ algorithm }) => algorithm !== undefined);

const base64url = (value: unknown) =>
	Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

function claimsAt(now: number): Record<string, unknown> {
	const at = Math.floor(now / 1_000);
	return { iss: ISSUER, aud: AUDIENCE, sub: 'service', iat: at - 10, exp: at + 600 };
}

function tokenOf({ algorithm = 'HS256', keys }: Way, key: Key = keys[0], header: object = {}) {
	const head = base64url({ alg: algorithm, typ: 'JWT', ...header });
	const text = `${head}.${base64url(claimsAt(Date.now()))}`;
	return `${text}.${signatureBy(algorithm, key, text)}`;
}

function signatureBy(algorithm: Algorithm, key: Key, text: string): string {
	if (typeof key === 'string') return createHmac('sha256', key).update(text).digest('base64url');
	const form = algorithm === 'ES256' ? { key, dsaEncoding: 'ieee-p1363' as const } : key;
	return sign('sha256', Buffer.from(text), form).toString('base64url');
}

function proofOf(way: Way, key: Key = way.keys[0]): string {
	return way.algorithm === undefined ? (key as string) : tokenOf(way, key);
}

/** The headers with a proof. */
function headersOf({ header, prefix }: Way, proof: string): Headers {
	return { [header]: prefix + proof };
}

/** A call as the service makes it. */
export function authenticated(way: Way, body: Buffer, key?: Key): Delivery {
	const proof = headersOf(way, proofOf(way, key));
	return { headers: { 'content-type': 'application/json', ...proof }, body };
}

export interface Attack {
	title: string;
	ways: Way[];
	calls: (way: Way, body: Buffer) => Delivery[];
}

/** What replaces the header with the proof of a genuine call. */
const byHeader = (
	title: string,
	headersFor: (way: Way, value: string) => Headers[],
	ways = WAYS,
): Attack => ({
	title,
	ways,
	calls: (way, body) => {
		const { [way.header]: value, ...others } = authenticated(way, body).headers;
		return headersFor(way, String(value)).map((headers) => ({
			headers: { ...others, ...headers },
			body,
		}));
	},
});

/** What replaces the proof in a genuine call. */
const byProof = (
	title: string,
	proofsFor: (proof: string, way: Way) => string[],
	ways = WAYS,
): Attack => ({
	title,
	ways,
	calls: (way, body) =>
		proofsFor(proofOf(way), way).map((proof) => ({
			headers: headersOf(way, proof),
			body,
		})),
});

const put = (text: string, at: number, more: string, instead = 0) =>
	text.slice(0, at) + more + text.slice(at + instead);
const placesIn = ({ length }: string) => [0, 1, length >> 1, length - 2, length - 1];
const otherCase = (text: string) => {
	const upper = text.toUpperCase();
	return upper === text ? text.toLowerCase() : upper;
};
const URL_OF_KEYS = 'https://elsewhere.example.com/keys';

/** Calls that must get 401, whatever is in them. */
export const ATTACKS: Attack[] = [
	byHeader('no proof', ({ header, prefix }) => [
		...['cookie', 'x-forwarded-for', 'host', '__proto__'].map((name) => ({ [name]: '127.0.0.1' })),
		...['', ' ', prefix, `${prefix} `, 'undefined', 'true', '[object Object]', '*'].map(
			(value) => ({
				[header]: value,
			}),
		),
	]),
	byHeader('the proof in another header', ({ header }, value) =>
		[
			...[`x-${header}`, `${header}-`, `${header} `, `${header}\u0000`, header.replace('a', 'а')],
			...['proxy-authorization', 'x-authorization', 'cookie', '__proto__', 'constructor'],
		].map((name) => ({ [name]: value })),
	),
	byHeader('the header twice, or as a list', ({ header }, value) => [
		...[[value, value], [value, 'x'], ['x', value], [value], []].map((values) => ({
			[header]: values,
		})),
		{ [header]: `${value}, ${value}` },
	]),
	byHeader('the proof among others', ({ header }, value) =>
		[`x, ${value}`, `${value},x`].map((other) => ({ [header]: other })),
	),
	byHeader('a huge header', ({ header, prefix }, value) =>
		[
			...[
				value + 'x'.repeat(16_384),
				value.repeat(500),
				'.'.repeat(100_000),
				`${prefix}${'a.'.repeat(50_000)}`,
			],
		].map((other) => ({ [header]: other })),
	),
	byHeader(
		'another prefix',
		({ header, prefix }, value) =>
			[
				...['', 'sha1=', 'Basic ', 'JWT ', otherCase(prefix), prefix.trim().replace('=', ':')],
				...[prefix + prefix, `${prefix},`, `x${prefix}`],
			]
				// The scheme of a token is not case-sensitive (RFC 9110).
				.filter((other) => other.toLowerCase() !== 'bearer ')
				.map((other) => ({ [header]: value.replace(prefix, other) })),
		WAYS.filter(({ prefix }) => prefix !== ''),
	),
	byProof('a changed proof', (proof) =>
		placesIn(proof)
			.flatMap((at) => [
				put(proof, at, String.fromCharCode(proof.charCodeAt(at) ^ 1), 1),
				...['', 'Z', '\u200d', ' ', '\t', '\n', '\u00a0', '\u0000', 'а'].map((other) =>
					put(proof, at, other, other === '' ? 1 : 0),
				),
				put(proof, at, String.fromCharCode(proof.charCodeAt(at) + 0xfee0), 1),
			])
			.filter((other) => other.trim() !== proof),
	),
	byProof('a part of the proof, or more', (proof) => [
		...[1, 2, proof.length >> 1, proof.length - 1].flatMap((at) => [
			proof.slice(0, at),
			proof.slice(at),
		]),
		...['0', 'AA', '==', '.x', ';', proof].map((more) => proof + more),
	]),
	{
		title: 'a key that is not known',
		ways: WAYS,
		calls: (way, body) =>
			[
				way.stranger,
				...(typeof way.keys[0] === 'string'
					? [
							...['', 'undefined', 'secret', way.header, FIRST.slice(1), FIRST.slice(0, -1)],
							...[otherCase(FIRST), FIRST + FIRST, `\u0000${FIRST}`, base64url(FIRST)],
						]
					: []),
			].map((key) => authenticated(way, body, key)),
	},
	{
		title: 'the proof of another kind of authentication',
		ways: WAYS,
		calls: (way, body) =>
			WAYS.filter((other) => other !== way).flatMap((other) => {
				const { headers } = authenticated(other, body);
				const proof = proofOf(other);
				const isRight = proof === proofOf(way);
				return [
					...(other.header === way.header ? [] : [{ headers, body }]),
					...(isRight ? [] : [{ headers: { ...headers, ...headersOf(way, proof) }, body }]),
				];
			}),
	},
	byProof(
		'a token that brings its own key',
		(_proof, way) =>
			[
				{ jwk: { kty: 'oct', k: base64url(STRANGER) } },
				...[{ jku: URL_OF_KEYS }, { x5u: URL_OF_KEYS }, { x5c: ['MIIB'] }, { kid: URL_OF_KEYS }],
				...[{ kid: '../../../dev/null' }, { kid: "' UNION SELECT 'x" }],
			].map((header) => tokenOf(way, way.stranger, header)),
		TOKENS,
	),
];

const ids = (workflowId: string, executionId: string, more = '') =>
	`{"workflow_id":${workflowId},"workflow_execution_id":${executionId},"status":"completed"${more}}`;
const eventOf = (executionId: string) => JSON.stringify(notification(executionId));
const nested = (depth: number, open: string, close: string) =>
	open.repeat(depth) + close.repeat(depth);
const quoted = (text: string) => JSON.stringify(text);

const ODD_TEXTS =
	'. .. ../ ../../../oauth2/access_token ..%2f..%2f / %2e%2e \\..\\ //elsewhere.example.com/ x?a=1 x#y x;y ' +
	'http://elsewhere.example.com/x @elsewhere.example.com __proto__ constructor toString';
const ODD_CONTROLS = ['', ' ', '\u0000', 'e-1\r\nhost: x', '\u001b[31mred', '\ud800', '\u202eabc'];
/** As JSON. */
const ODD_IDS = [
	...[...ODD_TEXTS.split(' '), ...ODD_CONTROLS, 'e'.repeat(20_000), 'ü'.repeat(400)].map(quoted),
	...'7 -1 1e400 0.1 null true {} {"id":"x"} [] ["x"]'.split(' '),
];

/** An attack by the body of a call that is authenticated. */
export interface BodyAttack {
	title: string;
	/** The statuses that it may get. None starts anything. */
	statuses: number[];
	/** `real` is an ended execution of the service. */
	bodies: (real: string) => Array<string | Buffer>;
	contentType?: string;
}

export const BODIES: BodyAttack[] = [
	{
		title: 'that is no event',
		statuses: [400],
		bodies: (real) => [
			...['', ' \r\n', '\ufeff', 'null', '{}', '[[]]', '0', '""', '[null]'],
			...[eventOf(real).slice(0, -1), eventOf(real).slice(1), `${eventOf(real)}}`],
			...[`${eventOf(real)}${eventOf(real)}`, `x${eventOf(real)}`, `${eventOf(real)}\u0000`],
			...[`[${eventOf(real)},{}]`, `[${eventOf(real)},${eventOf(real)}]`],
			Buffer.from([255, 0, 7, 128]),
		],
	},
	{
		title: 'that is nested too deep',
		statuses: [400],
		bodies: (real) =>
			[nested(101, '[', ']'), `${'{"a":'.repeat(3_000)}1${'}'.repeat(3_000)}`].flatMap((inner) => [
				...[inner, ids(quoted(WORKFLOW_ID), quoted(real), `,"steps":${inner}`)],
			]),
	},
	{
		title: 'with names of prototypes',
		statuses: [400, 503],
		bodies: (real) => {
			const inside = `{"workflow_id":"${WORKFLOW_ID}","workflow_execution_id":"${real}"}`;
			return [
				...[`{"__proto__":${inside}}`, `{"constructor":{"prototype":${inside}}}`],
				ids('"__proto__"', '"x"', `,"__proto__":${inside}`),
			];
		},
	},
	{
		title: 'with odd IDs',
		statuses: [400, 503],
		bodies: (real) =>
			ODD_IDS.flatMap((odd) => [ids(quoted(WORKFLOW_ID), odd), ids(odd, quoted(real))]),
	},
	{
		title: 'with an execution that is unknown, or of another workflow',
		statuses: [503],
		bodies: (real) => [
			...[`${real}0`, real.slice(0, -1), `${real}/`, real.replaceAll('-', '%2d')].map(eventOf),
			...['failing', `${WORKFLOW_ID}s`, WORKFLOW_ID.toUpperCase(), '*'].map((other) =>
				ids(quoted(other), quoted(real)),
			),
			`{"workflow_id":"${WORKFLOW_ID}","workflow_execution_id":"${real}","workflow\\u005fexecution_id":"x"}`,
			`{"execution_id":"${real}","workflow_id":"${WORKFLOW_ID}","workflow_execution_id":"x"}`,
		],
	},
	...(
		[
			['application/x-www-form-urlencoded', (event) => new URLSearchParams({ event }).toString()],
			['application/json; charset=utf-16', (event) => Buffer.from(event, 'utf16le')],
			['application/json', (event) => gzipSync(event)],
			['application/octet-stream', (event) => deflateSync(event)],
			['text/plain', (event) => Buffer.from(event).toString('base64')],
			['text/xml', (event) => `<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>${event}`],
			['application/json5', (event) => event.replace(/"/g, "'")],
		] as Array<[string, (event: string) => string | Buffer]>
	).map(([contentType, write]) => ({
		title: `in another format: ${contentType}`,
		statuses: [400],
		bodies: (real: string) => [write(eventOf(real))],
		contentType,
	})),
];
