import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { openEditor, type Editor } from '../../../harness/browser';
import type { Scope } from '../lines';
import { AWKWARD, REVIEWER, withReviewExample } from '../reviews';
import { DOCUMENTS, processesOf, until, type World } from '../support';

const MINUTE = 60_000;
const SAVED = 'Thank you. The values are saved';
const DOCUMENT = join(DOCUMENTS, 'declarations-page.pdf');

/** The review form as the person sees it who uploads the document: with mouse and keyboard. */
export function browserReviewingSpec(world: () => World, { long }: Scope): void {
	describe('the review form in a browser', () => {
		let current: Editor | undefined;
		const editor = (): Editor => {
			if (!current) throw new Error('The browser has not been opened');
			return current;
		};
		beforeAll(async () => {
			current = await openEditor(world().n8n.url, world().client.login);
		}, MINUTE);
		afterAll(async () => current?.close());

		it(
			'shows the doubtful values with their confidence, and returns one corrected and the others as they were',
			async () => {
				await withReviewExample(world(), { values: AWKWARD }, async ({ url, settled }) => {
					const { page, screenshot } = editor();
					await upload(page, url);
					await screenshot('review-form');
					for (const [name, value] of Object.entries(AWKWARD)) {
						const shown = await fieldOf(page, `policy: ${name} (50 %)`).inputValue();
						expect({ [name]: shown }).toEqual({ [name]: asShown(value) });
					}

					await type(fieldOf(page, 'policy: number (50 %)'), '1234.75');
					await type(fieldOf(page, REVIEWER), 'Zoë <b> "$&"');
					await screenshot('review-form-corrected');
					await page.getByRole('button', { name: 'Confirm' }).click();
					await page.getByText(SAVED).waitFor();
					await page.getByText('Corrected values: 1. You can close this page.').waitFor();
					await screenshot('review-saved');
					expect(await settled()).toMatchObject([
						{
							json: {
								data: { policy: [{ ...AWKWARD, number: 1234.75 }] },
								needsReview: false,
								lowConfidenceFields: [],
								review: {
									by: 'Zoë <b> "$&"',
									at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
									changes: [{ field: 'policy[0].number', from: -1234.5, to: 1234.75 }],
									confirmed: Object.keys(AWKWARD)
										.filter((name) => name !== 'number')
										.map((name) => `policy[0].${name}`),
								},
							},
						},
					]);
				});
			},
			2 * MINUTE,
		);

		if (!long) return;

		it(
			'accepts the answers of a page that was open while n8n restarted',
			async () => {
				await withReviewExample(world(), {}, async ({ url, settled }) => {
					const { page } = editor();
					await upload(page, url);
					const processes = processesOf(world().n8n);
					await Promise.all(processes.map(async (each) => each.end('SIGTERM')));
					await Promise.all(processes.map(async (each) => each.start()));
					await type(fieldOf(page, 'policy details: underwriter'), 'A. <U>');
					await page.getByRole('button', { name: 'Confirm' }).click();
					await page.getByText(SAVED).waitFor({ timeout: MINUTE });
					expect(await settled()).toMatchObject([
						{ json: { data: { policy_details: [{ underwriter: 'A. <U>' }] } } },
					]);
				});
			},
			3 * MINUTE,
		);

		it(
			'shows the second page after a pause of the n8n execution, while the first page stays open',
			async () => {
				const waiting = {
					firstCheckSeconds: 1,
					longestIntervalMinutes: 0.1,
					pauseAfterSeconds: 6,
				};
				await withReviewExample(world(), { waiting, seconds: 30 }, async (example) => {
					const { page } = editor();
					const shown = upload(page, example.url);
					await until(example.isPaused, MINUTE, 1_000);
					expect(await page.getByRole('button', { name: 'Confirm' }).count()).toBe(0);
					await shown;
					await page.getByRole('button', { name: 'Confirm' }).click();
					await page.getByText(SAVED).waitFor();
					expect(await example.settled()).toMatchObject([{ json: { needsReview: false } }]);
				});
			},
			5 * MINUTE,
		);
	});
}

/** Uploads a document in the first form, and waits for the second. */
async function upload(page: Page, url: string): Promise<void> {
	await page.goto(url);
	await page.locator('input[type=file]').setInputFiles(DOCUMENT);
	await page.getByRole('button', { name: 'Submit' }).click();
	await page.getByRole('button', { name: 'Confirm' }).waitFor({ timeout: 4 * MINUTE });
}

function fieldOf(page: Page, label: string): Locator {
	return page.getByLabel(label);
}

/** Replaces what is in a field, by the keyboard. */
async function type(field: Locator, text: string): Promise<void> {
	await field.click();
	await field.press('ControlOrMeta+a');
	await field.pressSequentially(text);
}

/**
 * A value as a browser shows it in a form of n8n: without a line break at its beginning, each other one as one character, and with escaped
 * angle brackets, because n8n escapes them twice. The node therefore escapes once more what the value itself has escaped.
 */
function asShown(value: string | number | boolean | null): string {
	return String(value ?? '')
		.replaceAll('\r\n', '\n')
		.replace(/^\n/, '')
		.replace(/&(?=(amp;)*[lg]t;)/g, '&amp;')
		.replaceAll('<', '&lt;')
		.replaceAll('>', '&gt;');
}
