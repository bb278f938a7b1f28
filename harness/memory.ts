import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** Resident memory of one process in bytes; 0 when it is gone. */
export function residentBytes(pid: number): number {
	try {
		if (process.platform === 'linux') {
			const resident = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
			return Number(resident?.[1] ?? 0) * 1024;
		}
		return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }).trim()) * 1024;
	} catch {
		return 0;
	}
}

/** Process ids of a process group that are still alive (Linux). */
export function groupMembers(group: number): number[] {
	return readdirSync('/proc')
		.filter((name) => /^\d+$/.test(name))
		.map(Number)
		.filter((pid) => {
			try {
				// after the command in parentheses: state, parent, process group
				const [state, , member] = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /s, '').split(' ');
				return Number(member) === group && state !== 'Z';
			} catch {
				return false;
			}
		});
}
