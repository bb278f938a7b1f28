import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import ts from 'typescript';

import { ROOT } from '../../../harness/pack';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const DOCS = readdirSync(join(ROOT, 'docs'))
	.filter((file) => file.endsWith('.md'))
	.map((file) => `docs/${file}`);
const PAGES = [
	...['README.md', 'CONTRIBUTING.md', 'AGENTS.md', 'SECURITY.md', 'CHANGELOG.md'],
	...['publishing', 'create', 'inside-n8n'].map((page) => `contributing/${page}.md`),
	...['benchmarks', 'simulator', 'test/chaos', 'test/unit/structure', 'examples/documents'].map(
		(folder) => `${folder}/README.md`,
	),
	...DOCS,
];
const PRODUCT = ['nodes', 'credentials', 'service'].flatMap((room) =>
	readdirSync(join(ROOT, room), { recursive: true, encoding: 'utf8' }).map(
		(file) => `${room}/${file}`,
	),
);

const { repository } = JSON.parse(read('package.json')) as { repository: { url: string } };
const FILES_AT_HOME = `${repository.url.replace(/^git\+|\.git$/g, '')}/blob/main/`;

const withoutFences = (text: string) => text.replace(/^ *```[^]*?^ *```$/gm, '');
const withoutCode = (text: string) => withoutFences(text).replace(/`[^`\n]*`/g, '');

/** The anchors that GitHub gives to the headings of a page. */
function anchorsOf(text: string): Set<string> {
	const anchors = new Set<string>();
	for (const [, heading = ''] of withoutFences(text).matchAll(/^#+ (.+)$/gm)) {
		const words = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
		const slug = words.replace(/[^\p{L}\p{N}\p{M}\p{Pc} -]/gu, '').replaceAll(' ', '-');
		let anchor = slug;
		for (let number = 1; anchors.has(anchor); number++) anchor = `${slug}-${number}`;
		anchors.add(anchor);
	}
	return anchors;
}

/** The targets of links and pictures, from the root of the repository. Other sites are left out. */
function targetsIn(page: string, text: string): string[] {
	const folder = posix.dirname(page);
	return [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target = '']) => {
		if (target.startsWith(FILES_AT_HOME)) return [target.slice(FILES_AT_HOME.length)];
		if (/^[a-z]+:/.test(target)) return [];
		return [target.startsWith('#') ? page + target : posix.join(folder, target)];
	});
}

function isThere(target: string): boolean {
	const [path = '', anchor] = target.split('#');
	if (!existsSync(join(ROOT, path))) return false;
	return anchor === undefined || anchorsOf(read(path)).has(anchor);
}

describe('The links', () => {
	it.each(PAGES)('of %s lead to files and headings that exist', (page) => {
		expect(targetsIn(page, read(page)).filter((target) => !isThere(target))).toEqual([]);
	});

	it('of the panels lead to pages and headings that exist', () => {
		const targets = PRODUCT.filter((file) => /\.(?:ts|json)$/.test(file)).flatMap((file) =>
			[...read(file).matchAll(/https:\/\/[^\s"'`<>)]+/g)].flatMap(([address]) =>
				address.startsWith(FILES_AT_HOME) ? [address.slice(FILES_AT_HOME.length)] : [],
			),
		);
		expect(targets).toContain('docs/webhooks.md#try-it');
		expect(targets.filter((target) => !isThere(target))).toEqual([]);
	});

	it('are found in texts and tables, and not in code', () => {
		const text = '[a](b.md) | ![c](d.png)\n`[e](f.md)`\n```sh\n[g](h.md)\n```\n[i](#j)';
		expect(targetsIn('docs/page.md', text)).toEqual(['docs/b.md', 'docs/d.png', 'docs/page.md#j']);
	});

	it('name headings as GitHub does', () => {
		const text = '# `a` & B: c-d?\n## Twice\n## Twice\n```sh\n# no heading\n```\n';
		expect([...anchorsOf(text)]).toEqual(['a--b-c-d', 'twice', 'twice-1']);
	});
});

it('The commands of npm that the pages name are scripts of the package', () => {
	const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
	const named = PAGES.flatMap((page) =>
		[...read(page).matchAll(/npm run ([\w:-]+)/g)].map(([, script = '']) => ({ page, script })),
	);
	expect(named.map(({ script }) => script)).toEqual(
		expect.arrayContaining(['demo', 'simulator', 'bench', 'film', 'test:chaos']),
	);
	expect(named.filter(({ script }) => !(script in scripts))).toEqual([]);
});

