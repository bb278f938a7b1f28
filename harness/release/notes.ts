/** The part of a changelog for one version: its date and its entries. Undefined if the version has no heading. */
export interface Notes {
	/** As the heading has it, such as "2026-01-31"; empty if it has none. */
	date: string;
	text: string;
}

export function notesOf(changelog: string, version: string): Notes | undefined {
	const parts = changelog.split(/^## /m).slice(1);
	const part = parts.find((each) => each.startsWith(`[${version}]`));
	if (part === undefined) return undefined;
	const [heading = '', ...lines] = part.split('\n');
	const date = /^\[[^\]]*\] - (\d{4}-\d{2}-\d{2})$/.exec(heading.trim())?.[1] ?? '';
	return { date, text: lines.join('\n').trim() };
}
