/**
 * Costs in CPU and memory as ratios to something plain, measured in turns in one process: the speed of a machine and its other work hardly
 * change them. After a change that is worth its cost, write the printed ratios into baseline.json.
 */
import { randomUUID } from 'node:crypto';
import type { INodeParameters, INodeType } from 'n8n-workflow';
import baseline from './baseline.json';
import { startService } from '../../benchmarks/measuring';
import { installNode } from '../../harness/install';
import { silent } from '../../harness/report';
import { CredentialsStore } from '../engine/support/credentials-store';
import { runFlow, type Flow } from '../engine/support/engine';
import { join } from 'node:path';
import { z } from 'zod';
import { runLeashed } from '../../harness/processes';

/** A ratio may become worse by a third. */
const MOST_WORSE = 4 / 3;
const ROUNDS = 5;

/** Rows whose texts become values, beside JSON.parse. */
const MOST_CONVERTED = 4;

// Other work of the machine can disturb a measurement; it does not do so three times in a row.
jest.retryTimes(2);

/** The lowest cost beside the lowest of the other way: other work of the machine only adds to each. */
function ratioOf(name: string, own: number[], other: number[]): number {
	const ratio = Math.min(...own) / Math.min(...other);
	console.log(`${name}: ${ratio.toFixed(2)}`);
	return ratio;
}

function expectNotWorse(name: keyof typeof baseline, own: number[], other: number[]): void {
	expect(ratioOf(name, own, other)).toBeLessThanOrEqual(baseline[name] * MOST_WORSE);
}

describe('Making items of 10,000 rows', () => {
	it('takes at most a third more CPU and memory than before, and at most four times JSON.parse where texts are converted', async () => {
		// The ratio depends on the version of Node.
		const node = await installNode(silent);
		const rounds = await shapeRows(node, 10_000, ROUNDS);
		const cpu = (of: 'shaped' | 'parsed' | 'converted' | 'parsedTexts') =>
			rounds.map((each) => each[of].cpuMilliseconds);
		const memory = (of: 'shaped' | 'parsed' | 'converted' | 'parsedTexts') =>
			rounds.map((each) => each[of].megabytes);
		expectNotWorse('cpuOfRows', cpu('shaped'), cpu('parsed'));
		expectNotWorse('memoryOfRows', memory('shaped'), memory('parsed'));
		for (const cost of [cpu, memory])
			expect(ratioOf('Converted', cost('converted'), cost('parsedTexts'))).toBeLessThanOrEqual(
				MOST_CONVERTED,
			);
	});
});

describe('Getting an execution', () => {
	const ITEMS = 150;
	const WARM_UP = 8;

	// The credential is in memory here. In n8n a bare request also reads it from the database, so there the ratio is lower.
	it("takes at most a third more CPU than before, beside a bare request with n8n's own function", async () => {
		const service = await startService();
		const store = new CredentialsStore();
		const credential = await store.save('credential', {
			environment: 'production',
			productionUrl: service.url,
			clientId: 'client',
			clientSecret: 'not a secret',
		});
		const cpuOf = async (parameters: INodeParameters, node?: INodeType): Promise<number> => {
			const items = Array.from({ length: ITEMS }, () => ({
				json: { executionId: `1-${randomUUID()}` },
			}));
			const flow: Flow = { store, credential, parameters, items, node };
			const before = process.cpuUsage();
			const { status, outputs } = await runFlow(flow);
			const { user, system } = process.cpuUsage(before);
			expect([status, outputs[0]?.length]).toEqual(['success', ITEMS]);
			return user + system;
		};
		const executionId = '={{ $json.executionId }}';
		const own = async () =>
			cpuOf({
				operation: 'get',
				workflowId: { __rl: true, mode: 'id', value: 'w' },
				executionId,
			});
		const bare = async () =>
			cpuOf({ operation: 'get', executionId, times: 1, baseUrl: service.url }, bareNode());
		try {
			// Node compiles what runs often.
			for (let time = 0; time < WARM_UP; time++) for (const way of [own, bare]) await way();
			const costs: Record<'own' | 'bare', number[]> = { own: [], bare: [] };
			for (let round = 0; round < ROUNDS; round++) {
				costs.own.push(await own());
				costs.bare.push(await bare());
			}
			expectNotWorse('cpuOfGet', costs.own, costs.bare);
		} finally {
			service.stop();
		}
	});
});

function bareNode(): INodeType {
	const { BareRequests } = jest.requireActual<{ BareRequests: new () => INodeType }>(
		'./BareRequests.node.js',
	);
	return new BareRequests();
}

const cost = z.object({ cpuMilliseconds: z.number(), megabytes: z.number().positive() });
const result = z.array(
	z.object({ parsed: cost, shaped: cost, parsedTexts: cost, converted: cost }),
);

/** What making items of so many rows takes in each round, in plain Node with the built package, beside JSON.parse of their text. */
async function shapeRows(
	node: string,
	count: number,
	rounds: number,
): Promise<z.infer<typeof result>> {
	const script = join(__dirname, 'rows-in-node.cjs');
	const { code, output } = await runLeashed(node, [
		...['--expose-gc', script, String(count), String(rounds)],
	]);
	if (code !== 0) throw new Error(`The rows could not be measured: ${output}`);
	return result.parse(JSON.parse(output));
}
