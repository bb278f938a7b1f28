/** Prints where the time of a jest run went, from the file that `jest --json --outputFile` writes. */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { z } from 'zod';

const SLOWEST = 15;

const results = z.object({
	testResults: z.array(
		z.object({
			name: z.string(),
			startTime: z.number(),
			endTime: z.number(),
			assertionResults: z.array(
				z.object({
					ancestorTitles: z.array(z.string()),
					fullName: z.string(),
					duration: z.number().nullish(),
				}),
			),
		}),
	),
});

interface Row {
	name: string;
	milliseconds: number;
	tests: number;
}

/** Prints the time of each test file, where wanted of each of its specs, and of the slowest tests. */
export function printTimes(file: string, { bySpec = false } = {}): void {
	const { testResults } = results.parse(JSON.parse(readFileSync(file, 'utf8')));
	const rows = testResults
		.map((each) => ({ whole: fileRow(each), parts: bySpec ? specRows(each) : [] }))
		.sort((a, b) => b.whole.milliseconds - a.whole.milliseconds);
	console.log('\nTime by test file');
	for (const { whole, parts } of bySpec ? rows : rows.slice(0, SLOWEST)) {
		console.log(line(whole));
		for (const part of parts) console.log(line({ ...part, name: `  ${part.name}` }));
	}

	const slowest = testResults
		.flatMap(({ assertionResults }) => assertionResults)
		.sort((a, b) => (b.duration ?? 0) - (a.duration ?? 0))
		.slice(0, SLOWEST);
	console.log('\nSlowest tests');
	for (const { fullName, duration } of slowest)
		console.log(`${seconds(duration ?? 0)}  ${fullName}`);
}

type File = z.infer<typeof results>['testResults'][number];

function fileRow({ name, startTime, endTime, assertionResults }: File): Row {
	return {
		name: basename(name),
		milliseconds: endTime - startTime,
		tests: assertionResults.length,
	};
}

/** A spec is a describe within the describe of an n8n. What its tests did not take went into starting, hooks and stopping. */
function specRows(file: File): Row[] {
	const specs = new Map<string, Row>();
	for (const { ancestorTitles, duration } of file.assertionResults) {
		const name = ancestorTitles.slice(0, 2).join(', ');
		const { milliseconds, tests } = specs.get(name) ?? { milliseconds: 0, tests: 0 };
		specs.set(name, { name, milliseconds: milliseconds + (duration ?? 0), tests: tests + 1 });
	}
	const inTests = [...specs.values()].reduce((sum, { milliseconds }) => sum + milliseconds, 0);
	const outside = fileRow(file).milliseconds - inTests;
	return [...specs.values(), { name: 'starts, hooks and stops', milliseconds: outside, tests: 0 }];
}

function line({ name, milliseconds, tests }: Row): string {
	return `${seconds(milliseconds)}  ${name}${tests > 0 ? ` (${tests} ${tests === 1 ? 'test' : 'tests'})` : ''}`;
}

function seconds(milliseconds: number): string {
	return `${(milliseconds / 1000).toFixed(1).padStart(7)} s`;
}
