/** A signal that aborts when n8n's Stop does, or a time after `begin`. */
export class Deadline {
	private readonly controller = new AbortController();

	readonly signal: AbortSignal = this.controller.signal;

	private late: AbortSignal | undefined;

	constructor(private readonly stopped: AbortSignal | undefined) {
		stopped?.addEventListener('abort', this.end);
		if (stopped?.aborted === true) this.end();
	}

	/** Begins the time, instead of one that has begun before. */
	begin(milliseconds: number): void {
		this.suspend();
		this.late = AbortSignal.timeout(Math.ceil(milliseconds));
		this.late.addEventListener('abort', this.end);
	}

	suspend(): void {
		this.late?.removeEventListener('abort', this.end);
	}

	/** Without this n8n's signal would keep it until the n8n execution ends. */
	close(): void {
		this.suspend();
		this.stopped?.removeEventListener('abort', this.end);
	}

	private readonly end = (): void => this.controller.abort();
}
