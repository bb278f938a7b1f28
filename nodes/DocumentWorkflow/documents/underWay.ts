/** The run of a node in which the service accepted a document; undefined where it did not. */
export type AcceptedIn = symbol | undefined;

/**
 * What becomes of the documents that are under way in this process, with whatever n8n execution. Who claims a document waits only for
 * those who claimed it earlier: no two can wait for each other.
 */
const underWay = new Map<string, Promise<AcceptedIn>>();

export interface Claim {
	/** What becomes of those documents that others have claimed earlier. */
	earlier: ReadonlyMap<string, Promise<AcceptedIn>>;
	/** Must be called, whatever happens. */
	settle: (acceptedIn: AcceptedIn) => void;
}

/** Claims documents, all at once. A document is let go when the claim and all earlier ones are settled. */
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

/** Who left a document out, because an earlier one had it accepted, leaves nothing to a later one. */
async function either(
	before: Promise<AcceptedIn> | undefined,
	own: Promise<AcceptedIn>,
): Promise<AcceptedIn> {
	return (await before) ?? own;
}
