/** Deliveries of attackers who imitate the service or control its data; each is made from a few random numbers and texts. */
import {
	constants,
	createHash,
	createHmac,
	sign,
	type KeyObject,
	type SignKeyObjectInput,
} from 'node:crypto';
import { deflateSync, gzipSync } from 'node:zlib';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { sealReference } from '../../../nodes/DocumentWorkflow/pausing/reference';
import { ecPair, rsaPair } from '../../unit/credentials/keyPairs';
import { notification } from './notifications';
import { WORKFLOW_ID } from './service';
import { anyCharacter, fc } from '../../properties';

/** The random values for a delivery. */
export interface Drawn {
	way: number;
	at: number;
	turn: number;
	bit: number;
	text: string;
	bytes: Uint8Array;
}

export const drawn: fc.Arbitrary<Drawn> = fc.record({
	way: fc.nat(1_000),
	at: fc.nat(1_000_000),
	turn: fc.nat(1_000_000),
	bit: fc.nat(7),
	text: fc.string({ unit: anyCharacter, minLength: 1, maxLength: 30 }),
	bytes: fc.uint8Array({ minLength: 1, maxLength: 200 }),
});

export type Headers = Record<string, string | string[]>;

export interface Delivery {
	headers: Headers;
	body: Buffer | undefined;
	/** How far the clock is ahead when the delivery arrives. */
	laterMilliseconds?: number;
}

type Key = string | KeyObject;
type Algorithm = 'HS256' | 'RS256' | 'ES256';

/** A way to authenticate calls, as configured on both sides. */
export interface Way {
	name: string;
	method: 'apiKey' | 'hmac' | 'jwt';
	entered: ICredentialDataDecryptedObject;
	/** The header with the proof (key, signature or token), and the prefix before the proof. */
	header: string;
	prefix: string;
	/** Each of these keys authenticates a call. */
	keys: [Key, ...Key[]];
	/** A key of the same kind that does not. */
	stranger: Key;
	encoding?: 'hex' | 'base64url';
	timestampHeader?: string;
	algorithm?: Algorithm;
	publicPem?: string;
}

const FIRST = 'kEy-of-Today-5f0c9b27e1d84a36b2';
const SECOND = 'kEy-of-Tomorrow-a71d3e90c54f4b68';
const ISSUER = 'https://login.example.com/';
const AUDIENCE = 'document-workflow-webhook';
const TOLERANCE_SECONDS = 60;

const secret = (way: string, which: string) =>
	`${which}-${createHash('sha256').update(way).digest('hex').slice(0, 8)}`;

function keyWay(name: string, header: string, isRotated: boolean): Way {
	const [first, second] = [secret(name, FIRST), secret(name, SECOND)];
	const entered = {
		authentication: 'apiKey',
		headerName: header,
		apiKey: first,
		secondApiKey: isRotated ? second : '',
	};
	return {
		name,
		method: 'apiKey',
		entered,
		header,
		prefix: '',
		keys: isRotated ? [first, second] : [first],
		stranger: secret(name, 'kEy-of-Yesterday'),
	};
}

function signatureWay(
	name: string,
	form: { preset: string } & Partial<Way>,
	isRotated = false,
): Way {
	const { preset, ...rest } = form;
	const [first, second] = [secret(name, FIRST), secret(name, SECOND)];
	const { header = 'x-signature', prefix = '', encoding = 'hex', timestampHeader } = rest;
	const own: ICredentialDataDecryptedObject =
		preset === 'custom'
			? {
					signatureHeader: header,
					encoding: encoding === 'hex' ? 'hex' : 'base64',
					prefix,
					timestampHeader: timestampHeader ?? '',
				}
			: {};
	const entered = {
		authentication: 'hmac',
		preset,
		...own,
		signingSecret: first,
		secondSigningSecret: isRotated ? second : '',
	};
	return {
		name,
		method: 'hmac',
		entered,
		keys: isRotated ? [first, second] : [first],
		stranger: secret(name, 'kEy-of-Yesterday'),
		...rest,
		header,
		prefix,
		encoding,
	};
}

function tokenWay(name: string, algorithm: Algorithm, isRotated: boolean): Way {
	const shared = {
		authentication: 'jwt',
		algorithm,
		issuer: ISSUER,
		audience: AUDIENCE,
		clockTolerance: TOLERANCE_SECONDS,
	};
	const form = {
		name,
		method: 'jwt',
		header: 'authorization',
		prefix: 'Bearer ',
		algorithm,
	} as const;
	if (algorithm === 'HS256') {
		const [first, second] = [secret(name, FIRST), secret(name, SECOND)];
		return {
			...form,
			entered: { ...shared, jwtSecret: first, secondJwtSecret: isRotated ? second : '' },
			keys: isRotated ? [first, second] : [first],
			stranger: secret(name, 'kEy-of-Yesterday'),
		};
	}
	const [first, second, stranger] = [0, 1, 2].map(() =>
		algorithm === 'RS256' ? rsaPair() : ecPair(),
	) as [ReturnType<typeof ecPair>, ReturnType<typeof ecPair>, ReturnType<typeof ecPair>];
	const entered = { ...shared, publicKey: first.pem, secondPublicKey: isRotated ? second.pem : '' };
	return {
		...form,
		entered,
		keys: isRotated ? [first.privateKey, second.privateKey] : [first.privateKey],
		stranger: stranger.privateKey,
		publicPem: first.pem,
	};
}

export const WAYS: Way[] = [
	keyWay('API key', 'x-api-key', false),
	keyWay('API key, two in another header', 'x-intake-key', true),
	signatureWay('X-Signature', { preset: 'plain' }),
	signatureWay(
		'X-Hub-Signature-256, two secrets',
		{ preset: 'hub', header: 'x-hub-signature-256', prefix: 'sha256=' },
		true,
	),
	signatureWay('X-Signature and X-Timestamp', {
		preset: 'timestamp',
		timestampHeader: 'x-timestamp',
	}),
	signatureWay(
		'custom: Base64, time, two secrets',
		{
			preset: 'custom',
			header: 'x-seal',
			prefix: 'v1=',
			encoding: 'base64url',
			timestampHeader: 'x-sealed-at',
		},
		true,
	),
	tokenWay('HS256, two secrets', 'HS256', true),
	tokenWay('RS256, two keys', 'RS256', true),
	tokenWay('ES256', 'ES256', false),
];

/** Must appear in no answer and no log. */
export const SECRETS: string[] = WAYS.flatMap(({ keys, stranger }) => [...keys, stranger]).filter(
	(key) => typeof key === 'string',
);

/** An entry of a list by a random number. */
export function pick<T>(list: readonly T[], number: number): T {
	const one = list[number % list.length];
	if (one === undefined) throw new Error('There is nothing to draw from');
	return one;
}

const textOf = (key: Key) => (typeof key === 'string' ? key : '');
const seconds = (now: number) => String(Math.floor(now / 1_000));
const base64url = (value: unknown) =>
	Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
