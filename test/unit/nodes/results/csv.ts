/** Reads CSV as RFC 4180 has it: CR LF after each line, cells in quotes where they hold quotes, commas or line ends. */
export function parseCsv(text: string): string[][] {
	const line = /((?:"(?:[^"]|"")*"|[^",\r\n]*)(?:,(?:"(?:[^"]|"")*"|[^",\r\n]*))*)\r\n/gy;
	const lines = [...text.matchAll(line)];
	if (lines.map(([whole]) => whole).join('') !== text) throw new Error('This is no CSV');
	return lines.map(([, content = '']) =>
		[...content.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",\r\n]*))/g)].map(([, quoted, bare]) => quoted?.replaceAll('""', '"') ?? bare ?? ''),
	);
}
