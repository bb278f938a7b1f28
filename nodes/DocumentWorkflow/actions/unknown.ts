import type { IDataObject } from 'n8n-workflow';

import type { Refusal, Unknown } from '../../../service/executions';
import { isAccepted, isSuccess } from '../../../service/http';
import { plainText } from '../../../service/text';
import type { Place } from '../panel/options';
import { failed, refused } from './failures';
import type { Doubt, Known } from './journal';
import type { Failure } from './operation';
import type { Sending } from './sending';

/** What is known of a create of which no answer named an execution. */
export type KnownUnknown = Known & { kind: 'unknown' };

const NO_ANSWER = 'An earlier attempt for this item got no response';

const LOOK_FIRST = 'check the dashboard of the service before you send these documents again';

/** How many executions there may be, and what to do. */
export function adviceFor(possible: number): string {
	return possible > 1
		? `${possible} executions may have been started: ${LOOK_FIRST}`
		: `It is unknown whether an execution was started: ${LOOK_FIRST}`;
}

/** What the item says when a second execution may exist. `inDoubt`: documents that an earlier n8n execution may have sent. */
export function warningsOf(possible: number, inDoubt: string[]): IDataObject {
	if (possible > 0) return { sentAgain: possible, warning: POSSIBLE_DUPLICATE };
	if (inDoubt.length === 0) return {};
	const names = inDoubt.map((name) => plainText(name)).join(', ');
	return {
		sentAgain: 1,
		warning: `An earlier n8n execution may also have sent ${names}. Check the dashboard of the service for a second execution. The log of n8n has the ID of the earlier n8n execution`,
	};
}

const POSSIBLE_DUPLICATE =
	'The documents were sent again after a lost response. Check the dashboard of the service for a second execution';

/** Why the outcome is unknown: the first reply that left it open. */
export function doubtOf({ first, last }: Unknown, earlier: KnownUnknown | undefined): Doubt {
	const own = first && { message: first.words.message, note: noteOf(first) };
	const cause = earlier?.cause ?? own ?? { message: NO_ANSWER, note: '' };
	return { cause, isFinal: isAccepted(last.reply) };
}

/** The service said yes, but the identifier was not found in its answer. */
const NAMING =
	"If the answer has it under another name, enter that name in the credential as 'Field for Execution ID' under 'Advanced Settings'";

/** What the service said. The advice for errors is to try again, which is wrong here. */
function noteOf({ words, reply, said }: Refusal): string {
	if (reply.kind === 'answer' && reply.status < 400)
		return isSuccess(reply) ? `${words.advice}. ${NAMING}` : words.advice;
	return said === '' ? '' : `The service said: "${said}"`;
}

/** The failure of a create with an unknown outcome. It names what to search for in the dashboard. */
export function notKnown(
	place: Place,
	sending: Sending,
	{ possible, first, last }: Unknown,
	{ cause }: Doubt,
	known: IDataObject,
): Failure {
	const { reply } = first ?? last;
	const later = last === first ? '' : `Last attempt: ${last.words.message}`;
	const advice = sentences(adviceOn(sending, possible), cause.note, later);
	const words = { message: cause.message, advice };
	return refused(place, { words, reply }, { ...known, outcome: 'unknown' });
}

/** The failure of a create that an earlier try sent, and that must not be sent again. */
export function notSentAgain(
	place: Place,
	sending: Sending,
	{ possible, cause }: KnownUnknown,
	known: IDataObject,
): Failure {
	const message = cause?.message ?? NO_ANSWER;
	const advice = sentences(
		adviceOn(sending, possible),
		cause?.note ?? '',
		'This happened in an earlier attempt. Nothing was sent again',
	);
	return failed(place, message, advice, { ...known, outcome: 'unknown' });
}

function adviceOn({ files, workflowId, externalId }: Sending, possible: number): string {
	return sentences(
		adviceFor(possible),
		files === '' ? '' : `Documents: ${files}`,
		`Workflow: ${plainText(workflowId)}`,
		externalId === '' ? '' : `External ID: ${externalId}`,
	);
}

function sentences(...given: string[]): string {
	return given.filter((text) => text !== '').join('. ');
}
