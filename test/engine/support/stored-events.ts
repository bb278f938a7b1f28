/** The stored data of the trigger after `count` events, the first at `at` (milliseconds since 1970), one per millisecond. */
export function storedEvents(count: number, at: number): string {
	const entries = Array.from(
		{ length: count },
		(_, index) => `${storedKey(index)}.${(at + index).toString(36)}`,
	);
	return JSON.stringify({ 'node:Document Workflow Trigger': { accepted: entries.join(' ') } });
}

export const storedKey = (index: number): string => `key-of-${index}`.padEnd(16, '-');

/** The keys of the events that are stored with the trigger, the newest last. */
export function keysIn(staticData: string): string[] {
	const [{ accepted } = { accepted: '' }] = Object.values(
		JSON.parse(staticData) as Record<string, { accepted: string }>,
	);
	return accepted.split(' ').map((entry) => entry.split('.')[0] ?? '');
}
