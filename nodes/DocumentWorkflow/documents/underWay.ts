/** The run of a node in which the service accepted a document; undefined when it did not. */
export type AcceptedIn = symbol | undefined;

/**
 * The outcome of each document that is being sent in this process, by any n8n execution. A claim waits only for earlier claims on the
 * same document, so no two can wait for each other.
 */
const underWay = new Map<string, Promise<AcceptedIn>>();

export interface Claim {
	/** The outcome of the documents that were claimed earlier. */
	earlier: ReadonlyMap<string, Promise<AcceptedIn>>;
	/** Must be called, even after an error. */
	settle: (acceptedIn: AcceptedIn) => void;
}

/** Claims all documents at once. A document is released when this claim and all earlier ones are settled. */
export function claim(documents: ReadonlySet<string>): Claim {
	let settle: Claim['settle'] = () => undefined;
	const own = new Promise<AcceptedIn>((resolve) => (settle = resolve));
	const earlier = new Map<string, Promise<AcceptedIn>>();
	for (const document of documents) {
		const before = underWay.get(document);
		if (before !== undefined) earlier.set(document, before);
		const outcome = either(before, own);
		underWay.set(document, outcome);
		void outcome.then(() => {
			if (underWay.get(document) === outcome) underWay.delete(document);
		});
	}
	return { earlier, settle };
}

/** If an earlier claim was accepted, that is the outcome for later claims too. */
async function either(
	before: Promise<AcceptedIn> | undefined,
	own: Promise<AcceptedIn>,
): Promise<AcceptedIn> {
	return (await before) ?? own;
}
