import type { Execution, Item } from '../../harness/n8n-execution';
import type { Sent, Told } from './books';
import { NEXT, NODE } from './ways';

/** What n8n shows about each document: its items in the last n8n execution, and the errors of all. */
export function toldBy(executions: Execution[], documents: Sent[]): Map<string, Told> {
	const last = executions.at(-1);
	const error = executions.map(errorOf).join('\n').trim();
	const about = executions.map(describe).join(', ');
	const items = last === undefined || last.status === 'error' ? [] : itemsOf(last);
	return new Map(
		documents.map(({ id }, index) => {
			const own = items.filter((item) => indexOf(item) === index);
			return [id, { items: own.map(({ json }) => json), error, about }];
		}),
	);
}

function describe({ id, status, waitTill, runs }: Execution): string {
	const counts = Object.entries(runs).map(([name, all]) => {
		const items = all.map(({ data }) =>
			(data?.main ?? []).map((some) => some?.length ?? 0).join('+'),
		);
		return `${name} ${items.join(' then ')}`;
	});
	return `n8n execution ${id}: ${status}, waiting until ${waitTill}, items: ${counts.join('; ')}`;
}

function errorOf({ error, runs }: Execution): string {
	const errors = [error, ...(runs[NODE] ?? []).map((run) => run.error)];
	return errors
		.map((each) => (each ? `${each.message}\n${each.description ?? ''}` : ''))
		.join('\n');
}

/** All items that the node has output, on both outputs. After a pause n8n may list a run without items behind the one with them. */
function itemsOf({ runs }: Execution): Item[] {
	const itemsIn = (name: string) =>
		(runs[name] ?? []).map(({ data }) => (data?.main ?? []).flatMap((items) => items ?? []));
	const behind = itemsIn(NEXT).filter((items) => items.length > 0);
	// The node behind must not get them twice either.
	return behind.length > 1 ? behind.flat() : itemsIn(NODE).flat();
}

function indexOf({ pairedItem }: Item): number {
	const paired = Array.isArray(pairedItem) ? (pairedItem[0] as unknown) : pairedItem;
	if (typeof paired === 'number') return paired;
	return (paired as { item?: number } | undefined)?.item ?? -1;
}
