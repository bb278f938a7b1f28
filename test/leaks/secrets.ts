/** The secrets that the tests use, and a search for them, for tokens and for signed URLs in any text. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Authenticates calls of the service to a trigger, in the header x-api-key. */
export const WEBHOOK_KEY = 'key-of-the-tests';
export const SIGNING_SECRET = 'a secret that signs calls of the tests';
/** With it the simulated service gets its tokens for calls. */
export const PROVIDER_SECRET = 'of the service at its provider';
/** Of the client in the simulated service. */
const CLIENT_SECRET = 'simulator-only-secret';
export const WRONG_CLIENT_SECRET = 'wrong-secret-0451';

/** How the header of each token begins, in the simulated service and in most others. */
const TOKEN_HEADER = 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.';

interface Kind {
	name: string;
	/** Found as they are, percent-encoded and in base64. */
	texts?: string[];
	patterns?: RegExp[];
}

const KINDS: Kind[] = [
	{ name: 'a client secret', texts: [CLIENT_SECRET, WRONG_CLIENT_SECRET] },
	{
		name: 'a key or secret of calls',
		texts: [WEBHOOK_KEY, SIGNING_SECRET, PROVIDER_SECRET],
	},
	{
		name: 'a token',
		texts: [TOKEN_HEADER],
		patterns: [/eyJ[\w-]{10,}(?:\.|%2E)eyJ[\w-]{10,}(?:\.|%2E)[\w-]{10,}/i],
	},
	{
		name: 'a signed URL',
		texts: ['/signed/executions/'].flatMap(inBase64),
		patterns: [
			/\/signed\/executions\/[^\s"]*signature(?:=|%3D)[0-9a-f]{8}/i,
			/%2Fsigned%2Fexecutions%2F/i,
		],
	},
];

const SEARCHED = KINDS.map(({ name, texts = [], patterns = [] }) => ({
	name,
	texts: [...new Set(texts.flatMap((text) => [text, ...percentEncoded(text), ...inBase64(text)]))],
	patterns,
}));

/** The kinds of secrets in a text, without their values, and where in the text the first begins. */
export function secretsIn(text: string): { kinds: string[]; from: number } {
	const found = SEARCHED.flatMap(({ name, texts, patterns }) =>
		[...texts.map((each) => text.indexOf(each)), ...patterns.map((pattern) => text.search(pattern))]
			.filter((from) => from >= 0)
			.map((from) => ({ name, from })),
	);
	return {
		kinds: [...new Set(found.map(({ name }) => name))],
		from: Math.min(...found.map(({ from }) => from)),
	};
}

function percentEncoded(text: string): string[] {
	const encoded = encodeURIComponent(text);
	return [encoded, encoded.replaceAll('%20', '+')];
}

/** What stands in base64 wherever the text stands in what is encoded: at each of three offsets, the characters that it determines alone. */
function inBase64(text: string): string[] {
	const bytes = Buffer.from(text);
	return [0, 1, 2].flatMap((offset) => {
		const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
		const whole = encoded.slice(
			Math.ceil((offset * 4) / 3),
			Math.floor(((offset + bytes.length) * 4) / 3),
		);
		return [whole, whole.replaceAll('+', '-').replaceAll('/', '_')];
	});
}

/** Packages are no data; n8n's database is read row by row. */
const LEFT_OUT = /^(node_modules|database\.sqlite.*)$/;

/** All files in a folder and its folders that may hold secrets. */
export function filesIn(folder: string): string[] {
	return readdirSync(folder, { withFileTypes: true })
		.filter(({ name }) => !LEFT_OUT.test(name))
		.flatMap((entry) => {
			const path = join(folder, entry.name);
			if (entry.isDirectory()) return filesIn(path);
			return entry.isFile() ? [path] : [];
		});
}
