/** Reads CSV according to RFC 4180: CR LF after each line, and quotes around cells with quotes, commas or line ends. */
export function parseCsv(text: string): string[][] {
	const line = /((?:"(?:[^"]|"")*"|[^",\r\n]*)(?:,(?:"(?:[^"]|"")*"|[^",\r\n]*))*)\r\n/gy;
	const lines = [...text.matchAll(line)];
	if (lines.map(([whole]) => whole).join('') !== text) throw new Error('This is no CSV');
	return lines.map(([, content = '']) =>
		[...content.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",\r\n]*))/g)].map(
			([, quoted, bare]) => quoted?.replaceAll('""', '"') ?? bare ?? '',
		),
	);
}

/**
 * All cells as seen by a program that splits at this separator, such as Excel with the list separator of its country. Quotes count only
 * at the beginning of a cell.
 */
export function cellsSplitAt(separator: string, text: string): string[] {
	const cells: string[] = [];
	const ends = new RegExp(`[${separator}\\r\\n]`, 'g');
	for (let at = 0; at <= text.length;) {
		const quoted = /"((?:[^"]|"")*)(?:"|$)/y;
		quoted.lastIndex = at;
		const [whole = '', content = ''] = quoted.exec(text) ?? [];
		ends.lastIndex = at + whole.length;
		const end = ends.exec(text)?.index ?? text.length;
		cells.push(content.replaceAll('""', '"') + text.slice(at + whole.length, end));
		at = end + 1;
	}
	return cells;
}

/** Whether a program would evaluate a cell. A number, alone or before a comma, is no formula. */
export function isCalculated(cell: string): boolean {
	return (
		/^\s*[=+\-@＝＋－＠]/.test(cell) && !/^\s*[+-]\d[\d.,]*(?:e[+-]?\d+)? *%? *(?:$|,)/.test(cell)
	);
}
