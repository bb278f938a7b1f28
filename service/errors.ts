import { isRecord } from './contract';
import type { Answer, NoAnswer, Reply } from './http';
import { TOO_LARGE } from './http';
import { NOT_SENT_IN_TIME } from './pace';
import { isTooDeep } from './reading';
import { readErrorBody } from './reason';
import { isUnreadableFile } from './retry';
import { excerptOf, plainText } from './text';

/** An error message for the user of the node: what happened, and what to do. */
export interface Words {
	message: string;
	advice: string;
}

/** How the documents of a create are handed over: as files, as addresses, or there are none. */
export type Documents = 'files' | 'urls' | 'none';

/** What a request was about. */
export interface Subject {
	workflowId: string;
	/** Empty for a create. */
	executionId: string;
	/** What a create hands over. */
	documents?: Documents;
}

/** Longer lists of field names are cut. */
const MAX_NAMES = 20;

const TLS_CODE = /CERT|SELF_SIGNED|TLS|SSL|EPROTO|LEAF_SIGNATURE/;

/** Whether a Node error code means that the TLS handshake failed. */
function isTlsCode(code: string): boolean {
	return TLS_CODE.test(code);
}

/** The error message for a reply that is not a success (statuses: specification, published). */
export function wordsFor(reply: Reply, subject: Subject): Words {
	if (reply.kind === 'noToken') return { message: reply.message, advice: reply.advice };
	if (reply.kind === 'noAnswer') return wordsForSilence(reply);
	const { message, advice } = wordsForStatus(reply, subject);
	const said = readErrorBody(reply.body, reply.secrets);
	return words(message, said === '' ? advice : `${advice}. The service said: "${said}"`);
}

function words(message: string, advice: string): Words {
	return { message, advice };
}

function wordsForStatus(
	{ status, headers }: Answer,
	{ workflowId, executionId, documents = 'none' }: Subject,
): Words {
	const isCreate = executionId === '';
	if (status === 401)
		return words(
			'The service rejected the access token, also after it was renewed',
			'Check Client ID and Client Secret in the credential. The workflow must belong to the same environment',
		);
	if (status === 403)
		return words(
			`The credential has no access to workflow "${workflowId}"`,
			'Ask the service operator to give your Client ID access to it',
		);
	if (status === 404)
		return isCreate
			? words(
					`The workflow "${workflowId}" was not found`,
					"Compare 'Workflow' with the dashboard of the service, and check the environment in the credential. The workflow may be deleted or renamed, or belong to another account",
				)
			: words(
					`Workflow "${workflowId}" has no execution "${executionId}"`,
					'Check both IDs: an execution is only found under its own workflow. The workflow may also be deleted or renamed, or belong to another account or environment',
				);
	if (isCreate && status === 413)
		return words(
			'The documents are too large for the service',
			'Send fewer or smaller documents in one execution',
		);
	if (isCreate && [400, 415, 422].includes(status))
		return words(`The workflow rejected the request (status ${status})`, CURES[documents]);
	if (status === 400 || status === 422)
		return words(
			`The service rejected the IDs (status ${status})`,
			`Check Workflow "${workflowId}" and Execution ID "${executionId}": one of them does not have the format of the service`,
		);
	if (status === 429)
		return words(
			'The service is too busy (status 429)',
			"Try again later, or reduce 'Maximum in Parallel' under 'Sending Options'",
		);
	if (status >= 300 && status < 400)
		return words(
			`The service redirects to another URL (status ${status})`,
			`Check the Base URL in the credential${headers.location === undefined ? '' : '. Redirects are not followed, because the token is only for this host'}`,
		);
	return words(
		`The service answered with status ${status}`,
		status >= 500
			? 'Try again later'
			: 'Check the Base URL in the credential and the parameters of this node',
	);
}

