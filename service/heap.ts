/** A binary heap: of all that is in it, what comes first is had at once. */
export class Heap<T> {
	private readonly list: T[] = [];

	constructor(private readonly isBefore: (a: T, b: T) => boolean) {}

	get first(): T | undefined {
		return this.list[0];
	}

	push(item: T): void {
		let place = this.list.push(item) - 1;
		while (place > 0) {
			const above = (place - 1) >> 1;
			if (!this.swapIfBefore(place, above)) return;
			place = above;
		}
	}

	/** Takes out what comes first. */
	pop(): T | undefined {
		const first = this.list[0];
		const last = this.list.pop();
		if (last === undefined || this.list.length === 0) return first;
		this.list[0] = last;
		for (let place = 0; ;) {
			const left = 2 * place + 1;
			const below = this.comesBefore(left + 1, left) ? left + 1 : left;
			if (!this.swapIfBefore(below, place)) return first;
			place = below;
		}
	}

	private comesBefore(a: number, b: number): boolean {
		const [itemA, itemB] = [this.list[a], this.list[b]];
		return itemA !== undefined && itemB !== undefined && this.isBefore(itemA, itemB);
	}

	private swapIfBefore(a: number, b: number): boolean {
		const [itemA, itemB] = [this.list[a], this.list[b]];
		if (itemA === undefined || itemB === undefined || !this.isBefore(itemA, itemB)) return false;
		this.list[a] = itemB;
		this.list[b] = itemA;
		return true;
	}
}
