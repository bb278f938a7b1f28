/** What an item says of an execution and its documents in addition to the extracted data, and how that becomes JSON. */
import type { IDataObject } from 'n8n-workflow';

import type { Execution, Json, StartedExecution } from '../../service/contract';

/**
 * The technical fields of an item. Each is missing where it does not apply. All of them are in items and in the
 * `executionDetails` of rows; an error has what was known when it came. n8n stores them with a pause.
 */
export interface About extends Partial<StartedExecution> {
	/** The user's own identifier. */
	externalId?: Json;
	/** What was sent. */
	documents?: DocumentInAbout[];
	skipped?: SkippedFile[];
	/** The names of the documents of a create that failed. */
	fileName?: string;
	/** Nobody knows whether the create started an execution. */
	outcome?: 'unknown';
	/** An earlier n8n execution may have sent some of the documents. */
	sentAgain?: true;
	warning?: string;
	/** The executions that a failed run has started. */
	startedExecutionIds?: string[];
	watchedSeconds?: number;
	checks?: number;
	held?: boolean;
	timedOut?: boolean;
	/** What went wrong, and what to do. They become part of `toReview`. */
	message?: string;
	description?: string;
	/** What to do where the item has no result yet. */
	advice?: string;
	failureReason?: string;
	dataNotRead?: string;
	needsReview?: boolean;
}

/** A document that was sent, as a file or as an address. */
export interface DocumentInAbout {
	fileName?: string;
	mediaType?: string;
	bytes?: number;
	/** Of the sent bytes, in hexadecimal digits. */
	sha256?: string | null;
	itemIndex?: number;
	fieldName?: string;
	encrypted?: boolean;
	address?: string;
}

/** Why a file is not sent. `detail`: what its sentence ends with. */
export interface Skip {
	reason: keyof typeof REASONS;
	detail?: string;
}

export interface SkippedFile extends Skip {
	itemIndex: number;
	fieldName: string;
	fileName: string;
}

interface Reason {
	/** The sentence, or its beginning; missing where `detail` is the sentence. */
	text?: string;
	/** It may have documents in it, so that a person has to look at it. */
	unusable?: true;
	/** The service has it. */
	wasSent?: true;
	/** Its result may be missing, so that a person has to look. */
	mayLackResult?: true;
}

const NO_RESULT = 'sent before, no result yet: another run may still wait for it, or was stopped';
const IN_RETRY =
	'sent before, and this is a retry: its result may have been lost with the run before';

const REASONS = {
	calendar: { text: 'it is a calendar entry' },
	contact: { text: 'it is a contact' },
	deliveryReport: { text: 'it is a delivery report' },
	duplicate: { text: 'it is a duplicate of' },
	empty: { text: 'it is empty', unusable: true },
	inlineImage: { text: 'it is an inline image of the mail' },
	misnamed: { unusable: true },
	otherName: { text: 'its name does not match' },
	outlook: {
		text: 'Outlook has wrapped its attachments in it: ask the sender for the files themselves',
		unusable: true,
	},
	protectedMail: {
		text: 'it is an encrypted or signed mail, which may have attachments',
		unusable: true,
	},
	sentBefore: { text: 'it was sent before', wasSent: true },
	sentBeforeRetry: { text: IN_RETRY, wasSent: true, mayLackResult: true },
	sentInThisRun: { text: 'it was sent with another item in this run', wasSent: true },
	sentWithoutResult: { text: NO_RESULT, wasSent: true, mayLackResult: true },
	signature: { text: 'it is the signature of the mail' },
} satisfies Record<string, Reason>;

export function ruleOf({ reason }: Skip): Reason {
	return REASONS[reason];
}

export function describeSkip(skip: Skip): string {
	return [ruleOf(skip).text, skip.detail].filter(Boolean).join(' ');
}

/** Whether the data may lack what is in a skipped file. */
export function isMissingInData(skip: Skip): boolean {
	const { unusable = false, mayLackResult = false } = ruleOf(skip);
	return unusable || mayLackResult;
}

/** Only this function makes JSON of it. */
export function toJson(about: About): IDataObject {
	if (about.skipped === undefined) return { ...about };
	const skipped = about.skipped.map((file) => {
		const { itemIndex, fieldName, fileName } = file;
		const { unusable } = ruleOf(file);
		const reason = describeSkip(file);
		return { itemIndex, fieldName, fileName, reason, ...(unusable && { unusable }) };
	});
	return { ...about, skipped };
}

/** The IDs and the status of an execution, which are all that is known of it when it has just been started. */
export function idsOf(execution: Partial<StartedExecution>): About {
	const { workflowId, executionId, status, executionUrl } = execution;
	return withoutUndefined({ executionId, status, workflowId, executionUrl });
}

/** Tells an execution from others. */
export function executionKey({ workflowId, executionId }: Partial<StartedExecution>): string {
	return JSON.stringify([workflowId, executionId]);
}

/** What the answer of the service says of an execution as a whole. */
export function outcomeOf(
	{ status, failureReason, externalId }: Execution,
	dataNotRead: string | undefined,
): About {
	return withoutUndefined({ status, failureReason, dataNotRead, externalId });
}

/** A field that is not known is missing. */
export function withoutUndefined(about: { [Name in keyof About]: About[Name] | undefined }): About {
	return Object.fromEntries(Object.entries(about).filter(([, value]) => value !== undefined));
}