const digest = ({ encoding = 'hex' }: Way, key: Key, message: string | Buffer) =>
	createHmac('sha256', key).update(message).digest(encoding);
const stamped = (stamp: string, body: Buffer) => Buffer.concat([Buffer.from(`${stamp}.`), body]);

function claimsAt(now: number): Record<string, unknown> {
	const at = Math.floor(now / 1_000);
	return { iss: ISSUER, aud: AUDIENCE, sub: 'service', iat: at - 10, exp: at + 600 };
}

/** Signs a text: HMAC for a secret, otherwise as the type of the private key requires; ES and PS in their own formats. */
function signatureBy(algorithm: string, key: Key, text: string): string {
	const bits = /(256|384|512)$/.exec(algorithm)?.[0] ?? '256';
	if (typeof key === 'string')
		return createHmac(`sha${bits}`, key).update(text).digest('base64url');
	const forms: Record<string, SignKeyObjectInput> = {
		ES: { key, dsaEncoding: 'ieee-p1363' },
		PS: { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 },
	};
	return sign(`sha${bits}`, Buffer.from(text), forms[algorithm.slice(0, 2)] ?? key).toString(
		'base64url',
	);
}

function tokenOf(
	way: Way,
	parts: { header?: unknown; claims?: unknown; key?: Key; by?: string },
): string {
	const { algorithm = 'HS256', keys } = way;
	const {
		header = { alg: algorithm, typ: 'JWT' },
		claims = claimsAt(Date.now()),
		key = keys[0],
		by = algorithm,
	} = parts;
	const text = `${base64url(header)}.${base64url(claims)}`;
	return `${text}.${signatureBy(by, key, text)}`;
}

/** The header value after the prefix. */
function proofOf(way: Way, body: Buffer, key: Key, now: number): string {
	if (way.method === 'apiKey') return textOf(key);
	if (way.method === 'jwt') return tokenOf(way, { key, claims: claimsAt(now) });
	return digest(way, key, way.timestampHeader === undefined ? body : stamped(seconds(now), body));
}

const withProof = (way: Way, proof: string, now = Date.now()): Headers => ({
	[way.header]: way.prefix + proof,
	...(way.timestampHeader === undefined ? {} : { [way.timestampHeader]: seconds(now) }),
});

/** A delivery as the service sends it. */
export function authenticated(
	way: Way,
	body: Buffer | undefined,
	key: Key = way.keys[0],
	now = Date.now(),
): Delivery {
	return {
		headers: {
			'content-type': 'application/json',
			...withProof(way, proofOf(way, body ?? Buffer.alloc(0), key, now), now),
		},
		body,
	};
}

type Make = (way: Way, body: Buffer, drawn: Drawn) => Delivery;

interface Unauthenticated {
	ways: Way[];
	make: Make;
}

const SIGNED = WAYS.filter(({ method }) => method === 'hmac');
const TIMED = SIGNED.filter(({ timestampHeader }) => timestampHeader !== undefined);
const TOKENS = WAYS.filter(({ method }) => method === 'jwt');
const PAIRS = TOKENS.filter(({ publicPem }) => publicPem !== undefined);
const TEXTS = WAYS.filter(({ keys: [key] }) => typeof key === 'string');
const CASED = WAYS.filter(({ encoding, prefix }) => encoding !== 'hex' || prefix !== '');
const isCaseBlind = ({ encoding }: Way) => encoding === 'hex';

/** A genuine delivery with a changed proof. */
const spoil =
	(change: (proof: string, drawn: Drawn, way: Way, body: Buffer) => string): Make =>
	(way, body, given) => {
		const key = pick(way.keys, given.turn);
		const now = Date.now();
		return {
			headers: withProof(way, change(proofOf(way, body, key, now), given, way, body), now),
			body,
		};
	};

/** A genuine delivery with changed headers. */
const misplace =
	(headers: (way: Way, value: string, drawn: Drawn) => Headers): Make =>
	(way, body, given) => {
		const right = authenticated(way, body).headers;
		const { [way.header]: value, ...others } = right;
		return { headers: { ...others, ...headers(way, String(value), given) }, body };
	};

const cut = (text: string, at: number) => text.slice(0, at % text.length);
const put = (text: string, at: number, more: string, instead = 0) =>
	text.slice(0, at) + more + text.slice(at + instead);
const charOf = (text: string, at: number) => text.charAt(at % text.length);
const other = (now: string, candidates: string, turn: number) =>
	pick(
		[...candidates].filter((one) => one.toLowerCase() !== now.toLowerCase()),
		turn,
	);

function withBitFlipped(proof: string, { at, bit }: Drawn, way: Way): string {
	const place = at % proof.length;
	const flipped = (by: number) => String.fromCharCode(proof.charCodeAt(place) ^ (1 << by));
	const isSame =
		isCaseBlind(way) && flipped(bit).toLowerCase() === proof.charAt(place).toLowerCase();
	return put(proof, place, flipped(isSame ? 0 : bit), 1);
}

function withCharacterChanged(proof: string, { at, turn }: Drawn): string {
	const place = at % proof.length;
	const another = other(charOf(proof, place), '0123456789abcdefXYZ', turn);
	const changes = [
		put(proof, place, another, 1),
		put(proof, place, another),
		put(proof, place, '', 1),
		put(proof, place, charOf(proof, place)),
		put(
			proof,
			place,
			charOf(proof, place + 1) === charOf(proof, place) ? another : charOf(proof, place + 1),
			1,
		),
	];
	return pick(changes, turn);
}

function withLookAlike(proof: string, { at, turn }: Drawn): string {
	const place = at % proof.length;
	const now = proof.charAt(place);
	const alike: Record<string, string> = {
		a: 'а',
		e: 'е',
		o: 'о',
		c: 'с',
		p: 'р',
		y: 'у',
		x: 'х',
		'-': '‐',
		'.': '․',
		'0': 'О',
		'1': 'l',
	};
	const fullWidth = String.fromCharCode(proof.charCodeAt(place) + 0xfee0);
	return pick(
		[
			put(proof, place, alike[now] ?? fullWidth, 1),
			put(proof, place, fullWidth, 1),
			put(proof, place, `${now}\u0301`, 1),
			put(proof, place, '\u200d'),
			`${proof}\u0000`,
		],
		turn,
	);
}

/** Changes the case of one letter of the proof, or of the prefix if the proof is not case-sensitive. */
function withOtherCase(way: Way, body: Buffer, { at, turn }: Drawn): Delivery {
	const now = Date.now();
	const proof = proofOf(way, body, pick(way.keys, turn), now);
	const swapped = (text: string) => {
		const places = [...text.matchAll(/[a-z]/gi)].map(({ index }) => index);
		const place = pick(places, at);
		const letter = text.charAt(place);
		return put(
			text,
			place,
			letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
			1,
		);
	};
	const value = isCaseBlind(way) ? swapped(way.prefix) + proof : way.prefix + swapped(proof);
	return { headers: { ...withProof(way, proof, now), [way.header]: value }, body };
}

const BLANKS = [' ', '\t', '\n', '\r\n', '\u00a0', '\u200b', '\ufeff', '\u2028', '\u0000'];

