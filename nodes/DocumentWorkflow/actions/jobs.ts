import { asNodeError } from '../asNodeError';
import { refuseIfStopped } from '../transport';
import type { Failure, Job, Result, Session } from './operation';
import { inParallel, MOST_FILES } from './parallel';

/** Does something for each input item; what is thrown becomes the failure of that item. */
export async function forEachItem<T>(
	{ context }: Session,
	prepare: (itemIndex: number) => Promise<T>,
): Promise<Array<T | Failure>> {
	return inParallel(context.getInputData(), MOST_FILES, async (_item, itemIndex) => {
		try {
			refuseIfStopped(context);
			return await prepare(itemIndex);
		} catch (error) {
			return {
				ok: false,
				error: asNodeError(context.getNode(), error, itemIndex),
				json: {},
			} satisfies Failure;
		}
	});
}

/** One job for each input item. */
export async function jobPerItem(
	session: Session,
	prepare: (itemIndex: number) => () => Promise<Result>,
): Promise<Job[]> {
	const prepared = await forEachItem(session, (itemIndex) => Promise.resolve(prepare(itemIndex)));
	return prepared.map((work, itemIndex) => ({
		key: String(itemIndex),
		itemIndexes: [itemIndex],
		work,
	}));
}
