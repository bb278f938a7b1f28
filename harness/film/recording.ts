import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { BrowserContext, CDPSession, Page } from 'playwright-core';
import { runLeashed } from '../processes';
import { Trouble } from '../report';

/** A picture that stands still is shown for so long at most, in seconds. */
const LONGEST = 3;
const FRAMES_A_SECOND = 15;

/** Text at the lower edge of the page, and a dot where the mouse is, which a browser without a screen does not show. */
const OVERLAY = `(() => {
	const style = 'position:fixed;z-index:2147483647;pointer-events:none;';
	const add = (name, more) => {
		const found = document.getElementById(name);
		if (found) return found;
		const element = document.createElement('div');
		element.id = name;
		element.style.cssText = style + more;
		document.documentElement.append(element);
		return element;
	};
	window.filmCaption = (text) => {
		add('film-caption', 'left:50%;bottom:24px;transform:translateX(-50%);max-width:80%;padding:10px 22px;border-radius:8px;' +
			'background:#101828;color:#fff;font:600 22px/1.35 sans-serif;text-align:center').textContent = text;
	};
	const move = ({ clientX, clientY }) => {
		const dot = add('film-mouse', 'width:18px;height:18px;margin:-9px 0 0 -9px;border-radius:50%;background:#ff6d5aaa;border:2px solid #fff');
		dot.style.left = clientX + 'px';
		dot.style.top = clientY + 'px';
	};
	window.addEventListener('mousemove', move, { capture: true, passive: true });
})()`;

/** A film of what a browser shows, taken in one go. */
export class Recording {
	private readonly folder = mkdtempSync(join(tmpdir(), 'document-workflow-film-'));
	private readonly frames: Array<{ file: string; at: number }> = [];
	private readonly captions: Array<{ at: number; text: string }> = [];
	private caption = '';
	private session: CDPSession | undefined;

	/** Films a page, and each page that it opens while that is open. */
	async begin(page: Page): Promise<void> {
		const context = page.context();
		await context.addInitScript(OVERLAY);
		await this.film(context, page);
		context.on('page', (opened) => {
			const size = page.viewportSize();
			if (size !== null) void opened.setViewportSize(size);
			void this.film(context, opened);
			opened.on('close', () => void this.film(context, page));
		});
	}

	/** Shows a text from now on, and gives time to read it. */
	async say(page: Page, text: string): Promise<void> {
		this.caption = text;
		this.captions.push({ at: Date.now() / 1000, text });
		await this.show(page);
		await page.waitForTimeout(1_000 + 35 * text.length);
	}

	/** Ends the film and writes it; returns its length in seconds. */
	async end(file: string): Promise<number> {
		await this.session?.detach();
		const shown = this.frames.map(({ file: frame, at }, index) => ({
			frame,
			seconds: Math.min((this.frames[index + 1]?.at ?? at + LONGEST) - at, LONGEST),
		}));
		const list = join(this.folder, 'frames.txt');
		const entries = shown.map(({ frame, seconds }) => `file '${frame}'\nduration ${seconds}\n`);
		writeFileSync(list, `${entries.join('')}file '${shown.at(-1)?.frame ?? ''}'\n`);
		mkdirSync(dirname(file), { recursive: true });
		const input = ['-f', 'concat', '-safe', '0', '-i', list];
		const output = ['-vf', `fps=${FRAMES_A_SECOND},format=yuv420p`, '-movflags', '+faststart'];
		try {
			await runLeashed('ffmpeg', ['-y', '-loglevel', 'error', ...input, ...output, file]);
		} catch (error) {
			throw new Trouble(
				`The film could not be written: ${String(error)}`,
				'Install ffmpeg (Debian: "apt-get install ffmpeg").',
			);
		} finally {
			rmSync(this.folder, { recursive: true, force: true });
		}
		return shown.reduce((sum, { seconds }) => sum + seconds, 0);
	}

	/** The texts of the film, one a line. */
	text(): string {
		return this.captions.map(({ text }) => `${text}\n`).join('');
	}

	private async show(page: Page): Promise<void> {
		await page
			.evaluate(`window.filmCaption(${JSON.stringify(this.caption)})`)
			.catch(() => undefined); // the page is about to change; its next load shows the text
	}

	private async film(context: BrowserContext, page: Page): Promise<void> {
		await this.session?.detach().catch(() => undefined);
		const session = await context.newCDPSession(page);
		this.session = session;
		session.on('Page.screencastFrame', ({ data, metadata, sessionId }) => {
			const file = join(this.folder, `${String(this.frames.length).padStart(6, '0')}.jpg`);
			writeFileSync(file, Buffer.from(data, 'base64'));
			this.frames.push({ file, at: metadata.timestamp ?? Date.now() / 1000 });
			void session.send('Page.screencastFrameAck', { sessionId }).catch(() => undefined);
		});
		page.on('load', () => void this.show(page));
		await this.show(page);
		await session.send('Page.startScreencast', { format: 'jpeg', quality: 90, everyNthFrame: 1 });
	}
}
