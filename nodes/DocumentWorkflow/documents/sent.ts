import { createHash } from 'crypto';

import type { FilePart } from '../../../service/http';
import { NOT_READ } from '../../../service/retry';
import { listed, messageOf, plainText } from '../../../service/text';
import type { DocumentInAbout } from '../about';
import { time } from '../connection/time';
import { shownAddress } from './addresses';
import { type InputDocument, MOST_READ_BYTES } from './open';

/**
 * How long the last piece is held back, so that an early refusal arrives before the body counts as sent. Without this nobody could say
 * whether a small body arrived: measured for 46 of 69 such refusals, and with it for 0 to 3.
 */
const HELD_BACK_MILLISECONDS = 20;

const CHANGED = 'The document does not have the size that n8n reported';

/** A document in a request. Its hash is known once it was read completely. */
export class SentDocument implements FilePart {
	readonly name: string;
	readonly type: string;
	readonly size: number;

	sha256: string | undefined;

	/** Whether its last byte was handed over in this attempt. */
	isRead = false;

	/** Whether it is an encrypted PDF, as far as it was read. */
	isEncrypted = false;

	private whenRead: () => void = () => undefined;

	/** Missing once nothing more may be handed over. */
	private chunks: AsyncIterator<Uint8Array> | undefined;

	constructor(readonly document: InputDocument) {
		this.name = document.fileName;
		this.type = document.mediaType;
		this.size = document.bytes;
	}

	/** Begins an attempt. `whenRead` is called when the last byte was handed over. */
	begin(whenRead: () => void): void {
		this.isRead = false;
		this.whenRead = whenRead;
	}

	stream(): AsyncIterable<Uint8Array> {
		this.close();
		this.chunks = this.document.open()[Symbol.asyncIterator]();
		return this.read(this.chunks);
	}

	/** Closes the file, which axios leaves open after an aborted request, and hands over nothing more. */
	close(): void {
		// Errors of a file that is closed early do not matter.
		this.chunks?.return?.().catch(() => undefined);
		this.chunks = undefined;
	}

	private async *read(chunks: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
		this.sha256 = undefined;
		this.isRead = false;
		this.isEncrypted = false;
		const isEncrypted = encryptionSearch();
		const hash = createHash('sha256');
		let read = 0;
		try {
			for (;;) {
				const next = await chunks.next().catch(notRead);
				if (next.done === true) break;
				const chunk = next.value;
				read += chunk.length;
				// Sending only the announced length would complete the request with a truncated document.
				if (read > this.size) throw unreadable(CHANGED);
				hash.update(chunk);
				if (this.type === 'application/pdf') this.isEncrypted = isEncrypted(chunk);
				// In pieces, because otherwise all of a document that n8n itself holds would count as sent.
				for (let at = 0; at < chunk.length; at += MOST_READ_BYTES) {
					const isLast = read === this.size && at + MOST_READ_BYTES >= chunk.length;
					if (isLast) await time.sleep(HELD_BACK_MILLISECONDS);
					this.failIfClosed(chunks);
					yield chunk.subarray(at, at + MOST_READ_BYTES);
				}
			}
			this.failIfClosed(chunks);
			if (read < this.size) throw unreadable(CHANGED);
		} finally {
			if (this.chunks === chunks) this.close();
		}
		this.sha256 = hash.digest('hex');
		this.isRead = true;
		this.whenRead();
	}

	/** Ending normally would send the closing boundary behind a truncated document. */
	private failIfClosed(chunks: AsyncIterator<Uint8Array>): void {
		if (this.chunks !== chunks) throw new Error('The request has ended');
	}
}

/** Some stores of n8n give no code, or one that looks like a broken connection to the service. */
function notRead(error: unknown): never {
	const { code } = Object(error) as { code?: unknown };
	throw unreadable(messageOf(error), NOT_READ.exec(String(code))?.[0]);
}

/** Aborts a request whose announced length cannot be sent. */
function unreadable(message: string, code = 'EIO'): Error {
	return Object.assign(new Error(message), { code });
}

/** The sent documents for the output. `sha256` (hexadecimal) is the hash of the sent bytes. */
export function describeSent(files: SentDocument[], fileUrls: string[]): DocumentInAbout[] {
	return [
		...files.map(({ document, sha256 = null, isEncrypted }) => {
			const { fileName, mediaType, bytes, itemIndex, fieldName } = document;
			const encrypted = isEncrypted ? { encrypted: true } : {};
			return { fileName, mediaType, bytes, sha256, itemIndex, fieldName, ...encrypted };
		}),
		...fileUrls.map((url) => ({ address: shownAddress(url) })),
	];
}

/** In the trailer of each encrypted PDF, which itself is neither encrypted nor compressed. */
const KEY = Buffer.from('/Encrypt');

/** Searches a PDF chunk by chunk: whether the key was in the given chunk, an earlier one, or across both. */
export function encryptionSearch(): (chunk: Uint8Array) => boolean {
	let isFound = false;
	let end = Buffer.alloc(0);
	return (chunk) => {
		const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
		const border = Buffer.concat([end, bytes.subarray(0, KEY.length - 1)]);
		isFound ||= border.includes(KEY) || bytes.includes(KEY);
		end = Buffer.concat([end, bytes.subarray(1 - KEY.length)]).subarray(1 - KEY.length);
		return isFound;
	};
}

/** Names that are shown, and characters of each. */
const MAX_NAMED = 3;
const LONGEST_NAME = 60;

export function inShort(names: string[]): string {
	return listed(names, MAX_NAMED, (name) => plainText(name, [], LONGEST_NAME));
}

/** A sentence that names the encrypted documents in the `documents` of an output; empty where there are none. */
export function encryptedIn(documents: DocumentInAbout[] = []): string {
	const names = documents.flatMap((each) => (each.encrypted ? (each.fileName ?? []) : []));
	if (names.length === 0) return '';
	return names.length === 1
		? `${inShort(names)} is encrypted. If it needs a password, ask the sender for a copy without one`
		: `${inShort(names)} are encrypted. If they need a password, ask the sender for copies without one`;
}
