/**
 * How much CPU a check of an execution, a Get and a Create of 100 kB cost n8n: through this package, and through a minimal
 * node that only sends the same request with `httpRequestWithAuthentication`. Both run on one real n8n, in turns. The cost of one
 * request is the slope between a small and a large run: what n8n spends on each run does not count.
 */
import { randomUUID } from 'node:crypto';
import { CREDENTIAL_TYPE } from '../harness/example-workflows';
import { chain, documentWorkflow, node, type Operation } from '../harness/flows';
import type { Line } from '../harness/install';
import type { WorkflowJson } from '../harness/n8n-rest';
import type { Report } from '../harness/report';
import { figureOf, type Figure, type Target } from './figures';
import { startService } from './measuring';
import { inTurns, NODES, requireSuccess, withN8n, type Surroundings } from './surroundings';

const ROUNDS = 5;

type Way = 'bare' | 'package';

interface Kind {
	name: string;
	/** Items, and requests for each item, of the small and the large run. */
	small: Size;
	large: Size;
	/** Size of the file that each item carries. */
	bytes: number;
	operation: Operation;
	/** Further parameters of the package's node. */
	parameters: Record<string, unknown>;
	target?: Target;
}

interface Size {
	items: number;
	times: number;
}

const EXECUTION = { executionId: '={{ $json.executionId }}' };

const KINDS: Kind[] = [
	{
		name: 'check',
		operation: 'wait',
		target: { of: 'ratio', atMost: 1.3 },
		small: { items: 100, times: 1 },
		large: { items: 100, times: 11 },
		bytes: 0,
		parameters: {
			...EXECUTION,
			waiting: { firstCheckSeconds: 0.1, longestIntervalMinutes: 0.1 / 60 },
		},
	},
	{
		name: 'Get',
		operation: 'get',
		small: { items: 100, times: 1 },
		large: { items: 1_100, times: 1 },
		bytes: 0,
		parameters: { ...EXECUTION },
	},
	{
		name: 'Create of 100 kB',
		operation: 'create',
		small: { items: 50, times: 1 },
		large: { items: 450, times: 1 },
		bytes: 100_000,
		parameters: { inputDataFieldName: 'data' },
	},
];

export async function requests(report: Report, line: Line = 'n8n-2'): Promise<Figure[]> {
	const service = await startService();
	const env = { N8N_CUSTOM_EXTENSIONS: NODES };
	try {
		return await withN8n({ serviceUrl: service.url, report, line, env }, async (surroundings) => {
			const { run, credential } = surroundings;
			const cpuOfRun = async (way: Way, kind: Kind, size: Size): Promise<number> => {
				const json = workflow(way, kind, size, credential, service.url);
				return requireSuccess(await run(json)).cpuMilliseconds;
			};
			/** Milliseconds of CPU that one request takes. */
			const cost = async (way: Way, kind: Kind): Promise<number> => {
				const { small, large } = kind;
				const spent = -(await cpuOfRun(way, kind, small)) + (await cpuOfRun(way, kind, large));
				return spent / (large.items * large.times - small.items * small.times);
			};
			const figures: Figure[] = [];
			for (const kind of KINDS) {
				report(`CPU of a request: ${kind.name}`);
				const ways = {
					bare: async () => cost('bare', kind),
					package: async () => cost('package', kind),
				};
				for (const way of Object.values(ways)) await way(); // Node compiles what runs often
				const { bare, package: own } = await inTurns(ROUNDS, ways, report);
				const { name, target } = kind;
				figures.push(
					figureOf({
						name: `CPU of a ${name}`,
						beside: "a bare request with n8n's own function",
						unit: 'ms',
						...{ own, other: bare, target },
					}),
				);
			}
			return figures;
		});
	} finally {
		service.stop();
	}
}

function workflow(
	way: Way,
	{ operation, bytes, parameters }: Kind,
	{ items, times }: Size,
	credential: Surroundings['credential'],
	baseUrl: string,
): WorkflowJson {
	const isRepeated = operation === 'wait';
	// The service lets an execution of this name end at so many checks.
	const prefix = isRepeated && way === 'package' ? `${times}-${randomUUID()}-` : 'e-';
	const bare = {
		...node('Send', 'CUSTOM.benchmarkRequests', 1, {
			...{ operation, executionId: EXECUTION.executionId, times, baseUrl },
		}),
		credentials: { [CREDENTIAL_TYPE]: credential },
	};
	return chain(
		`${way}, ${operation}, ${items} × ${times}`,
		node('Items', 'CUSTOM.benchmarkItems', 1, { count: items, bytes, prefix }),
		way === 'bare' ? bare : documentWorkflow({ credential }, operation, 'w', parameters),
	);
}
