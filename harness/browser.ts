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
	page.on('pageerror', (error) => errors.push(error.message));
	const screenshots = join(ARTEFACTS, 'screenshots');
	mkdirSync(screenshots, { recursive: true });

	await page.goto(`${url}/signin`);
	await page.locator('input[name="emailOrLdapLoginId"]').fill(login.email);
	await page.locator('input[name="password"]').fill(login.password);
	await page.getByTestId('form-submit-button').click();
	await page.waitForURL((address) => !address.pathname.startsWith('/signin'));

	return {
		page,
		errors,
		open: async (path) => void (await page.goto(`${url}${path}`)),
		screenshot: async (name) => picture(page, join(screenshots, `${name}.png`)),
		close: async () => browser.close(),
	};
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
