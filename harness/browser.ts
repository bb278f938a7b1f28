import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
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

/** Buttons that close a panel of n8n 2, a panel of n8n 1, and a dialog. */
const CLOSES = [
	'[data-test-id=ndv-close-button]',
	'[data-test-id=back-to-canvas]',
	'.el-dialog__close',
];

/** How often a link to a page is followed before the page is loaded. */
const MAX_TRIES = 5;

/** n8n's editor in a browser, signed in. */
export interface Editor {
	page: Page;
	/** Loads the editor at a page, which takes 7 seconds and 11 seconds of CPU. */
	open: (path: string) => Promise<void>;
	/** Goes to another page of it, as a link does, from one where nothing is left to save. */
	follow: (path: string) => Promise<void>;
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
	page.setDefaultTimeout(120_000); // a busy machine needs more than 40 seconds for some runs
	const errors: string[] = [];
	page.on('pageerror', ({ message }) => {
		if (!message.startsWith(LEAVING)) errors.push(message);
	});
	const screenshots = join(ARTEFACTS, 'screenshots');
	mkdirSync(screenshots, { recursive: true });

	const data = { emailOrLdapLoginId: login.email, password: login.password };
	const answer = await context.request.post(`${url}/rest/login`, { data });
	if (!answer.ok()) throw new Error(`n8n rejected the login: ${answer.status()}`);

	const open = async (path: string) => {
		await page.goto(`${url}${path}`, { waitUntil: 'networkidle' });
	};
	return {
		page,
		errors,
		open,
		follow: async (path) => {
			if (page.url() === 'about:blank' || !(await followIn(page, path))) await open(path);
		},
		screenshot: async (name) => picture(page, join(screenshots, `${name}.png`)),
		close: async () => browser.close(),
	};
}

/** Returns whether n8n stays at the page. */
async function followIn(page: Page, path: string): Promise<boolean> {
	// n8n raises errors when what is open on a workflow stays open.
	for (const button of CLOSES) {
		const open = page.locator(button).filter({ visible: true }).first();
		if (await open.isVisible()) await open.click();
	}
	// n8n may still close a panel of the last page, and then goes back to that page.
	for (let tries = 0; tries < MAX_TRIES; tries++) {
		// From one workflow right to another, n8n may open no panel.
		for (const each of ['/home/workflows', path]) await page.evaluate(followLink, each);
		await sleep(500);
		if (new URL(page.url()).pathname === path) return true;
	}
	return false;
}

/** The editor's element, with its Vue application. */
interface App extends Element {
	__vue_app__: {
		config: {
			globalProperties: {
				$router: { isReady: () => Promise<void>; push: (path: string) => Promise<unknown> };
			};
		};
	};
}

/** Runs in the page: does what a link of the editor does. */
async function followLink(path: string): Promise<void> {
	const app = document.querySelector<App>('#app');
	if (app === null) throw new Error('This page is not the editor of n8n');
	const { $router } = app.__vue_app__.config.globalProperties;
	await $router.isReady();
	await $router.push(path);
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