function inAnotherEncoding(proof: string, { turn }: Drawn, way: Way, body: Buffer): string {
	const written = [
		Buffer.from(proof).toString('base64'),
		Buffer.from(proof).toString('hex'),
		[...proof].map((one) => `%${one.charCodeAt(0).toString(16)}`).join(''),
		[...proof].reverse().join(''),
		JSON.stringify(proof),
		`'${proof}'`,
		Buffer.from(proof, 'utf16le').toString('latin1'),
		...(way.method === 'hmac'
			? [
					createHmac('sha256', way.keys[0]).update(body).digest().toString('latin1'),
					createHmac('sha256', way.keys[0])
						.update(body)
						.digest(isCaseBlind(way) ? 'base64' : 'hex'),
				]
			: []),
		...(way.method === 'jwt'
			? [
					proof
						.split('.')
						.map((part) => `${part}=`)
						.join('.'),
					proof.replaceAll('.', ','),
					proof.replace('.', '..'),
				]
			: []),
	];
	return pick(written, turn);
}

/** Keys that an attacker might guess. */
function wrongKeys({ keys: [key], header, prefix }: Way): string[] {
	const right = textOf(key);
	return [
		'',
		'undefined',
		'null',
		'secret',
		'changeme',
		header,
		prefix,
		right.slice(0, -1),
		right.slice(1),
		right.slice(0, 16),
		right.toUpperCase(),
		right + right,
		`\u0000${right}`,
		base64url(right),
	];
}

const withKey =
	(key: Key): Make =>
	(way, body) => ({ headers: withProof(way, proofOf(way, body, key, Date.now())), body });
const signing = (claims: (at: number, drawn: Drawn) => Record<string, unknown>): Make =>
	spoil((_proof, given, way) => {
		const merged = { ...claimsAt(Date.now()), ...claims(Math.floor(Date.now() / 1_000), given) };
		return tokenOf(way, { claims: merged, key: pick(way.keys, given.turn) });
	});

const stampedAt = (way: Way, body: Buffer, stamp: string): Delivery => ({
	headers: {
		[way.header]: way.prefix + digest(way, way.keys[0], stamped(stamp, body)),
		[way.timestampHeader ?? '']: stamp,
	},
	body,
});

/** Outside the window of five minutes, by seconds or by years. */
const farSeconds = ({ at, turn }: Drawn) => 330 + (turn % 2 === 0 ? at % 300 : at * 100);

const oddStamps = (now: string, { text, at }: Drawn): string[] => [
	'',
	'0',
	'-1',
	`-${now}`,
	`+${now}`,
	` ${now}`,
	`${now} `,
	`${now}.0`,
	`${now}e0`,
	'1e9',
	`0x${Number(now).toString(16)}`,
	`${now}000`,
	`${now}${'0'.repeat((at % 300) + 3)}`,
	new Date(Number(now) * 1_000).toISOString(),
	[...now].map((digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0)).join(''),
	'NaN',
	'Infinity',
	'now',
	'[object Object]',
	`${now},${now}`,
	text,
];

function withBodyChanged(change: (body: Buffer, drawn: Drawn) => Buffer | undefined): Make {
	return (way, body, given) => ({
		headers: authenticated(way, body, pick(way.keys, given.turn)).headers,
		body: change(body, given),
	});
}

/** A body that lost its last bytes. */
export const cutBody = (body: Buffer, { at }: Drawn): Buffer => body.subarray(0, at % body.length);

export function flippedBody(body: Buffer, { at, bit, turn }: Drawn): Buffer {
	const flipped = Buffer.from(body);
	for (let count = 0; count <= turn % 4; count++) {
		const place = (at + 7 * count) % flipped.length;
		flipped[place] = (flipped[place] ?? 0) ^ (1 << bit);
	}
	return flipped;
}

export const longerBody = (body: Buffer, { bytes, turn }: Drawn): Buffer =>
	pick(
		[
			Buffer.concat([body, Buffer.from('x'), bytes]),
			Buffer.concat([body, body]),
			Buffer.concat([Buffer.from([7]), bytes, body]),
			Buffer.concat([body, Buffer.from('}')]),
			Buffer.concat([body, Buffer.alloc(1)]),
		],
		turn,
	);

const rewritten = (body: Buffer, { turn }: Drawn): Buffer => {
	const text = body.toString();
	const record = JSON.parse(text) as Record<string, unknown>;
	const written = [
		JSON.stringify(record, null, 1),
		` ${text}`,
		`${text}\n`,
		`\ufeff${text}`,
		text.replace('workflow_id', 'workflow\\u005fid'),
		JSON.stringify(Object.fromEntries(Object.entries(record).reverse())),
		`[${text}]`,
	];
	return Buffer.from(pick(written, turn));
};

const NO_ALGORITHM = ['none', 'None', 'NONE', 'nOnE', 'none ', '', 'null'];
const pemForms = (pem: string) => [
	pem,
	pem.trim(),
	pem.replace(/\n/g, ''),
	pem.replace(/-----[^-]+-----|\n/g, ''),
	Buffer.from(pem).toString('base64'),
	pem.replace(/\n/g, '\r\n'),
];
const oddHeaders = (algorithm: string): unknown[] => [
	{ alg: [algorithm] },
	{ alg: algorithm.toLowerCase() },
	{ alg: ` ${algorithm}` },
	{ alg: null },
	{ alg: { toString: algorithm } },
	{ ALG: algorithm },
	{},
	[],
	[{ alg: algorithm }],
	null,
	7,
	'null',
	'',
	'{"alg"',
	`{"__proto__":{"alg":"${algorithm}"}}`,
	{ alg: algorithm, crit: ['exp'] },
	{ alg: algorithm, crit: [] },
	{ alg: algorithm, b64: false, crit: ['b64'] },
	{ alg: 'dir', enc: 'A256GCM' },
];
const oddEnds = (at: number): unknown[] => [
	undefined,
	null,
	String(at + 600),
	[at + 600],
	{},
	true,
	-at,
	0,
	'',
	'never',
	{ exp: at + 600 },
];
const oddTexts = (text: string): unknown[] => [
	text.toUpperCase(),
	`${text} `,
	` ${text}`,
	text.slice(0, -1),
	`${text}x`,
	`${text}\u0000`,
	undefined,
	null,
	'',
	7,
	{ 0: text },
	`https://elsewhere.example.com/?${text}`,
];

