import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../harness/pack';
import { answer, cell, jsonOf, step } from './support/answers';
import { runFlow } from './support/engine';
import { file, PDF } from './support/helper-nodes';
import { operation, useService } from './support/service';

/** What the docs show of outputs, beside what the node really returns. */
const service = useService();

const blocksOf = (page: string): IDataObject[] =>
	[...readFileSync(join(ROOT, 'docs', page), 'utf8').matchAll(/^```json\n([^]*?)\n```$/gm)].map(
		([, block = '']) => JSON.parse(block) as IDataObject,
	);

const steps = (policyNumberScore = 0.98) => [
	step('policy_details', {
		policy_number: cell('CPP-4471902', policyNumberScore),
		total_premium: cell(18420, 0.62),
	}),
	step(
		'coverages',
		{ coverage: cell('Building', 0.97), limit: cell(2400000, 0.95) },
		{ coverage: cell('Contents', 0.97), limit: cell(350000, 0.94) },
	),
];

/** Values of a run, which the docs only give an example of. */
const OF_A_RUN: Record<string, unknown> = {
	executionId: expect.any(String),
	workflowId: 'intake',
	bytes: expect.any(Number),
	sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
	at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
};
const asRun = (shown: unknown): unknown =>
	JSON.parse(JSON.stringify(shown), (key, value: unknown) => OF_A_RUN[key] ?? value);

/** The keys in their order, which n8n shows as columns. */
const keysOf = (json: unknown): unknown =>
	JSON.stringify(json, (_key, value: unknown) =>
		typeof value === 'object' || value === undefined ? value : 0,
	);

async function itemsOf(
	name: 'create' | 'createAndWait',
	parameters: INodeParameters,
	policyNumberScore?: number,
): Promise<IDataObject[]> {
	answer(service, { steps: steps(policyNumberScore), metadata: { external_id: 'CASE-17' } });
	const outcome = await runFlow({
		...service,
		parameters: operation(name, {
			inputs: { metadata: [{ name: 'external_id', value: 'CASE-17' }] },
			...(name === 'create' ? {} : { waiting: { firstCheckSeconds: 0.1 } }),
			...parameters,
		}),
		items: [{ files: { data: file('policy.pdf', PDF, 'application/pdf') } }],
	});
	expect(outcome.error).toBeUndefined();
	return jsonOf(outcome);
}

describe('docs/results.md', () => {
	const [simplified, row, details, ...others] = blocksOf('results.md');
	const ROWS = { output: 'rows', step: 'coverages' };

	it.each<[string, IDataObject | undefined, number, () => Promise<IDataObject[]>]>([
		['Simplified', simplified, 0, async () => itemsOf('createAndWait', {})],
		['One Item per Row', row, 1, async () => itemsOf('createAndWait', ROWS)],
		[
			'Include Details',
			details,
			1,
			async () => {
				const given = { ...ROWS, outputOptions: { includeDetails: true } };
				const items = await itemsOf('createAndWait', given);
				return items.map(({ executionDetails }) => ({ executionDetails }));
			},
		],
	])('shows what %s returns, in its order', async (_output, shown, index, run) => {
		const json = (await run())[index];
		expect(json).toEqual(asRun(shown));
		expect(keysOf(json)).toBe(keysOf(shown));
	});

	it('lists what Create returns, in its order, and shows no other JSON', async () => {
		const page = readFileSync(join(ROOT, 'docs/results.md'), 'utf8');
		const [, list = ''] =
			/^\*\*Create Execution\*\* returns (.+?), as in Simplified/m.exec(page) ?? [];
		const names = [...list.matchAll(/`(\w+)`/g)].map(([, name]) => name);
		expect(Object.keys((await itemsOf('create', {}))[0] ?? {})).toEqual(names);
		expect(others).toEqual([]);
	});
});