/** What to change when a create is rejected. Each workflow is configured to take its files in one way only (published). */
const CURES: Record<Documents, string> = {
	files:
		"It may expect file URLs: then choose 'Files From URLs' under 'Documents'. Otherwise compare the documents and text inputs with the configuration of the workflow",
	urls: "It may expect files: then choose 'Files From Input' under 'Documents'. Otherwise compare the URLs, the text inputs and 'File Access Fields (JSON)' in the credential with the configuration of the workflow",
	none: "It may expect documents: then choose another source under 'Documents'. Otherwise compare the text inputs with the configuration of the workflow",
};

/** The error message for a request without an answer. */
export function wordsForSilence({ code }: NoAnswer, host?: string): Words {
	const suffix = code === '' ? '' : ` (${code})`;
	if (code === 'ERR_CANCELED')
		return words('The n8n execution was stopped during a request', 'Nothing more is sent');
	if (code === NOT_SENT_IN_TIME.code)
		return words(
			'The check could not be sent in time, because the service was silent or too busy',
			'Try again later',
		);
	if (code === TOO_LARGE)
		return words(
			`The answer of ${host ?? 'the service'} is too large`,
			'Check the Base URL in the credential. The node reads results of up to 100 MB, and other answers of up to 1 MB',
		);
	if (isUnreadableFile(code))
		return words(
			`n8n could not read the document while it was sent${suffix}`,
			'Check the binary data storage of your n8n server, then run the n8n workflow again',
		);
	if (code === 'ENOTFOUND')
		return words(
			`The host ${host ?? 'of the service'} was not found${suffix}`,
			'Check the Base URL in the credential for typos',
		);
	if (code === 'EAI_AGAIN')
		return words(
			`The host name ${host ?? 'of the service'} could not be looked up${suffix}`,
			'Check the network of your n8n server and the Base URL in the credential',
		);
	if (code === 'ECONNREFUSED')
		return words(
			`Nothing answers at ${host ?? 'the address of the service'}${suffix}`,
			'Check the Base URL in the credential, its port, and whether the service is running',
		);
	if (isTlsCode(code))
		return words(
			`No secure connection to ${host ?? 'the service'} could be made${suffix}`,
			'The Base URL must have the host name of the certificate, and your n8n server must trust its issuer (for your own certificate authority, set NODE_EXTRA_CA_CERTS)',
		);
	return words(
		`The connection to ${host ?? 'the service'} broke or timed out${suffix}`,
		'Check the network of your n8n server, then try again',
	);
}

/** The error message for a 2xx answer that lacks a required field: the fields that are there, and how it begins. */
export function wordsForUnreadable({ body, secrets }: Answer, expected: string): Words {
	return {
		message: `The answer of the service has no ${expected}; ${whatCame(body, secrets)}`,
		advice: 'Check the Base URL in the credential: a proxy or another service may have answered',
	};
}

function whatCame(body: unknown, secrets?: readonly string[]): string {
	if (isTooDeep(body)) return 'it is nested too deeply to be read';
	const isText = typeof body === 'string' && body.trim() !== '';
	const names = isRecord(body) ? Object.keys(body).slice(0, MAX_NAMES) : [];
	const found =
		typeof body === 'object' && body !== null
			? `its fields are: ${plainText(names.join(', '), secrets) || 'none'}`
			: `it is ${isText ? 'text instead of JSON' : 'empty'}`;
	return isText || names.length > 0 ? `${found}. It is: ${excerptOf(body, secrets)}` : found;
}

/** The error message for an answer with the IDs of another execution than the requested one. */
export function wordsForAnother(asked: Subject, given: Subject): Words {
	return {
		message: `The service returned another execution: "${given.executionId}" of workflow "${given.workflowId}", and not "${asked.executionId}" of workflow "${asked.workflowId}"`,
		advice:
			'Its data is not returned, because it may belong to another case. Enter the IDs exactly as the service shows them, not a name of the workflow. If they are correct, report this to the service operator',
	};
}
