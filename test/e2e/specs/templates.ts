import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TEMPLATES } from '../../../harness/example-workflows';
import { installN8n } from '../../../harness/install';
import type { World } from '../support';
import { expectNoGaps, expectSuccess, OURS, runToEnd, template, withProbes } from '../templateRuns';

const MINUTE = 60_000;

/** All templates of examples/workflows, as they are imported; what one of them does with real documents is in the specs beside this. */
export function templatesSpec(world: () => World): void {
	it('have the versions of nodes that n8n gives to new nodes', async () => {
		const newest = await newestVersions();
		const others = TEMPLATES.flatMap((name) =>
			template(name)
				.nodes.filter(({ type }) => type !== OURS)
				.filter(({ type, typeVersion }) => newest.get(type) !== typeVersion)
				.map(({ type, typeVersion }) => `${name}: ${type} ${typeVersion}, not ${newest.get(type)}`),
		);
		expect(others).toEqual([]);
	});

	it.each([
		['outlook-to-excel', ['Add a Row', 'Move to Done', 'Move to Needs Review']],
		['report-a-claim', ['Show What Was Understood']],
		['gmail-to-google-sheet', ['Add the Rows', 'Add Label Done', 'Remove the Intake Label']],
		['drive-folder', ['Save the Data', 'Move to Done', 'Move to Needs Review']],
		['when-a-workflow-fails', ['Check the Executions', 'Write the Mail', 'Send the Mail']],
	])(
		'%s runs to its end as it is imported, with its sample data and no credential',
		async (name, branches) => {
			const imported = await runToEnd(world(), template(name));
			expectSuccess(imported, branches);
			expectNoGaps(imported, template(name));
			const read = await runToEnd(world(), withProbes(template(name)));
			expectSuccess(read, branches);
			expectNoGaps(read, template(name));
		},
		MINUTE,
	);
}

/** The version of each type of n8n's own nodes that the editor gives to a new node. */
async function newestVersions(): Promise<Map<string, number>> {
	const folder = await installN8n('n8n-2', () => undefined);
	const file = join(folder, 'node_modules', 'n8n-nodes-base', 'dist', 'types', 'nodes.json');
	const types = JSON.parse(readFileSync(file, 'utf8')) as Array<{
		name: string;
		version: number | number[];
		defaultVersion?: number;
	}>;
	const newest = new Map<string, number>();
	for (const { name, version, defaultVersion } of types) {
		const type = `n8n-nodes-base.${name}`;
		const offered = defaultVersion ?? Math.max(...[version].flat());
		newest.set(type, Math.max(offered, newest.get(type) ?? 0));
	}
	return newest;
}