/** Deliveries without valid authentication, with any content. */
export const UNAUTHENTICATED: Record<string, Unauthenticated> = {
	'no proof': {
		ways: WAYS,
		make: misplace((_way, _value, { turn, text }) =>
			pick<Headers>(
				[
					{},
					{ cookie: `session=${text}` },
					{ 'x-forwarded-for': '127.0.0.1' },
					{ host: '127.0.0.1' },
					{ [text]: text },
					{ constructor: 'x', ['__proto__']: 'x' },
				],
				turn,
			),
		),
	},
	'an empty proof': {
		ways: WAYS,
		make: misplace(({ header, prefix }, _value, { turn, text }) => ({
			[header]: pick(
				[
					'',
					' ',
					prefix,
					`${prefix} `,
					'undefined',
					'null',
					'true',
					'[object Object]',
					'0',
					'*',
					prefix + text,
				],
				turn,
			),
		})),
	},
	'the proof in another header': {
		ways: WAYS,
		make: misplace(({ header }, value, { turn }) => ({
			[pick(
				[
					`x-${header}`,
					`${header}-`,
					header.replace('-', '_').replace('auth', 'x-auth'),
					`${header} `,
					` ${header}`,
					`${header}\u0000`,
					header.replace('a', 'а').replace('x', 'х'),
					'proxy-authorization',
					'x-authorization',
					'cookie',
					'__proto__',
					'constructor',
				],
				turn,
			)]: value,
		})),
	},
	'the header twice': {
		ways: WAYS,
		make: misplace(({ header }, value, { turn }) =>
			pick<Headers>(
				[
					{ [header]: [value, value] },
					{ [header]: [value, 'x'] },
					{ [header]: ['x', value] },
					{ [header]: value, [header.toUpperCase()]: value },
					{ [header]: 'x', [header.toUpperCase()]: value },
					{ [header]: `${value}, ${value}` },
					{ [header]: `x, ${value}` },
					{ [header]: `${value},x` },
				],
				turn,
			),
		),
	},
	'a header that is a list': {
		ways: WAYS,
		make: misplace(({ header }, value, { turn }) => ({
			[header]: pick(
				[[value], [], [value, '', ''], Array.from({ length: 1_000 }, () => value)],
				turn,
			),
		})),
	},
	'a header that is huge': {
		ways: WAYS,
		make: misplace(({ header, prefix }, value, { turn, at }) => ({
			[header]: pick(
				[
					value + 'x'.repeat(16_384 + (at % 50_000)),
					prefix + ' '.repeat(17_000) + value.slice(prefix.length),
					value.repeat(500),
					'.'.repeat(100_000),
					`${prefix}${'a.'.repeat(50_000)}`,
				],
				turn,
			),
		})),
	},
	'a flipped bit': { ways: WAYS, make: spoil(withBitFlipped) },
	'a changed character': { ways: WAYS, make: spoil(withCharacterChanged) },
	'only the beginning': {
		ways: WAYS,
		make: spoil((proof, { at, turn }) =>
			turn % 3 === 0 ? proof.slice(0, -1 - (at % 3)) : cut(proof, at),
		),
	},
	'only the end': {
		ways: WAYS,
		make: spoil((proof, { at }) => proof.slice(1 + (at % (proof.length - 1)))),
	},
	'the beginning and then others': {
		ways: WAYS,
		make: spoil((proof, { at, turn }) =>
			[...proof]
				.map((one, index) =>
					index < 1 + (at % (proof.length - 1))
						? one
						: other(one, '0123456789abcdef', turn + index),
				)
				.join(''),
		),
	},
	'extra text after the proof': {
		ways: WAYS,
		make: spoil(
			(proof, { turn }) =>
				proof + pick(['0', 'a', 'AA', '==', '.x', ',', ';', proof, `,${proof}`], turn),
		),
	},
	'the other case': { ways: CASED, make: withOtherCase },
	'white space inside': {
		ways: WAYS,
		make: spoil((proof, { at, turn }) =>
			put(proof, 1 + (at % (proof.length - 1)), pick(BLANKS, turn)),
		),
	},
	'a look-alike letter': { ways: WAYS, make: spoil(withLookAlike) },
	'another encoding': { ways: WAYS, make: spoil(inAnotherEncoding) },
	'a foreign key': {
		ways: WAYS,
		make: (way, body, given) => withKey(way.stranger)(way, body, given),
	},
	'a guessed key': {
		ways: TEXTS,
		make: (way, body, given) =>
			withKey(given.turn % 3 === 0 ? given.text : pick(wrongKeys(way), given.turn))(
				way,
				body,
				given,
			),
	},
	'the proof of another kind of authentication': {
		ways: WAYS,
		make: (way, body, { turn }) => {
			const another = pick(
				WAYS.filter((one) => one !== way),
				turn,
			);
			const value = authenticated(another, body).headers[another.header] ?? '';
			return {
				headers: {
					...authenticated(another, body).headers,
					...(turn % 2 === 0 ? { [way.header]: value } : {}),
				},
				body,
			};
		},
	},
	'a recorded call after its time window': {
		ways: [...TIMED, ...TOKENS],
		make: (way, body, given) => ({
			...authenticated(way, body, pick(way.keys, given.turn)),
			laterMilliseconds:
				1_000 *
				(way.method === 'jwt'
					? 700 + given.at
					: farSeconds(given) * (given.turn % 3 === 0 ? -1 : 1)),
		}),
	},

	'the signature of another body': {
		ways: SIGNED,
		make: (way, body, { at, text }) => ({
			headers: authenticated(
				way,
				Buffer.from(JSON.stringify(notification(`another-${at}`, { text }))),
			).headers,
			body,
		}),
	},
	'a body cut short': { ways: SIGNED, make: withBodyChanged(cutBody) },
	'a body with flipped bits': { ways: SIGNED, make: withBodyChanged(flippedBody) },
	'a longer body': { ways: SIGNED, make: withBodyChanged(longerBody) },
	'a rewritten body': { ways: SIGNED, make: withBodyChanged(rewritten) },
	'a removed body': { ways: SIGNED, make: withBodyChanged(() => undefined) },
	'another prefix': {
		ways: SIGNED.filter(({ prefix }) => prefix !== ''),
		make: (way, body, { turn }) => {
			const headers = authenticated(way, body).headers;
			const proof = String(headers[way.header]).slice(way.prefix.length);
			return {
				headers: {
					...headers,
					[way.header]:
						pick(
							[
								'',
								'sha1=',
								'md5=',
								'v0=',
								way.prefix.toUpperCase(),
								` ${way.prefix}`,
								way.prefix.replace('=', ':'),
								way.prefix.replace('=', ''),
								way.prefix + way.prefix,
								`${way.prefix},`,
							],
							turn,
						) + proof,
				},
				body,
			};
		},
	},
	'a digest that is not the signature': {
		ways: SIGNED,
		make: spoil((_proof, { turn }, way, body) => {
			const [key] = way.keys;
			const { encoding = 'hex' } = way;
			const hashes = [
				createHash('sha256').update(body),
				createHash('sha256').update(textOf(key)).update(body),
				createHash('sha256').update(body).update(textOf(key)),
				createHmac('sha256', body).update(textOf(key)),
				createHmac('sha512', key).update(body),
				createHmac('sha1', key).update(body),
				createHmac('sha256', '').update(body),
			];
			return pick(hashes, turn)
				.digest(encoding)
				.slice(0, digest(way, key, '').length);
		}),
	},
	'a past time': {
		ways: TIMED,
		make: (way, body, given) =>
			authenticated(way, body, pick(way.keys, given.turn), Date.now() - 1_000 * farSeconds(given)),
	},
	'a future time': {
		ways: TIMED,
		make: (way, body, given) =>
			authenticated(way, body, pick(way.keys, given.turn), Date.now() + 1_000 * farSeconds(given)),
	},
	'a recorded call with a new time': {
		ways: TIMED,
		make: (way, body, given) => ({
			headers: {
				...authenticated(way, body, way.keys[0], Date.now() - 1_000 * (1 + (given.at % 500)))
					.headers,
				[way.timestampHeader ?? '']: seconds(Date.now()),
			},
			body,
		}),
	},
	'an odd time': {
		ways: TIMED,
		make: (way, body, given) =>
			stampedAt(way, body, pick(oddStamps(seconds(Date.now()), given), given.turn)),
	},
	'no time, or two': {
		ways: TIMED,
		make: (way, body, { turn }) => {
			const { timestampHeader = '' } = way;
			const { [timestampHeader]: time = '', ...others } = authenticated(way, body).headers;
			const now = String(time);
			return {
				headers: {
					...others,
					...pick<Headers>(
						[
							{},
							{ [timestampHeader]: [now, now] },
							{ [timestampHeader]: now, [timestampHeader.toUpperCase()]: now },
							{ [`${timestampHeader}s`]: now },
							{ date: now },
						],
						turn,
					),
				},
				body,
			};
		},
	},
	'signed without its time': {
		ways: TIMED,
		make: (way, body, given) => {
			const { timestampHeader = '' } = way;
			const now = seconds(Date.now());
			const signed = pick(
				[
					body,
					body,
					Buffer.concat([Buffer.from('.'), body]),
					stamped('0', body),
					Buffer.concat([Buffer.from(now), body]),
				],
				given.turn,
			);
			const time = pick<Headers>(
				[
					{ [timestampHeader]: now },
					{},
					{ [timestampHeader]: '' },
					{ [timestampHeader]: '0' },
					{ [timestampHeader]: seconds(Date.now() - 1_000 * farSeconds(given)) },
					{ [timestampHeader]: given.text },
					{ [timestampHeader]: [now, now] },
				],
				given.at,
			);
			return {
				headers: {
					[way.header]: way.prefix + digest(way, pick(way.keys, given.turn), signed),
					...time,
				},
				body,
			};
		},
	},

	'an unsigned token': {
		ways: TOKENS,
		make: spoil((proof, { turn, text }, way) => {
			const bare = `${base64url({ alg: pick(NO_ALGORITHM, turn), typ: 'JWT' })}.${base64url(claimsAt(Date.now()))}`;
			return pick(
				[
					`${bare}.`,
					bare,
					`${bare}.${proof.split('.')[2]}`,
					`${bare}.${base64url(text)}`,
					`${tokenOf(way, {}).split('.').slice(0, 2).join('.')}.`,
				],
				turn,
			);
		}),
	},
	'a token signed with the public key': {
		ways: PAIRS,
		make: spoil((_proof, { turn, at }, way) => {
			const key = pick(pemForms(way.publicPem ?? ''), turn);
			return tokenOf(way, {
				key,
				by: 'HS256',
				header: { alg: at % 2 === 0 ? 'HS256' : way.algorithm, typ: 'JWT' },
			});
		}),
	},
	'a token by another algorithm': {
		ways: TOKENS,
		make: spoil((_proof, { turn, at }, way) => {
			const by = pick(
				{
					HS256: ['HS384', 'HS512'],
					RS256: ['RS384', 'RS512', 'PS256'],
					ES256: ['ES384', 'ES512', 'DER256'],
				}[way.algorithm ?? 'HS256'],
				turn,
			);
			return tokenOf(way, { by, header: { alg: at % 2 === 0 ? by : way.algorithm } });
		}),
	},
	'a token that names another algorithm': {
		ways: TOKENS,
		make: spoil((_proof, { turn }, way) =>
			tokenOf(way, {
				header: {
					alg: pick(
						['HS256', 'HS384', 'RS256', 'ES256', 'PS256', 'EdDSA', ...NO_ALGORITHM].filter(
							(name) => name !== way.algorithm,
						),
						turn,
					),
				},
			}),
		),
	},
	'a token with an odd header': {
		ways: TOKENS,
		make: spoil((_proof, { turn }, way) =>
			tokenOf(way, { header: pick(oddHeaders(way.algorithm ?? ''), turn) }),
		),
	},
	'a token with a key of its own': {
		ways: TOKENS,
		make: spoil((_proof, { turn }, way) => {
			const url = 'https://elsewhere.example.com/keys';
			const brought = [
				{ jwk: { kty: 'oct', k: base64url(textOf(way.stranger)) } },
				{ jku: url },
				{ x5u: url },
				{ x5c: ['MIIB'] },
				{ kid: '../../../dev/null' },
				{ kid: "' UNION SELECT 'x" },
				{ kid: url },
			];
			return tokenOf(way, {
				key: way.stranger,
				header: { alg: way.algorithm, ...pick(brought, turn) },
			});
		}),
	},
	'an expired token': {
		ways: TOKENS,
		make: signing((at, { at: drawnAt, turn }) => ({
			exp: at - TOLERANCE_SECONDS - 1 - (turn % 2 === 0 ? drawnAt % 300 : drawnAt),
		})),
	},
	'a token that is not valid yet': {
		ways: TOKENS,
		make: signing((at, { at: drawnAt, turn }) => ({
			[pick(['nbf', 'iat'], turn)]: pick<unknown>(
				[at + TOLERANCE_SECONDS + 60 + drawnAt, String(at - 10), null, [at], {}],
				turn,
			),
		})),
	},
	'a token without a valid expiry': {
		ways: TOKENS,
		make: signing((at, { turn }) => ({
			exp: pick(
				[undefined, null, ...oddEnds(at)].map((end) => ({ end })),
				turn,
			).end,
		})),
	},
	'a token of another issuer': {
		ways: TOKENS,
		make: signing((_at, { turn }) => ({
			iss: pick(
				[...oddTexts(ISSUER), [ISSUER]].map((iss) => ({ iss })),
				turn,
			).iss,
		})),
	},
	'a token for another audience': {
		ways: TOKENS,
		make: signing((_at, { turn }) => ({
			aud: pick(
				[...oddTexts(AUDIENCE), [], [AUDIENCE.toUpperCase()], [[AUDIENCE]]].map((aud) => ({ aud })),
				turn,
			).aud,
		})),
	},
	'a token with other claims': {
		ways: TOKENS,
		make: spoil((proof, { turn, at }) => {
			const [header = '', claims = '', signature = ''] = proof.split('.');
			const now = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<
				string,
				unknown
			>;
			const changed = pick(
				[
					{ ...now, exp: Number(now.exp) + 1 + at },
					{ ...now, sub: 'admin' },
					{ ...now, iat: Number(now.iat) - 1 },
					{},
					Object.fromEntries(Object.entries(now).reverse()),
				],
				turn,
			);
			return `${header}.${base64url(changed)}.${signature}`;
		}),
	},
	'a token without claims': {
		ways: TOKENS,
		make: spoil((_proof, { turn }, way) =>
			tokenOf(way, {
				claims: pick(
					['[]', 'null', '7', '"x"', '{', ' ', JSON.stringify([claimsAt(Date.now())])],
					turn,
				),
			}),
		),
	},
	'a token with parts missing or more': {
		ways: TOKENS,
		make: spoil((proof, { turn }) => {
			const [header = '', claims = '', signature = ''] = proof.split('.');
			return pick(
				[
					header,
					`${header}.${claims}`,
					`.${claims}.${signature}`,
					`${header}..${signature}`,
					`${header}.${claims}.`,
					'..',
					'...',
					`${proof}.`,
					`.${proof}`,
					`${proof}.${signature}`,
					`${proof}.${claims}.${signature}`,
					`${claims}.${header}.${signature}`,
					`${header}.${claims}.${header}`,
				],
				turn,
			);
		}),
	},
	'a token under another scheme': {
		ways: TOKENS,
		make: misplace(({ header }, value, { turn }) => ({
			[header]:
				pick(
					[
						'',
						'Basic ',
						'Token ',
						'JWT ',
						'Bearer',
						'Bearer: ',
						'Bearer\t',
						'Bearer=',
						'bearer,',
						'Basic x, Bearer ',
						'Bearer Bearer ',
						'DPoP ',
					],
					turn,
				) + value.slice('Bearer '.length),
		})),
	},
	'a token with a worthless signature': {
		ways: TOKENS,
		make: spoil((proof, { turn, text }) => {
			const length = Buffer.from(proof.split('.')[2] ?? '', 'base64url').length;
			const bare = proof.slice(0, proof.lastIndexOf('.'));
			const worthless = [
				Buffer.alloc(length),
				Buffer.alloc(length, 255),
				Buffer.alloc(1),
				Buffer.alloc(length, text),
				Buffer.concat([Buffer.alloc(length - 1), Buffer.from([1])]),
			];
			return `${bare}.${pick(worthless, turn).toString('base64url')}`;
		}),
	},
};

