/**
 * Costs in CPU and memory as ratios to something plain, measured in turns in one process: the speed of a machine and its other work hardly
 * change them. `npm run bench` measures the same on a real n8n, with more.
 */
import { randomUUID } from 'node:crypto';
import type { INodeParameters, INodeType } from 'n8n-workflow';
import baseline from '../../benchmarks/baseline.json';
import { spreadOf } from '../../benchmarks/figures';
import { startService } from '../../benchmarks/measuring';
import { installNode } from '../../harness/install';
import { silent } from '../../harness/report';
import { shapeRows } from '../../benchmarks/rows';
import { CredentialsStore } from '../engine/support/credentials-store';
import { runFlow, type Flow } from '../engine/support/engine';

/** A ratio may become worse by a third. */
const MOST_WORSE = 4 / 3;
const ROUNDS = 7;

/** Rows whose texts become values, beside JSON.parse. */
const MOST_CONVERTED = 4;

// Other work of the machine can disturb a measurement; it does not do so three times in a row.
jest.retryTimes(2);

function expectNotWorse(name: keyof typeof baseline, ratios: number[]): void {
	const { median, lowest, highest } = spreadOf(ratios);
	console.log(
		`${name}: ${median.toFixed(2)} (${lowest.toFixed(2)} to ${highest.toFixed(2)}), before ${baseline[name]}`,
	);
	expect(median).toBeLessThanOrEqual(baseline[name] * MOST_WORSE);
}

describe('Making items of 10,000 rows', () => {
	it('takes at most a third more CPU and memory than before, and at most four times JSON.parse where texts are converted', async () => {
		// The ratio depends on the version of Node.
		const node = await installNode(silent);
		const rounds = await shapeRows(node, 10_000, ROUNDS);
		expectNotWorse(
			'cpuOfRows',
			rounds.map(({ shaped, parsed }) => shaped.cpuMilliseconds / parsed.cpuMilliseconds),
		);
		const converted = rounds.map((each) => [
			each.converted.cpuMilliseconds / each.parsedTexts.cpuMilliseconds,
			each.converted.megabytes / each.parsedTexts.megabytes,
		]);
		const medians = [0, 1].map((at) => spreadOf(converted.map((each) => each[at] ?? NaN)).median);
		console.log(`Converted: CPU ${medians[0]?.toFixed(2)}, memory ${medians[1]?.toFixed(2)}`);
		expect(Math.max(...medians)).toBeLessThanOrEqual(MOST_CONVERTED);
		expectNotWorse(
			'memoryOfRows',
			rounds.map(({ shaped, parsed }) => shaped.megabytes / parsed.megabytes),
		);
	});
});

describe('Getting an execution', () => {
	const ITEMS = 150;

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
			for (const way of [own, bare]) await way(); // Node compiles what runs often
			const ratios: number[] = [];
			for (let round = 0; round < ROUNDS; round++) ratios.push((await own()) / (await bare()));
			expectNotWorse('cpuOfGet', ratios);
		} finally {
			service.stop();
		}
	});
});

function bareNode(): INodeType {
	const { BenchmarkRequests } = jest.requireActual<{ BenchmarkRequests: new () => INodeType }>(
		'../../benchmarks/nodes/BenchmarkRequests.node.js',
	);
	return new BenchmarkRequests();
}
