/** Reads CSV as RFC 4180 has it: CR LF after each line, cells in quotes where they hold quotes, commas or line ends. */
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
 * All cells as a program finds them that splits lines at this separator, such as Excel with the list separator of its country: quotes
 * hold together only the cell that begins with them, and elsewhere are letters.
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

/** Whether a program would calculate what a cell holds; a number, alone or before a comma, is no formula. */
export function isCalculated(cell: string): boolean {
	return (
		/^\s*[=+\-@＝＋－＠]/.test(cell) && !/^\s*[+-]\d[\d.,]*(?:e[+-]?\d+)? *%? *(?:$|,)/.test(cell)
	);
}
