/** Everything that was started, to be ended in reverse order. */
export class Started {
	private readonly endings: Array<() => Promise<void>> = [];

	add(ending: () => Promise<void>): void {
		this.endings.unshift(ending);
	}

	async end(): Promise<void> {
		for (const ending of this.endings.splice(0)) await ending();
	}
}

const SIGNALS = [
	['SIGHUP', 1],
	['SIGINT', 2],
	['SIGTERM', 15],
] as const;

/**
 * Resolves with the number of the signal that ends the command. When npm gets SIGTERM it ends its shell without passing the signal on,
 * so a missing parent counts as SIGTERM when npm started the command.
 */
export async function interruption(): Promise<{ by: number }> {
	return new Promise((resolve) => {
		for (const [signal, number] of SIGNALS) process.once(signal, () => resolve({ by: number }));
		if (process.env.npm_lifecycle_event === undefined) return;
		const parent = process.ppid;
		setInterval(() => process.ppid !== parent && resolve({ by: 15 }), 500).unref();
	});
}
