import type { IDataObject } from 'n8n-workflow';

import { saidBy } from '../../../../service/errors';
import type { Refusal } from '../../../../service/executions';
import { isAccepted, isSuccess } from '../../../../service/http';
import { plainText } from '../../../../service/text';
import type { Place } from '../../panel/options';
import type { Failure } from '../operation';
import { failed, refused } from '../operation';
import type { Create, LostResponse } from './journal';
import type { CreateLabel } from './submission';

const NO_ANSWER = { message: 'An earlier attempt for this item got no response', note: '' };

/** The service said yes, but the identifier was not found in its answer. */
const NAMING =
	"If the answer has it under another name, enter that name in the credential as 'Field for Execution ID' under 'Advanced Settings'";

/** Why it is unknown whether a create has started an execution. */
export function lostResponseOf(refusal: Refusal): LostResponse {
	const cause = { message: refusal.words.message, note: noteOf(refusal) };
	return { cause, isAccepted: isAccepted(refusal.reply) };
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
	refusal: Refusal,
	known: IDataObject,
): Failure {
	const { message } = refusal.words;
	const words = { message, advice: adviceOn(label, noteOf(refusal)) };
	return refused(place, { words, reply: refusal.reply }, { ...known, outcome: 'unknown' });
}

/** The failure of a create that an earlier try has sent. */
export function notSentAgain(
	place: Place,
	label: CreateLabel,
	{ cause = NO_ANSWER }: Create,
	known: IDataObject,
): Failure {
	const earlier = 'This happened in an earlier attempt. Nothing was sent again';
	const advice = adviceOn(label, cause.note, earlier);
	return failed(place, cause.message, advice, { ...known, outcome: 'unknown' });
}

/** What the item says when an earlier n8n execution may have sent some of its documents. */
export function warningOf(maybeSent: string[]): IDataObject {
	if (maybeSent.length === 0) return {};
	const names = maybeSent.map((name) => plainText(name)).join(', ');
	return {
		sentAgain: true,
		warning: `An earlier n8n execution may also have sent ${names}. Check the dashboard of the service for a second execution. The log of n8n has the ID of the earlier n8n execution`,
	};
}

function adviceOn({ files, workflowId, externalId }: CreateLabel, ...more: string[]): string {
	return [
		'It is unknown whether an execution was started: check the dashboard of the service before you send these documents again',
		files && `Documents: ${files}`,
		`Workflow: ${plainText(workflowId)}`,
		externalId && `External ID: ${externalId}`,
		...more,
	]
		.filter(Boolean)
		.join('. ');
}
