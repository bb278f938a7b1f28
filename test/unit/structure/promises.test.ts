import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod';
import { DocumentWorkflowApi } from '../../../credentials/DocumentWorkflowApi.credentials';
import { DocumentWorkflow } from '../../../nodes/DocumentWorkflow/DocumentWorkflow.node';
import { DocumentWorkflowTrigger } from '../../../nodes/DocumentWorkflow/DocumentWorkflowTrigger.node';
import { listedValues, settingsIn } from './offered';

/**
 * What n8n has stored of nodes and credentials since the first release: the path of each setting, its type, its defaults, which n8n does not
 * store, and the values that can be chosen. A stored workflow opens unchanged as long as all of this stays. Other shapes need a new version
 * of the node.
 */
const promised = z
	.record(
		z.object({
			version: z.number(),
			settings: z.record(
				z.object({
					type: z.string(),
					defaults: z.array(z.unknown()),
					values: z.array(z.unknown()),
				}),
			),
		}),
	)
	.parse(JSON.parse(readFileSync(join(__dirname, 'fixtures', 'promises.json'), 'utf8')));

interface Offered {
	name: string;
	version?: number | number[];
	properties: INodeProperties[];
}
const OFFERED: Offered[] = [
	new DocumentWorkflow().description,
	new DocumentWorkflowTrigger().description,
	new DocumentWorkflowApi(),
];

/** A setting that is offered in several places, such as one for each operation, has the values of all. */
function settingsOf({ properties }: Offered): Map<string, INodeProperties[]> {
	const all = new Map<string, INodeProperties[]>();
	for (const { path, property } of settingsIn(properties))
		all.set(path, [...(all.get(path) ?? []), property]);
	return all;
}

function promiseOf(all: INodeProperties[]): (typeof promised)[string]['settings'][string] {
	const [first] = all;
	return {
		type: first?.type ?? '',
		defaults: distinct(all.map((each) => each.default)),
		values: distinct(all.flatMap(listedValues)),
	};
}

function distinct(values: unknown[]): unknown[] {
	return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}

describe.each(OFFERED.map((offered) => [offered.name, offered] as const))(
	'A stored %s',
	(name, offered) => {
		const { version, settings } = promised[name] ?? { version: 0, settings: {} };
		const now = settingsOf(offered);

		it('has a version that n8n still knows', () => {
			expect([offered.version ?? 1].flat()).toContain(version);
		});

		it.each(Object.entries(settings))('keeps %s', (path, { type, defaults, values }) => {
			const offeredNow = promiseOf(now.get(path) ?? []);
			expect(offeredNow).toMatchObject({ type, defaults });
			expect(offeredNow.values).toEqual(expect.arrayContaining(values));
		});

		it('has no further setting; a new one is a promise, so add what this test prints to fixtures/promises.json', () => {
			const further = [...now].filter(([path]) => settings[path] === undefined);
			expect(Object.fromEntries(further.map(([path, all]) => [path, promiseOf(all)]))).toEqual({});
		});
	},
);
