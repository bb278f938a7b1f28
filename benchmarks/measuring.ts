/** What the benchmarks with a real n8n share. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const TICKS_IN_A_SECOND = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

export const API = '/api/v1';

function stepOf(rows: number): unknown {
	const data = Array.from({ length: rows }, (_, row) => {
		const cells = COLUMNS.map((name) => [
			name,
			{ value: `${name} ${row}`, confidence_score: 0.98 },
		]);
		return Object.fromEntries(cells) as unknown;
	});
	return { step_name: 'policy', data: { schema: {}, data, metadata: {} } };
}

const COLUMNS = Array.from({ length: 10 }, (_, column) => `column_${column}`);

/**
 * A service that answers at once and drops what it gets; its time does not count. An execution `<n>-…` is completed at its n-th check,
 * others once `finish` is called. `endsAtCheck` is the n of the executions that it starts, `rows` how many their step has.
 */
export async function startService({
	endsAtCheck,
	rows = 1,
}: { endsAtCheck?: number; rows?: number } = {}): Promise<{
	url: string;
	checks: () => number;
	finish: () => void;
	stop: () => void;
}> {
	const checks = new Map<string, number>();
	const step = stepOf(rows);
	let started = 0;
	let total = 0;
	let isFinished = false;
	const answerTo = (method: string | undefined, url: string) => {
		if (url.endsWith('/access_token'))
			return { access_token: 'benchmark', token_type: 'bearer', expires_in: 3600 };
		const id =
			method === 'POST' ? `${endsAtCheck ?? 'e'}-${++started}` : (url.split('/').at(-1) ?? '');
		if (method !== 'POST') total++;
		const count = (checks.get(id) ?? 0) + 1;
		checks.set(id, count);
		const isCompleted = isFinished || count >= Number(/^(\d+)-/.exec(id)?.[1] ?? Infinity);
		const status = isCompleted ? 'completed' : 'running';
		const steps = isCompleted ? [step] : [];
		return { workflow_id: 'w', workflow_execution_id: id, status, metadata: {}, steps };
	};
	const server = createServer((request, response) => {
		request.resume().on('end', () => {
			response.writeHead(200, { 'content-type': 'application/json' });
			response.end(JSON.stringify(answerTo(request.method, request.url ?? '')));
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}`,
		checks: () => total,
		finish: () => void (isFinished = true),
		stop: () => server.close(),
	};
}

/** Seconds of CPU that a process has taken, with all of its threads (proc_pid_stat(5)). */
export function cpuSeconds(pid: number): number {
	// after the command in parentheses: state, then 10 others, then user and system time
	const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
		.replace(/^.*\) /s, '')
		.split(' ');
	return (Number(fields[11]) + Number(fields[12])) / TICKS_IN_A_SECOND;
}
