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

/** The result of some work, and the peak of a process's resident memory meanwhile, in bytes. */
export interface Peak<T> {
	result: T;
	bytes: number;
}

/** Linux records the peak itself, so that a busy machine misses none; elsewhere memory is sampled 50 times a second. */
export async function peakWhile<T>(pid: number, work: () => Promise<T>): Promise<Peak<T>> {
	const isRecorded = resetPeak(pid);
	let seen = residentBytes(pid);
	const sample = () => (seen = Math.max(seen, residentBytes(pid)));
	const sampler = isRecorded ? undefined : setInterval(sample, 20);
	try {
		const result = await work();
		return { result, bytes: isRecorded ? recordedPeak(pid) : sample() };
	} finally {
		clearInterval(sampler);
	}
}

/** Resets the peak that Linux records (proc_pid_clear_refs(5)); returns whether that worked. */
function resetPeak(pid: number): boolean {
	try {
		writeFileSync(`/proc/${pid}/clear_refs`, '5');
		return recordedPeak(pid) > 0;
	} catch {
		return false;
	}
}

function recordedPeak(pid: number): number {
	return (
		Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) *
		1024
	);
}
