/**
 * A text whose UTF-8 was taken for Latin-1, read anew: "Müller" for "MÃ¼ller". n8n's mail nodes give such names where a mail header holds
 * UTF-8 without saying so. Texts that are no UTF-8 when taken back to bytes, as "Müller" itself, stay as they are. To be used before control
 * characters are removed, because half of such a letter may look like one.
 */
export function rereadUtf8(text: string): string {
	if (!/[\x80-\xff]/.test(text) || /[\u0100-\uffff]/.test(text)) return text;
	try {
		return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(text, 'latin1'));
	} catch {
		return text;
	}
}
