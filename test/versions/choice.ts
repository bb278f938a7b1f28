/** Which versions of n8n are tested, and what could not be had. */
export interface Choice {
	/** Of each the first version that can be had is tested: a registry may lack packages of the newest. */
	versions: Array<{ candidates: string[]; why: string }>;
	missing: string[];
}

const MOST_CANDIDATES = 3;

const FINAL = /^\d+\.\d+\.\d+$/;
const majorOf = (version: string) => Number(version.split('.')[0]);

/** Of each line the minimum and the newest version, up to the line after the newest that is known. */
export function chooseVersions(available: string[], minimums: string[]): Choice {
	const final = available.filter((version) => FINAL.test(version));
	const choice: Choice = {
		versions: minimums.map((version) => ({ candidates: [version], why: 'the minimum' })),
		missing: [],
	};
	const first = Math.min(...minimums.map(majorOf));
	const last = Math.max(...[...final, ...minimums].map(majorOf)) + 1;
	for (let line = first; line <= last; line++) {
		const versions = newestFirst(final.filter((each) => majorOf(each) === line));
		if (versions.length === 0)
			choice.missing.push(`n8n ${line}: the registry has no version of it`);
		const minimum = versions.findIndex((each) => minimums.includes(each));
		const candidates = versions
			.slice(0, minimum < 0 ? undefined : minimum)
			.slice(0, MOST_CANDIDATES);
		if (candidates.length > 0)
			choice.versions.push({ candidates, why: `the newest of n8n ${line}` });
	}
	return choice;
}

function newestFirst(versions: string[]): string[] {
	return [...versions].sort((one, other) => other.localeCompare(one, 'en', { numeric: true }));
}

/** The minimums that the README names, one for each line. */
export function minimumsIn(readme: string): string[] {
	const [, one, two] = /^\*\*Minimum\*\*: n8n (\S+) or (\d+\.\d+\.\d+),/m.exec(readme) ?? [];
	if (one === undefined || two === undefined)
		throw new Error('README.md has no line "**Minimum**: n8n … or …,".');
	return [one, two];
}
