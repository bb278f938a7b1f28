/** Which versions of n8n are tested, and what could not be had. */
export interface Choice {
	versions: Array<{ version: string; why: string }>;
	missing: string[];
}

const FINAL = /^\d+\.\d+\.\d+$/;
const majorOf = (version: string) => Number(version.split('.')[0]);

/** Of each line the minimum and the newest version, up to the line after the newest that is known. */
export function chooseVersions(available: string[], minimums: string[]): Choice {
	const final = available.filter((version) => FINAL.test(version));
	const choice: Choice = { versions: [], missing: [] };
	for (const version of minimums) {
		if (final.includes(version)) choice.versions.push({ version, why: 'the minimum' });
		else choice.missing.push(`n8n ${version}, the minimum: the registry does not have it`);
	}
	const first = Math.min(...minimums.map(majorOf));
	const last = Math.max(...[...final, ...minimums].map(majorOf)) + 1;
	for (let line = first; line <= last; line++) {
		const version = newestOf(final.filter((each) => majorOf(each) === line));
		if (version === undefined)
			choice.missing.push(`n8n ${line}: the registry has no version of it`);
		else if (!minimums.includes(version))
			choice.versions.push({ version, why: `the newest of n8n ${line}` });
	}
	return choice;
}

function newestOf(versions: string[]): string | undefined {
	return [...versions]
		.sort((one, other) => one.localeCompare(other, 'en', { numeric: true }))
		.at(-1);
}

/** The minimums that the README names, one for each line. */
export function minimumsIn(readme: string): string[] {
	const [, one, two] = /^\*\*Minimum\*\*: n8n (\S+) or (\d+\.\d+\.\d+),/m.exec(readme) ?? [];
	if (one === undefined || two === undefined)
		throw new Error('README.md has no line "**Minimum**: n8n … or …,".');
	return [one, two];
}
