import type { IDataObject } from 'n8n-workflow';

import { saidBy } from '../../../../service/errors';
import type { Refusal, Unknown } from '../../../../service/executions';
import { isAccepted, isSuccess } from '../../../../service/http';
import { plainText } from '../../../../service/text';
import type { Place } from '../../panel/options';
import type { Failure } from '../operation';
import { failed, refused } from '../operation';
import type { Create, LostResponse } from './journal';
import type { CreateLabel } from './submission';

const NO_ANSWER = { message: 'An earlier attempt for this item got no response', note: '' };

const CHECK_FIRST = 'check the dashboard of the service before you send these documents again';

const POSSIBLE_DUPLICATE =
	'The documents were sent again after a lost response. Check the dashboard of the service for a second execution';

/** The service said yes, but the identifier was not found in its answer. */
const NAMING =
	"If the answer has it under another name, enter that name in the credential as 'Field for Execution ID' under 'Advanced Settings'";

/** Why it is unknown whether a create has started an execution: the first reply that left it open, of any try. */
export function lostResponseOf(
	{ first, last }: Unknown,
	earlier: Create | undefined,
): LostResponse {
	const own = first && { message: first.words.message, note: noteOf(first) };
	return { cause: earlier?.cause ?? own ?? NO_ANSWER, isFinal: isAccepted(last.reply) };
}

/** What the service said. The advice for errors is to try again, which is wrong here. */
function noteOf({ words, reply }: Refusal): string {
	if (reply.kind === 'answer' && reply.status < 400)
		return isSuccess(reply) ? `${words.advice}. ${NAMING}` : words.advice;
	return saidBy(reply);
}

/** The failure of a create. It names what to search for in the dashboard. */
export function failedUnknown(
	place: Place,
	label: CreateLabel,
	{ possible, first, last }: Unknown,
	{ cause }: LostResponse,
	known: IDataObject,
): Failure {
	const lastAttempt = last === first ? '' : `Last attempt: ${last.words.message}`;
	const advice = adviceOn(label, possible, cause.note, lastAttempt);
	const words = { message: cause.message, advice };
	return refused(place, { words, reply: (first ?? last).reply }, { ...known, outcome: 'unknown' });
}

/** The failure of a create that an earlier try has sent, and that must not be sent again. */
export function notSentAgain(
	place: Place,
	label: CreateLabel,
	{ possible, cause = NO_ANSWER }: Create,
	known: IDataObject,
): Failure {
	const earlier = 'This happened in an earlier attempt. Nothing was sent again';
	const advice = adviceOn(label, possible, cause.note, earlier);
	return failed(place, cause.message, advice, { ...known, outcome: 'unknown' });
}

/** What the item says when a second execution may exist. An earlier n8n execution may have sent `maybeSent`. */
export function warningsOf(possible: number, maybeSent: string[]): IDataObject {
	if (possible > 0) return { sentAgain: possible, warning: POSSIBLE_DUPLICATE };
	if (maybeSent.length === 0) return {};
	const names = maybeSent.map((name) => plainText(name)).join(', ');
	return {
		sentAgain: 1,
		warning: `An earlier n8n execution may also have sent ${names}. Check the dashboard of the service for a second execution. The log of n8n has the ID of the earlier n8n execution`,
	};
}

function adviceOn(
	{ files, workflowId, externalId }: CreateLabel,
	possible: number,
	...more: string[]
): string {
	return [
		possible > 1
			? `${possible} executions may have been started: ${CHECK_FIRST}`
			: `It is unknown whether an execution was started: ${CHECK_FIRST}`,
		files && `Documents: ${files}`,
		`Workflow: ${plainText(workflowId)}`,
		externalId && `External ID: ${externalId}`,
		...more,
	]
		.filter(Boolean)
		.join('. ');
}
