import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import {
	chromium,
	selectors,
	type Browser,
	type Page,
	type PageScreenshotOptions,
} from 'playwright-core';
import type { Login } from './n8n-rest';
import { ARTEFACTS } from './pack';
import { Trouble } from './report';

const CANDIDATES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const QUIET = [
	'--headless',
	'--no-sandbox',
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
];

/** Of n8n 2, when a link leaves a workflow. */
const LEAVING = 'injectNDVStore() was accessed without an active workflow document store';

/** n8n's editor in a browser, signed in. */
export interface Editor {
	page: Page;
	open: (path: string) => Promise<void>;
	/** Saves `artefacts/screenshots/<name>.png`. */
	screenshot: (name: string) => Promise<void>;
	/** Messages of uncaught exceptions in the page. */
	errors: string[];
	close: () => Promise<void>;
}

/** Opens n8n's editor as this user. Raises Trouble when Chromium is missing. */
export async function openEditor(url: string, login: Login): Promise<Editor> {
	selectors.setTestIdAttribute('data-test-id');
	const browser = await chromium.launch({ executablePath: chromiumPath(), args: QUIET });
	try {
		return await signedIn(browser, url, login);
	} catch (error) {
		await browser.close();
		throw error;
	}
}

async function signedIn(browser: Browser, url: string, login: Login): Promise<Editor> {
	const context = await browser.newContext({
		viewport: { width: 1440, height: 900 },
		deviceScaleFactor: 1,
	});
	const page = await context.newPage();
	page.setDefaultTimeout(120_000); // a busy machine needs more than 40 seconds for a run of 13 nodes
	const errors: string[] = [];
	page.on('pageerror', ({ message }) => {
		if (!message.startsWith(LEAVING)) errors.push(message);
	});
	const screenshots = join(ARTEFACTS, 'screenshots');
	mkdirSync(screenshots, { recursive: true });

	const data = { emailOrLdapLoginId: login.email, password: login.password };
	const answer = await context.request.post(`${url}/rest/login`, { data });
	if (!answer.ok()) throw new Error(`n8n rejected the login: ${answer.status()}`);

	return {
		page,
		errors,
		open: async (path) => openPath(page, new URL(path, url)),
		screenshot: async (name) => picture(page, join(screenshots, `${name}.png`)),
		close: async () => browser.close(),
	};
}

/** Follows links once the editor is loaded: to load it takes 7 seconds and 11 seconds of CPU. */
async function openPath(page: Page, { href, origin, pathname }: URL): Promise<void> {
	if (new URL(page.url()).origin !== origin) return void (await page.goto(href));
	// n8n raises errors when what is open on a workflow stays open.
	for (const open of [page.getByTestId('ndv-close-button'), page.locator('.el-dialog__close')])
		if (await open.isVisible()) await open.click();
	await page.evaluate(followLink, '/home/workflows'); // from one workflow right to another, n8n may open no panel
	await page.locator('.vue-flow').waitFor({ state: 'hidden' });
	await page.evaluate(followLink, pathname);
}

/** In the page. */
function followLink(path: string): void {
	history.pushState({}, '', path);
	dispatchEvent(new PopStateEvent('popstate'));
}

/** Saves a picture of a page, and its text in `artefacts/pictures`, where `.ci/run` searches it for secrets. */
export async function picture(
	page: Page,
	path: string,
	clip?: PageScreenshotOptions['clip'],
): Promise<void> {
	await page.screenshot({ path, ...(clip && { clip }) });
	const text = await page.evaluate(() => {
		const fields = document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(
			'input:not([type="password"]), textarea',
		);
		return [document.body.innerText, ...Array.from(fields, ({ value }) => value)].join('\n');
	});
	const folder = join(ARTEFACTS, 'pictures');
	mkdirSync(folder, { recursive: true });
	writeFileSync(join(folder, `${basename(path, '.png')}.txt`), text);
}

function chromiumPath(): string {
	const named = process.env.CHROMIUM_PATH;
	const found = (named ? [named] : CANDIDATES).find((path) => existsSync(path));
	if (found) return found;
	throw new Trouble(
		named ? `There is no browser at CHROMIUM_PATH (${named}).` : 'Chromium was not found.',
		'Install it (Debian: "apt-get install chromium") or set CHROMIUM_PATH to the browser\'s executable.',
	);
}