const ids = (workflowId: string, executionId: string, more = '') =>
	`{"workflow_id":${workflowId},"workflow_execution_id":${executionId},"status":"completed"${more}}`;

const oddIds = ({ text, at }: Drawn): string[] => [
	'""',
	'" "',
	'"."',
	'".."',
	'"../"',
	'"../../../oauth2/access_token"',
	'"..%2f..%2f"',
	'"%2e%2e"',
	'"/"',
	'"\\\\..\\\\"',
	'"//elsewhere.example.com/"',
	'"http://elsewhere.example.com/x"',
	'"@elsewhere.example.com"',
	'"x?admin=1"',
	'"x#y"',
	'"x;y"',
	'"\\u0000"',
	'"e-1\\r\\nhost: elsewhere"',
	'"\\u001b[31mred"',
	'"\\ud800"',
	'"\\u202eabc"',
	'"__proto__"',
	'"constructor"',
	'"toString"',
	`"${'e'.repeat(501 + (at % 20_000))}"`,
	`"${'ü'.repeat(1 + (at % 500))}"`,
	'7',
	'-1',
	'1e400',
	'0.1',
	'null',
	'true',
	'{}',
	'{"id":"x"}',
	'[]',
	'["x"]',
	JSON.stringify(text),
	JSON.stringify(`../${text}`),
];

