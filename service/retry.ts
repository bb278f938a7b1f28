import type { Answer, NoAnswer, Pause, Reply } from './http';
import {
	hasStatus,
	isAccepted,
	isSuccess,
	MAX_RETRY_AFTER_MILLISECONDS,
	retryAfterOf,
} from './http';

export type Cause =
	| 'connectionRefused'
	| 'proxyRefused'
	| 'lookupFailed'
	| 'unknownHost'
	| 'insecure'
	| 'unreadableFile'
	| 'notSent'
	| 'tooLarge'
	| 'stopped'
	| 'broken';

/** What a reply means, for its request and for others. */
export interface Effect {
	/** Whether the request may have started or changed something. It certainly has not if it was not sent, or was rejected. */
	mayHaveActed: boolean;
	/** Whether the same request may succeed later with the same settings. */
	mayPass: boolean;
	cause?: Cause;
	/** Whether the service is too busy for any request. */
	isBusy?: true;
	/** How often a create is sent. */
	maxTries?: number;
}

/** A certificate that is not trusted, or no TLS at all. */
const IN_HANDSHAKE =
	/^(?:EPROTO$|ERR_TLS_CERT_ALTNAME_INVALID$|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/;

export const NOT_READ = /^(?:ENOENT|EACCES|EPERM|EISDIR|EIO|EMFILE)$/;

/**
 * What replies mean for sending the same request again; `toleranceOf` of wait.ts says what they mean for a wait.
 * The first row that fits counts. How long to wait is the same for all: see `delayAfter`.
 */
const REPLIES: Array<{ is: (reply: Answer | NoAnswer) => boolean } & Effect> = [
	// No connection was made. EHOSTUNREACH is not here: it may also break an open connection.
	{ is: failedElsewhere, cause: 'proxyRefused', mayHaveActed: false, mayPass: true },
	{ is: code(/^ECONNREFUSED$/), cause: 'connectionRefused', mayHaveActed: false, mayPass: true },
	{ is: code(/^EAI_AGAIN$/), cause: 'lookupFailed', mayHaveActed: false, mayPass: true },
	{ is: code(/^ENOTFOUND$/), cause: 'unknownHost', mayHaveActed: false, mayPass: false },
	{ is: code(/^ERR_INVALID_URL$/), cause: 'broken', mayHaveActed: false, mayPass: false },
	// Nothing is sent before the handshake. The certificate will be the same.
	{ is: code(IN_HANDSHAKE), cause: 'insecure', mayHaveActed: false, mayPass: false },
	// Other errors of TLS may come after the handshake.
	{ is: code(/CERT|TLS|SSL/), cause: 'insecure', mayHaveActed: true, mayPass: true },
	// The request was aborted before its announced length, so the service did not accept it.
	{ is: code(NOT_READ), cause: 'unreadableFile', mayHaveActed: false, mayPass: false },
	{ is: code(/^NOT_SENT_IN_TIME$/), cause: 'notSent', mayHaveActed: false, mayPass: true },
	// The next answer would be too large again.
	{ is: code(/^ANSWER_TOO_LARGE$/), cause: 'tooLarge', mayHaveActed: true, mayPass: false },
	{ is: code(/^ERR_CANCELED$/), cause: 'stopped', mayHaveActed: true, mayPass: true },
	// The connection broke or timed out, and nobody knows whether the request had arrived.
	{ is: code(/^/), cause: 'broken', mayHaveActed: true, mayPass: true },
	// These redirects ask for the same POST at another address. Others may also be the answer to an accepted POST.
	{ is: status(307, 308), mayHaveActed: false, mayPass: false },
	// A proxy may give up while the service still works on the request.
	{ is: status(408), mayHaveActed: true, mayPass: true },
	// More tries than usual, because other work of the same client may keep the service busy for a while.
	{ is: status(429), isBusy: true, maxTries: 10, mayHaveActed: false, mayPass: true },
	// Rejected. A 401 was already sent again with a new token.
	{ is: status(400, 499), mayHaveActed: false, mayPass: false },
	// A service that says when to come back has not taken the request.
	{ is: busy, isBusy: true, mayHaveActed: false, mayPass: true },
	// The service failed at an unknown moment.
	{ is: status(500, Infinity), mayHaveActed: true, mayPass: true },
];

const MAX_TRIES = 5;

const FIRST_DELAY_MILLISECONDS = 1_000;
const LONGEST_DELAY_MILLISECONDS = 30_000;

/** Whether the host or port that was not reached is that of a proxy, because it is not the service's. */
function failedElsewhere(reply: Answer | NoAnswer) {
	if (reply.kind === 'answer' || !reply.baseUrl || reply.peer === undefined) return false;
	const { protocol, hostname, port } = new URL(reply.baseUrl);
	const ownPort = port || (protocol === 'https:' ? '443' : '80');
	return ![hostname, ownPort].includes(String(reply.peer));
}

function code(codes: RegExp) {
	return (reply: Answer | NoAnswer) => reply.kind === 'noAnswer' && codes.test(reply.code);
}

function status(from: number, to = from) {
	return (reply: Answer | NoAnswer) =>
		reply.kind === 'answer' && reply.status >= from && reply.status <= to;
}

function busy(reply: Answer | NoAnswer) {
	return hasStatus(reply, 503) && retryAfterOf(reply, 0) !== undefined;
}

export function effectOf(reply: Reply): Effect {
	if (reply.kind === 'noToken') return { mayHaveActed: false, mayPass: reply.passing };
	// Any other status, such as a success, is final.
	const effect = REPLIES.find(({ is }) => is(reply)) ?? { mayHaveActed: true, mayPass: false };
	const mayHaveActed = isAccepted(reply) || (effect.mayHaveActed && !reply.isIncomplete);
	return { ...effect, mayHaveActed };
}

/** How long all requests have to pause, in milliseconds; undefined when the service is not too busy. */
export function pauseForAll(reply: Reply, now: number): number | undefined {
	const asked = retryAfterOf(reply, now) ?? 0;
	return effectOf(reply).isBusy ? asked || FIRST_DELAY_MILLISECONDS : undefined;
}

/** How long to wait before a failed create is sent again, in milliseconds; undefined when it must not be sent again. */
export function delayBeforeSendingAgain(reply: Reply, tries: number, now: number) {
	const { mayHaveActed, mayPass, maxTries } = effectOf(reply);
	return mayPass && !mayHaveActed ? delayAfter(reply, tries, now, maxTries) : undefined;
}

/** The same for a failed check. A 2xx is repeated too: if it cannot be read, it may be cut. */
export function delayBeforeCheckingAgain(reply: Reply, tries: number, now: number) {
	return effectOf(reply).mayPass || isSuccess(reply) ? delayAfter(reply, tries, now) : undefined;
}

function delayAfter(reply: Reply, tries: number, now: number, maxTries = MAX_TRIES) {
	const doubled = Math.min(FIRST_DELAY_MILLISECONDS * 2 ** (tries - 1), LONGEST_DELAY_MILLISECONDS);
	const delay = (retryAfterOf(reply, now) ?? 0) || doubled;
	// The next try would be as slow.
	const isSlow = reply.kind === 'noToken' && reply.endpoint === 'late';
	const isLast = isSlow || tries >= maxTries || delay > MAX_RETRY_AFTER_MILLISECONDS;
	return isLast ? undefined : delay;
}

/** Sends, and sends again after the delay that the policy returns in milliseconds, until that is undefined. */
export async function retry<T>(
	send: () => Promise<T>,
	delayAfterReply: (reply: T, tries: number) => number | undefined,
	pause: Pause,
): Promise<T> {
	for (let tries = 1; ; tries++) {
		const reply = await send();
		const delay = delayAfterReply(reply, tries);
		if (delay === undefined) return reply;
		await pause(Math.max(0, delay));
	}
}
