/**
 * Reads the text of PDF documents in a thread of its own, so that requests are answered meanwhile.
 * In: { id, bytes }. Out: { id, pages: [[{ text, x, y, width, fontSize }]] } or { id, error }.
 */
import { parentPort } from 'node:worker_threads';
import { extractTextItems, getDocumentProxy } from 'unpdf';

parentPort.on('message', async ({ id, bytes }) => {
	try {
		const pdf = await getDocumentProxy(bytes, { verbosity: 0 });
		const { items } = await extractTextItems(pdf);
		const pages = [];
		for (const [index, page] of items.entries()) {
			const drawn = page.map(({ str, x, y, width, fontSize }) => ({
				text: str,
				x,
				y,
				width,
				fontSize,
			}));
			pages.push([...drawn, ...(await filledIn(await pdf.getPage(index + 1)))]);
		}
		await pdf.loadingTask.destroy();
		parentPort.postMessage({ id, pages });
	} catch (error) {
		parentPort.postMessage({ id, error: error instanceof Error ? error.message : String(error) });
	}
});

/** The values of form fields, placed where their boxes are. */
async function filledIn(page) {
	const annotations = await page.getAnnotations();
	return annotations.flatMap((annotation) => {
		const text = valueOf(annotation);
		if (annotation.subtype !== 'Widget' || text === '') return [];
		const [left, bottom, right, top] = annotation.rect;
		const fontSize = Math.min(12, top - bottom);
		return [
			{
				text,
				x: left + 2,
				y: bottom + (top - bottom - fontSize) / 2 + 2,
				width: right - left - 4,
				fontSize,
			},
		];
	});
}

function valueOf({ fieldType, checkBox, fieldValue }) {
	if (checkBox) return fieldValue && fieldValue !== 'Off' ? 'Yes' : 'No';
	if (fieldType === 'Tx' || fieldType === 'Ch')
		return String(Array.isArray(fieldValue) ? fieldValue.join(', ') : (fieldValue ?? ''));
	return '';
}