it('The tests that the pages tell jest to run exist', () => {
	const tests = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.test.ts'))
		.map((file) => `test/${file}`);
	const named = PAGES.flatMap((page) =>
		[...read(page).matchAll(/npx jest ([^`\n]+)/g)].flatMap(([, words = '']) =>
			words.split(' ').filter((word) => word.includes('/')),
		),
	);
	expect(named).toContain('test/unit/service/retry.test.ts');
	expect(named.filter((name) => !tests.some((file) => file.startsWith(name)))).toEqual([]);
});

const ALL = 'nodes credentials service simulator harness examples demo benchmarks test'
	.split(' ')
	.flatMap((room) =>
		readdirSync(join(ROOT, room), { recursive: true, encoding: 'utf8' })
			.filter((path) => !path.includes('node_modules'))
			.map((path) => `${room}/${path}`),
	);

const codeIn = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);

/** The lines of comments that stand by themselves. */
const commentsIn = (text: string) => text.match(/^\s*(?:\/\/|\/?\*).*$/gm) ?? [];

/** Files in code or drawings: with a folder, from the root or from the folder of the nodes. */
function filesIn(text: string): string[] {
	return [
		...text.matchAll(/(?<![\w/.<@-])(?:\.?[\w-]+\/)+[\w.-]+\.(?:ts|json|[mc]js|md)\b(?![\w/])/g),
	].map(([path]) => path);
}

describe('The files that are named for contributors', () => {
	const pages = PAGES.filter((page) => /^(?:contributing|agents)/i.test(page));

	it.each(pages)('exist: %s', (page) => {
		const isFile = (path: string) =>
			['', 'nodes/DocumentWorkflow'].some((folder) => existsSync(join(ROOT, folder, path)));
		expect(filesIn(read(page)).filter((path) => !isFile(path))).toEqual([]);
	});

	it('exist in the rooms of the list', () => {
		const rooms = read('CONTRIBUTING.md').matchAll(
			/^\| (`(?:… )?[\w.]*\/[\w/.]*`.*?) \| (.+) \|$/gm,
		);
		const named = [...rooms].flatMap(([, names = '', about = '']) => {
			const roots = codeIn(names).map((name) => name.replace('… ', 'nodes/DocumentWorkflow'));
			const inner = codeIn(about).filter((name) => /^[\w-]+(?:\/|\.ts)$/.test(name));
			return roots.flatMap((root) => [root, ...inner.map((name) => `${root} … /${name}`)]);
		});
		expect(named.length).toBeGreaterThan(30);
		const isIn = ([root = '', path = '']: string[]) =>
			ALL.some((each) => each.startsWith(root) && `${each}/`.includes(path));
		expect(named.filter((name) => !isIn(name.split(' … ')))).toEqual([]);
	});

	it('exist: those in comments', () => {
		const lacking = ALL.filter((file) => file.endsWith('.ts')).flatMap((file) =>
			commentsIn(read(file))
				.flatMap((comment) => comment.match(/(?<![\w./<@*-])[\w/-]+\.ts\b/g) ?? [])
				.filter((path) => !ALL.some((each) => `/${each}`.endsWith(`/${path}`)))
				.map((path) => `${file}: ${path}`),
		);
		expect(lacking).toEqual([]);
	});

	it('are found with their folder, and not in addresses or placeholders', () => {
		const text =
			'`a/b.ts` a/c.json → https://x.com/@y/d.md `e/<name>.json` f.ts g/h.mjs g/i.cjs g/j.md';
		expect(filesIn(text)).toEqual(['a/b.ts', 'a/c.json', 'g/h.mjs', 'g/i.cjs', 'g/j.md']);
	});
});

/** The texts in the sources of the product, with an ellipsis for each inserted value. */
function textsInProduct(): string[] {
	const texts: string[] = [];
	const visit = (node: ts.Node): void => {
		if (ts.isStringLiteralLike(node)) texts.push(node.text.replace(/\s+/g, ' '));
		if (ts.isTemplateExpression(node))
			texts.push(
				[node.head, ...node.templateSpans.map(({ literal }) => literal)]
					.map(({ text }) => text)
					.join('…'),
			);
		ts.forEachChild(node, visit);
	};
	for (const file of PRODUCT.filter((each) => each.endsWith('.ts')))
		visit(ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest));
	return texts;
}

/** The messages that a page quotes: code with a space in it. */
function quotedIn(text: string): string[] {
	return [...withoutFences(text).matchAll(/`([^`\n]+)`/g)]
		.map(([, code = '']) => code)
		.filter((code) => code.includes(' '));
}

/** Whether a quoted message is a whole text of the product. Its ellipses stand for anything. */
function isQuoteOf(quoted: string): (text: string) => boolean {
	const parts = quoted.split('…').map((part) => part.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&'));
	const pattern = new RegExp(`^${parts.join('.*')}$`);
	return (text) => pattern.test(text);
}

/** Messages of n8n itself, and settings of other programs. */
const NOT_OURS = [
	...['… is not registered', 'Cannot POST', 'hash $request_uri consistent'],
	...['{{ $json.status }}', 'OTel settings not yet initialized', "hasn't been executed"],
	'Unknown module',
];
const COMMAND = /^(?:curl|npm) /;

describe('The pages with messages', () => {
	const texts = textsInProduct();

	it.each([
		['troubleshooting', 10],
		['webhooks', 1],
		['waiting', 3],
	])('quote only messages that the product has: %s', (page, atLeast) => {
		const quoted = quotedIn(read(`docs/${page}.md`)).filter(
			(each) => !NOT_OURS.includes(each) && !COMMAND.test(each),
		);
		expect(quoted.length).toBeGreaterThanOrEqual(atLeast);
		expect(quoted.filter((each) => !texts.some(isQuoteOf(each)))).toEqual([]);
	});

	it('describe a held execution by the words of the panel, and by all status words that mean it', () => {
		const [, section = ''] = read('docs/waiting.md').split(
			'## When the service waits for a person',
		);
		const [, listed = ''] = /With the status (.*?), the service itself/.exec(section) ?? [];
		expect(codeIn(listed)).not.toEqual([]);
		expect(texts).toContain(codeIn(listed).join(' '));
		expect(texts).toContain(
			`What to do while ${/the service itself waits for a person/.exec(section)?.[0]} (status such as needs_review)`,
		);
	});

	it('counts as quoted what is set as code and has several words, and compares all of it', () => {
		expect(quotedIn('`one`, `Two words` and `The "…" of it`')).toEqual([
			'Two words',
			'The "…" of it',
		]);
		expect(isQuoteOf('The "…" of it')('The "…" of it')).toBe(true);
		expect(isQuoteOf('No result after …')('No result after …: …')).toBe(true);
		expect(isQuoteOf('The host … was not found')('The host … was not found (…)')).toBe(false);
		expect(isQuoteOf('No result')('No result after …: …')).toBe(false);
	});
});

describe('The README', () => {
	const lines = read('README.md').trimEnd().split('\n');

	it('has at most 160 characters in a line', () => {
		expect(lines.filter(({ length }) => length > 160)).toEqual([]);
	});

	it('has at most 1,300 words', () => {
		expect(lines.join(' ').split(/\s+/).length).toBeLessThanOrEqual(1_300);
	});

	it('has a picture, three tasks with their examples and two commands before its first heading', () => {
		const [first = ''] = lines.join('\n').split('\n## ');
		const countOf = (pattern: RegExp) => first.match(pattern)?.length;
		expect(countOf(/^!\[/gm)).toBe(1);
		expect(countOf(/^\| .+\]\(examples\/workflows\/[\w-]+\.json\).* \|$/gm)).toBe(3);
		expect(countOf(/(?<=```sh\n)[^`\n]+\n[^`\n]+\n(?=```)/g)).toBe(1);
	});
});

describe('What people decide by', () => {
	const figures = read('docs/figures.md');

	it('has at most 700 words, and says first that no real service was tried', () => {
		expect(figures.split(/\s+/).filter(Boolean).length).toBeLessThanOrEqual(700);
		expect(figures).toMatch(/^# Figures\n\n\*\*Never tried with a real service\.\*\*/);
	});

	it('has only ratios that the benchmarks print', () => {
		const cells = figures.match(/(?<=\| )\d\.\d\d(?:; \d\.\d\d)*(?= \|$)/gm) ?? [];
		const shown = cells.flatMap((cell) => cell.split('; '));
		expect(shown.length).toBeGreaterThan(5);
		const printed = read('benchmarks/README.md')
			.split('\n')
			.map((row) => row.split(' | ')[2]);
		expect(shown.filter((ratio) => !printed.includes(ratio))).toEqual([]);
	});
});

it('What agents read has at most 60 lines', () =>
	expect(read('AGENTS.md').split('\n').length).toBeLessThanOrEqual(61));