/** An event in other formats, by content type. */
function otherFormats(event: string): Array<[string, Buffer]> {
	const record = JSON.parse(event) as Record<string, string>;
	const form = new URLSearchParams({
		workflow_id: String(record.workflow_id),
		workflow_execution_id: String(record.workflow_execution_id),
	}).toString();
	return [
		['application/x-www-form-urlencoded', Buffer.from(form)],
		[
			'multipart/form-data; boundary=x',
			Buffer.from(
				`--x\r\ncontent-disposition: form-data; name="body"\r\n\r\n${event}\r\n--x--\r\n`,
			),
		],
		[
			'text/xml',
			Buffer.from(
				`<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><x>&e;${event}</x>`,
			),
		],
		['application/json; charset=utf-16', Buffer.from(event, 'utf16le')],
		['application/json', gzipSync(event)],
		['application/octet-stream', deflateSync(event)],
		['text/plain', Buffer.from(Buffer.from(event).toString('base64'))],
		[
			'application/yaml',
			Buffer.from(
				`workflow_id: ${record.workflow_id}\nworkflow_execution_id: ${record.workflow_execution_id}\n`,
			),
		],
		['application/x-ndjson', Buffer.from(`${event}\n${event}\n`)],
		['application/json5', Buffer.from(event.replace(/"/g, "'"))],
		['text/html', Buffer.from(JSON.stringify(event))],
	];
}

export interface HostileBody {
	/** If not JSON. */
	contentType?: string;
	body: Buffer | undefined;
	/** The accepted statuses of the answer. */
	statuses: number[];
}

type MakeBody = (real: string, drawn: Drawn) => HostileBody;

const UNREADABLE = [400];
const rejected = (body: string | Buffer | undefined, statuses = UNREADABLE): HostileBody => ({
	body: typeof body === 'string' ? Buffer.from(body) : body,
	statuses,
});
const nested = (depth: number, open: string, close: string) =>
	open.repeat(depth) + close.repeat(depth);
const eventOf = (executionId: string) => JSON.stringify(notification(executionId));

/** Bodies that start nothing although the call is authenticated. `real` is an ended execution of the service. */
export const BODIES: Record<string, MakeBody> = {
	'cut short': (real, given) => rejected(cutBody(Buffer.from(eventOf(real)), given)),
	'with flipped bits': (_real, given) =>
		rejected(flippedBody(Buffer.from(eventOf('no-such-id')), given), [400, 404]),
	'with extra bytes before or after': (real, given) =>
		rejected(longerBody(Buffer.from(eventOf(real)), given)),
	'nested deep': (real, { at, turn }) => {
		const [open, close] = pick(
			[
				['[', ']'],
				['{"a":', '}'],
				['[{"a":', '}]'],
			] as const,
			turn,
		);
		const inner = nested(101 + (at % 3_000), open, close).replace(':}', ':1}');
		return rejected(
			pick(
				[
					ids(`"${WORKFLOW_ID}"`, `"${real}"`, `,"steps":${inner}`),
					`[${eventOf(real)},${inner}]`,
					inner,
				],
				turn,
			),
		);
	},
	'a list of more than 1,000': (real, { at, turn }) =>
		rejected(
			`[${Array.from({ length: 1_001 + (at % 100) }, () => pick([ids(`"${WORKFLOW_ID}"`, `"${real}"`), '{}', '1'], turn)).join()}]`,
		),
	'with names of prototypes': (real, { turn }) => {
		const inside = `{"workflow_id":"${WORKFLOW_ID}","workflow_execution_id":"${real}","polluted":true}`;
		return rejected(
			pick(
				[
					`{"__proto__":${inside}}`,
					`{"constructor":{"prototype":${inside}}}`,
					`[{"__proto__":${inside}}]`,
					ids('"__proto__"', '"constructor"', `,"__proto__":${inside}`),
					ids(`"${WORKFLOW_ID}"`, '"__proto__"', `,"metadata":{"__proto__":${inside}}`),
					ids('"constructor"', `"${real}"`),
				],
				turn,
			),
			[400, 404],
		);
	},
	'with odd IDs': (real, given) => {
		const odd = pick(oddIds(given), given.turn);
		return rejected(
			given.at % 2 === 0 ? ids(`"${WORKFLOW_ID}"`, odd) : ids(odd, `"${real}"`),
			[400, 404],
		);
	},
	'with the same name twice': (real, { turn }) => {
		const [first, last] = [
			`"workflow_execution_id":"${real}"`,
			'"workflow_execution_id":"no-such-id"',
		];
		return rejected(
			pick(
				[
					`{"workflow_id":"${WORKFLOW_ID}",${first},${last}}`,
					`{${first},"workflow_id":"${WORKFLOW_ID}",${last}}`,
					`{"workflow_id":"${WORKFLOW_ID}",${first},"workflow\\u005fexecution_id":"no-such-id"}`,
					`{"execution_id":"${real}","workflow_id":"${WORKFLOW_ID}",${last}}`,
				],
				turn,
			),
			[404],
		);
	},
	'in another format': (real, { turn }) => {
		const [contentType, body] = pick(otherFormats(eventOf(real)), turn);
		// n8n parses multipart bodies and drops the raw body, so a signature of the body cannot be verified.
		return {
			contentType,
			body,
			statuses: contentType.startsWith('multipart/') ? [...UNREADABLE, 401] : UNREADABLE,
		};
	},
	'of random bytes': (_real, { bytes }) => rejected(Buffer.concat([Buffer.from([255]), bytes])),
	'without content': (_real, { turn }) =>
		rejected(
			pick(
				[
					{ body: undefined },
					{ body: '' },
					{ body: ' \r\n' },
					{ body: '\ufeff' },
					{ body: 'null' },
					{ body: '{}' },
					{ body: '[[]]' },
					{ body: '0' },
					{ body: '""' },
					{ body: '[null]' },
				],
				turn,
			).body,
		),
	'a list with an entry that is not an event': (real, { turn }) =>
		rejected(
			pick(
				[
					`[${eventOf(real)},{}]`,
					`[null,${eventOf(real)}]`,
					`[${eventOf(real)},[]]`,
					`[${eventOf(real)},"${real}"]`,
					`[${eventOf(real)},${ids('""', '"x"')}]`,
				],
				turn,
			),
		),
	'of an unknown execution': (real, { at, turn }) =>
		rejected(
			eventOf(
				pick(
					[
						`no-such-id-${at}`,
						`${real}0`,
						real.slice(0, -1),
						`${real}/`,
						real.replaceAll('-', '%2d'),
					],
					turn,
				),
			),
			[404],
		),
	'of an execution of another workflow': (real, { turn }) =>
		rejected(
			ids(
				pick(
					[
						'"failing"',
						'"never-ending"',
						`"${WORKFLOW_ID}s"`,
						`"${WORKFLOW_ID.toUpperCase()}"`,
						'"*"',
					],
					turn,
				),
				`"${real}"`,
			),
			[404],
		),
};

/** The parts of hostile references: this n8n, another host, and the keys of the seal. */
export interface Places {
	own: string;
	foreign: string;
	sealer: { clientId: string; clientSecret: string };
}

type MakeReference = (places: Places, drawn: Drawn) => string;

const HOUR = 60 * 60_000;
/** The path at which n8n resumes paused executions. */
export const WAITING_PATH = '/webhook-waiting';
const pathTo = ({ at }: Drawn) => `${WAITING_PATH}/${1 + at}/document-workflow`;
const seal = (
	{ sealer }: Places,
	url: string,
	workflowId = WORKFLOW_ID,
	expiresAt = Date.now() + HOUR,
) => sealReference(url, workflowId, expiresAt, sealer);
const right = (places: Places, given: Drawn) => seal(places, places.own + pathTo(given));
const portOf = (url: string) => new URL(url).port;

/** A reference that resumes the paused n8n execution with this number. */
export const rightReference = (places: Places, number: number, query = ''): string =>
	seal(places, `${places.own}${WAITING_PATH}/${number}/document-workflow${query}`);

/** References that resume nothing: forged, of another client, or correctly sealed for another URL. */
export const REFERENCES: Record<string, MakeReference> = {
	'sealed with another secret': (places, given) =>
		right(
			{
				...places,
				sealer: {
					...places.sealer,
					clientSecret: pick(
						[
							given.text,
							'',
							'secret',
							places.sealer.clientSecret.slice(0, -1),
							`${places.sealer.clientSecret} `,
							places.sealer.clientId,
						],
						given.turn,
					),
				},
			},
			given,
		),
	'sealed by another client': (places, given) =>
		right(
			{
				...places,
				sealer: {
					...places.sealer,
					clientId: pick(
						[
							given.text,
							'',
							'other-client',
							places.sealer.clientId.toUpperCase(),
							`${places.sealer.clientId}0`,
						],
						given.turn,
					),
				},
			},
			given,
		),
	'bound to another workflow': (places, given) =>
		seal(
			places,
			places.own + pathTo(given),
			pick(
				[
					'failing',
					'',
					`${WORKFLOW_ID} `,
					WORKFLOW_ID.toUpperCase(),
					`${WORKFLOW_ID}"`,
					given.text,
				],
				given.turn,
			),
		),
	expired: (places, given) =>
		seal(
			places,
			places.own + pathTo(given),
			WORKFLOW_ID,
			Date.now() - 2_000 - (given.turn % 2 === 0 ? given.at % 5_000 : 1_000 * given.at),
		),
	'cut short': (places, given) => cut(right(places, given), given.at),
	'with flipped bits': (places, given) => {
		const reference = right(places, given);
		const [version = '', expiry = '', sealed = ''] = reference.split('.');
		const bytes = flippedBody(Buffer.from(sealed, 'base64url'), { ...given, turn: 0 });
		return [version, expiry, bytes.toString('base64url')].join('.');
	},
	'with a changed character': (places, given) => {
		const reference = right(places, given);
		const place = given.at % (reference.length - 1);
		return put(reference, place, other(reference.charAt(place), '0123456789ghijkl', given.turn), 1);
	},
	'with a later expiry': (places, given) => {
		const [version = '', , sealed = ''] = seal(
			places,
			places.own + pathTo(given),
			WORKFLOW_ID,
			Date.now() - 2_000,
		).split('.');
		return [
			version,
			pick(
				[
					Math.ceil((Date.now() + HOUR) / 1_000).toString(36),
					'zzzzzzzz',
					'',
					'NaN',
					'-1',
					'Infinity',
				],
				given.turn,
			),
			sealed,
		].join('.');
	},
	'of another version or form': (places, given) => {
		const [, expiry = '', sealed = ''] = right(places, given).split('.');
		return pick(
			[
				`2.${expiry}.${sealed}`,
				`.${expiry}.${sealed}`,
				`1.${expiry}.${sealed}.x`,
				`1.${sealed}`,
				`1.${sealed}.${expiry}`,
				`01.${expiry}.${sealed}`,
				`1.${expiry}.`,
				`1..${sealed}`,
				`${sealed}`,
				`1.${expiry}.${sealed}${sealed}`,
				`1.${expiry}.${'A'.repeat(100_000)}`,
			],
			given.turn,
		);
	},
	'that is not a reference': ({ own, foreign }, given) =>
		pick(
			[
				given.text,
				own + pathTo(given),
				foreign + pathTo(given),
				base64url(own + pathTo(given)),
				`1.zzzzzz.${base64url(own + pathTo(given))}`,
				JSON.stringify({ resumeUrl: own + pathTo(given) }),
				'1.zzzzzz.',
				'..',
				' ',
			],
			given.turn,
		),
	'to another host': (places, given) =>
		seal(
			places,
			pick(
				[
					places.foreign,
					`http://localhost:${portOf(places.foreign)}`,
					'http://elsewhere.invalid',
					'http://169.254.169.254',
					`http://[::1]:${portOf(places.own)}`,
					`http://0.0.0.0:${portOf(places.own)}`,
					`http://127.0.0.2:${portOf(places.own)}`,
					`http://[::ffff:127.0.0.1]:${portOf(places.own)}`,
				],
				given.turn,
			) + pathTo(given),
		),
	'to another port': (places, given) =>
		seal(
			places,
			pick(
				[
					`http://127.0.0.1:${portOf(places.foreign)}`,
					'http://127.0.0.1',
					'http://127.0.0.1:80',
					'http://127.0.0.1:1',
					`${places.own}0`,
				],
				given.turn,
			) + pathTo(given),
		),
	'by another scheme': (places, given) => {
		const [, rest = ''] = `${places.own}${pathTo(given)}`.split(':/');
		return seal(
			places,
			pick(
				[
					`https:/${rest}`,
					`ftp:/${rest}`,
					`ws:/${rest}`,
					`file:/${rest}`,
					`file://${pathTo(given)}`,
					`javascript:/${rest}`,
					`javascript:fetch('${places.foreign}')//document-workflow`,
					`data:text/plain,${rest}`,
					`blob:http:/${rest}`,
					`view-source:http:/${rest}`,
					`unix:/${rest}`,
				],
				given.turn,
			),
		);
	},
	'with user and password': (places, given) => {
		const [own, foreign] = [places.own, places.foreign].map((url) => new URL(url).host) as [
			string,
			string,
		];
		return seal(
			places,
			`http://${pick([`user:password@${own}`, `user@${own}`, `:password@${own}`, `${own}@${foreign}`, `${own}:80@${foreign}`, `${own}%40${foreign}@${foreign}`, `user:${own}@${foreign}`], given.turn)}${pathTo(given)}`,
		);
	},
	'to another path': (places, given) => {
		const number = 1 + given.at;
		const path = pick(
			[
				'/rest/workflows',
				`/webhook/${number}/document-workflow`,
				`/form-waiting/${number}/document-workflow`,
				`${WAITING_PATH}/${number}`,
				`${WAITING_PATH}/${number}/other`,
				`${WAITING_PATH}/${number}/document-workflow/`,
				`${WAITING_PATH}/${number}/document-workflows`,
				`${WAITING_PATH}/${number}/more/document-workflow`,
				`${WAITING_PATH}/document-workflow`,
				`${WAITING_PATH}//document-workflow`,
				`${WAITING_PATH}/../rest/document-workflow`,
				`${WAITING_PATH}/%2e%2e/rest/document-workflow`,
				`${WAITING_PATH}/${number}/../document-workflow`,
				`${WAITING_PATH}/${number}/..\\..\\document-workflow`,
				`/${WAITING_PATH}/${number}/document-workflow`,
				`${WAITING_PATH.toUpperCase()}/${number}/document-workflow`,
				`/x${pathTo(given)}`,
				`/?${pathTo(given)}`,
				`/#${pathTo(given)}`,
				`${WAITING_PATH};x/${number}/document-workflow`,
				`${WAITING_PATH}/${number}/document-workflow%2f`,
				'',
			],
			given.turn,
		);
		return seal(places, places.own + path);
	},
	'to a look-alike origin': (places, given) => {
		const { host, port } = new URL(places.own);
		const { host: foreign } = new URL(places.foreign);
		return seal(
			places,
			pick(
				[
					`http://127.0.0.1.elsewhere.invalid:${port}`,
					`http://127.0.0.1-elsewhere.invalid:${port}`,
					`http://${host}.elsewhere.invalid`,
					`http://elsewhere.invalid/http://${host}`,
					`http://${foreign}\\@${host}`,
					`http://${foreign}#@${host}`,
					`http://${foreign}?@${host}`,
					`http://${foreign}/${host}`,
					`//${foreign}`,
					`http://127.0.0.1.:${portOf(places.foreign)}`,
					`http:///${foreign}`,
					`http:\\\\${foreign}`,
					`\thttp://${foreign}`,
					`ht\ntp://${foreign}`,
					`http://①27.0.0.1:${portOf(places.foreign)}`,
				],
				given.turn,
			) + pathTo(given),
		);
	},
	'to an invalid URL': (places, given) =>
		seal(
			places,
			pick(
				[
					'x',
					'4711',
					'http://',
					'http:',
					'/',
					pathTo(given),
					`//${new URL(places.own).host}${pathTo(given)}`,
					`${places.own.replace(':', '')}${pathTo(given)}`,
					'http://[::1',
					`http://${'a'.repeat(20_000)}${pathTo(given)}`,
					given.text,
				],
				given.turn,
			),
		),
};

/** URLs of this n8n in unusual spellings that a parser may read as another host. */
export const unusualReference = (places: Places, given: Drawn): string => {
	const { host, port } = new URL(places.own);
	const { host: foreign } = new URL(places.foreign);
	const path = pathTo(given);
	return seal(
		places,
		pick(
			[
				`http://①27.0.0.1:${port}${path}`,
				`http://127.1:${port}${path}`,
				`http://0x7f.0.0.1:${port}${path}`,
				`http://2130706433:${port}${path}`,
				`\t${places.own}${path}`,
				`ht\ntp://${host}${path}`,
				`http:\\\\${host}\\webhook-waiting\\1\\document-workflow`,
				`http://${host}\\@${foreign}${path}`,
				`http:${host}${path}`,
				`http://127.0.0.1.:${port}${path}`,
				`HTTP://${host}${path}`,
				`${places.own}${path}?next=${places.foreign}`,
				`${places.own}${path}#@${foreign}${path}`,
				`http://${host}${WAITING_PATH}/@${foreign}/document-workflow`,
				`${places.own}/x/..${path}`,
				`http://@${host}${path}`,
				`http://:@${host}${path}`,
			],
			given.turn,
		),
	);
};
