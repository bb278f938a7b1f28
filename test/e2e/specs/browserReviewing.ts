import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { openEditor, type Editor } from '../../../harness/browser';
import type { Scope } from '../lines';
import { AWKWARD, REVIEWER, SETTLED, STEP, withReviewExample } from '../reviews';
import { DOCUMENTS, processesOf, until, type World } from '../support';

const MINUTE = 60_000;
const SAVED = 'Thank you. The values are saved';
const DOCUMENT = join(DOCUMENTS, 'declarations-page.pdf');

/** The form of the example as the person sees it who uploads the document: with mouse and keyboard. */
export function browserReviewingSpec(world: () => World, { long }: Scope): void {
	describe('the form with values to review, in a browser,', () => {
		let current: Editor | undefined;
		const editor = (): Editor => {
			if (!current) throw new Error('The browser has not been opened');
			return current;
		};
		beforeAll(async () => {
			current = await openEditor(world().n8n.url, world().client.login);
		});
		afterAll(async () => current?.close());

		it('returns awkward values as they were, one corrected and one emptied, and keeps to review what is no number', async () => {
			await withReviewExample(world(), { values: AWKWARD }, async ({ url, reviewed }) => {
				const { page, screenshot } = editor();
				const { line } = world().n8n;
				await upload(page, url);
				await screenshot(`review-form-${line}`);
				await type(fieldOf(page, 'number'), '1234.75');
				await type(fieldOf(page, 'emptied'), '');
				await type(fieldOf(page, 'count'), '18.520');
				await type(page.getByLabel(REVIEWER), 'Zoë <b> "$&"');
				await page.getByLabel(SETTLED).selectOption('Yes');
				await screenshot(`review-form-corrected-${line}`);
				await page.getByRole('button', { name: 'Confirm' }).click();
				await page.getByText(SAVED).waitFor();
				await screenshot(`review-saved-${line}`);
				const last = page.getByText(/Corrected values: \d+/);
				const saved = await last.textContent();
				const at = (name: string) => `["${STEP.replaceAll('"', '\\"')}"][0].${name}`;
				const same = Object.keys(AWKWARD).filter(
					(name) => !['number', 'emptied', 'count'].includes(name),
				);
				expect(await reviewed()).toMatchObject([
					{
						json: {
							data: { [STEP]: [{ ...AWKWARD, number: 1234.75, emptied: null }] },
							needsReview: true,
							toReview: `${at('count')} ("18.520")`,
							lowConfidenceFields: [{ field: at('count'), path: [STEP, 0, 'count'] }],
							review: {
								by: 'Zoë <b> "$&"',
								at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
								changes: [
									{ field: at('number'), from: -1234.5, to: 1234.75 },
									{ field: at('emptied'), from: 'x', to: null },
								],
								confirmed: same.map(at),
							},
						},
					},
				]);
				expect(saved).toContain('Corrected values: 2. A person will check');
			});
		});

		if (!long) return;

		it('accepts the answers of a page that was open while n8n restarted', async () => {
			await withReviewExample(world(), {}, async ({ url, reviewed }) => {
				const { page } = editor();
				await upload(page, url);
				const processes = processesOf(world().n8n);
				await Promise.all(processes.map(async (each) => each.end('SIGTERM')));
				await Promise.all(processes.map(async (each) => each.start()));
				await type(fieldOf(page, 'underwriter'), 'A. <U>');
				await page.getByLabel(SETTLED).selectOption('Yes');
				await page.getByRole('button', { name: 'Confirm' }).click();
				await page.getByText(SAVED).waitFor({ timeout: MINUTE });
				expect(await reviewed()).toMatchObject([
					{ json: { data: { policy_details: [{ underwriter: 'A. <U>' }] } } },
				]);
			});
		});

		it('shows the second page after a pause of the n8n execution, while the first page stays open', async () => {
			const waiting = {
				firstCheckSeconds: 1,
				longestIntervalMinutes: 0.1,
				pauseAfterSeconds: 6,
			};
			await withReviewExample(world(), { waiting, seconds: 30 }, async (example) => {
				const { page } = editor();
				const shown = upload(page, example.url);
				await until(example.isPaused, 3 * MINUTE, 1_000);
				expect(await page.getByRole('button', { name: 'Confirm' }).count()).toBe(0);
				await shown;
				await page.getByLabel(SETTLED).selectOption('Yes');
				await page.getByRole('button', { name: 'Confirm' }).click();
				await page.getByText(SAVED).waitFor();
				expect(await example.reviewed()).toMatchObject([{ json: { needsReview: false } }]);
			});
		});
	});
}

/** Uploads a document in the first form, and waits for the second. */
async function upload(page: Page, url: string): Promise<void> {
	await page.goto(url);
	await page.locator('input[type=file]').setInputFiles(DOCUMENT);
	await page.getByRole('button', { name: 'Submit' }).click();
	await page.getByRole('button', { name: 'Confirm' }).waitFor({ timeout: 4 * MINUTE });
}

function fieldOf(page: Page, name: string): Locator {
	return page.getByLabel(new RegExp(`, ${name}$`));
}

/** Replaces what is in a field, by the keyboard. */
async function type(field: Locator, text: string): Promise<void> {
	await field.click();
	await field.press('ControlOrMeta+a');
	await field.press('Delete');
	await field.pressSequentially(text);
}
