import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';

import { ROOT } from '../../../harness/pack';

interface Example {
	nodes: Array<{ name: string; parameters: Record<string, unknown> }>;
	pinData: Record<string, Array<{ json: Record<string, unknown> }>>;
}

const path = join(ROOT, 'examples/workflows/continue-after-a-crash.json');
const { nodes, pinData } = JSON.parse(readFileSync(path, 'utf8')) as Example;
/** What n8n stored of the runs in the sample data. */
const stored = (pinData['Read What n8n Stored'] ?? []).map(({ json }) => json);

/** The values of the expressions in the parameters of a node. */
function valuesIn(name: string, scope: object): unknown[] {
	const texts: string[] = [];
	const parameters = JSON.stringify(nodes.find((node) => node.name === name)?.parameters);
	JSON.parse(parameters, (_key, value: unknown) => {
		if (typeof value === 'string' && value.startsWith('=')) texts.push(value);
		return value;
	});
	return texts
		.flatMap((text) => text.match(/(?<=\{\{).+?(?=\}\}(?:$|\n))/gs) ?? [])
		.map((code): unknown => runInNewContext(`(${code})`, { ...scope }));
}

const wayOf = (json: object) =>
	['continue', 'tell'][valuesIn('Choose the Way', { $json: json }).indexOf(true)];

describe('Retry after a crash of n8n', () => {
	it('retries what had paused, and tells of what had not and of what has lost its earlier nodes', () => {
		expect(stored.map((json) => [json.id, wayOf(json)])).toEqual([
			['118', 'tell'],
			['117', 'continue'],
			['116', 'tell'],
		]);
	});

	it('tells of a retry that failed, and of nothing else that failed by itself', () => {
		const resultData = {
			runData: { 'New Mail': [], 'Save It': [] },
			lastNodeExecuted: 'Save It',
		};
		const failed = { ...stored[1], id: '121', status: 'error', data: { resultData } };
		expect(wayOf(failed)).toBeUndefined();
		expect(wayOf({ ...failed, retryOf: '117' })).toBe('tell');
	});

	it('names the executions, with their links, and the files in the mail', () => {
		const scope = {
			$input: { all: () => [{ json: stored[2] }] },
			$execution: { resumeUrl: 'https://n8n.example.com/webhook-waiting/1' },
		};
		const mail = valuesIn('Send the Mail', scope).join('\n');
		const link = 'https://app.example.com/workflows/policy-intake/executions/5b0e7c1a';
		expect(mail).toContain(`Documents: renewal.pdf. Executions: 5b0e7c1a, ${link}.`);
		expect(mail).toContain('Error: OTel settings not yet initialized');
	});
});
