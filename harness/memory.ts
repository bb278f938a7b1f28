import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

/** Resident memory of one process in bytes; 0 when it is gone. */
export function residentBytes(pid: number): number {
	try {
		if (process.platform === 'linux') {
			const resident = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
			return Number(resident?.[1] ?? 0) * 1024;
		}
		return (
			Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }).trim()) *
			1024
		);
	} catch {
		return 0;
	}
}

/** What a piece of work gave, and the most resident memory in bytes that a process took meanwhile. */
export interface Peak<T> {
	result: T;
	bytes: number;
}

/** Linux keeps the peak of a process itself, so that none is missed by a busy machine; elsewhere it is looked for 50 times a second. */
export async function peakWhile<T>(pid: number, work: () => Promise<T>): Promise<Peak<T>> {
	const isKept = forgetPeak(pid);
	let seen = residentBytes(pid);
	const look = () => (seen = Math.max(seen, residentBytes(pid)));
	const sampler = isKept ? undefined : setInterval(look, 20);
	try {
		const result = await work();
		return { result, bytes: isKept ? keptPeak(pid) : look() };
	} finally {
		clearInterval(sampler);
	}
}

/** Sets the peak that Linux keeps of a process to what the process takes now (proc_pid_clear_refs(5)). Returns whether it could. */
function forgetPeak(pid: number): boolean {
	try {
		writeFileSync(`/proc/${pid}/clear_refs`, '5');
		return keptPeak(pid) > 0;
	} catch {
		return false;
	}
}

function keptPeak(pid: number): number {
	return (
		Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) *
		1024
	);
}
