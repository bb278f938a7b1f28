import { isRecord } from './contract';
import type { Answer, NoAnswer, Reply } from './http';
import { TOO_LARGE } from './http';
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
			'The service does not accept the access token, even after it was renewed',
			'Check Client ID and Client Secret in the credential, and that the workflow belongs to the same environment',
		);
	if (status === 403)
		return words(
			`This client may not use workflow "${workflowId}"`,
			'Ask the service operator to allow it for your Client ID',
		);
	if (status === 404)
		return isCreate
			? words(
					`The workflow "${workflowId}" was not found`,
					'It was deleted or renamed, or belongs to another account or environment. Check the Workflow parameter against the dashboard of the service, and the environment in the credential',
				)
			: words(
					`Workflow "${workflowId}" has no execution "${executionId}"`,
					'Check both IDs: an execution is only found under the workflow that it was created in. Or the workflow was deleted or renamed, or belongs to another account or environment',
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
			`The service did not accept the IDs (status ${status})`,
			`Check Workflow "${workflowId}" and Execution ID "${executionId}": one of them has not the form of an ID of this service`,
		);
	if (status === 429)
		return words(
			'The service receives too many requests',
			'Try again later, or send fewer documents at once',
		);
	if (status >= 300 && status < 400)
		return words(
			`The service redirects to another address (status ${status})`,
			`Check the base URL in the credential${headers.location === undefined ? '' : '; redirects are not followed, because the token stays with its own host'}`,
		);
	return words(
		`The service answered with status ${status}`,
		status >= 500 ? 'Try again later' : 'Check the base URL and the parameters of this node',
	);
}

/** What to change when a create is rejected. Each workflow is configured to take its files in one way only (published). */
const CURES: Record<Documents, string> = {
	files:
		"The workflow may be configured for file URLs: then choose 'Files From URLs' under Documents. Otherwise check the documents and text inputs against its configuration",
	urls: "The workflow may be configured for files: then choose 'Files From Input' under Documents. Otherwise check the URLs, the text inputs and the credential's 'File Access Fields (JSON)' against its configuration",
	none: 'The workflow may be configured for documents: then choose where they are under Documents. Otherwise check the text inputs against its configuration',
};

/** The error message for a request without an answer. */
export function wordsForSilence({ code }: NoAnswer, host?: string): Words {
	const suffix = code === '' ? '' : ` (${code})`;
	if (code === 'ERR_CANCELED')
		return words(
			'The n8n execution was stopped while the service was asked',
			'Nothing more is sent',
		);
	if (code === TOO_LARGE)
		return words(
			`The answer of ${host ?? 'the service'} is too large`,
			'Check the base URL in the credential. The node reads up to 100 MB of a result, and 1 MB of other answers',
		);
	if (isUnreadableFile(code))
		return words(
			`n8n could not read the document while it was sent${suffix}`,
			'Check the storage of binary data of your n8n server, and run the workflow again',
		);
	if (code === 'ENOTFOUND')
		return words(
			`The host ${host ?? 'of the service'} was not found${suffix}`,
			'Check the base URL in the credential for a typing slip',
		);
	if (code === 'EAI_AGAIN')
		return words(
			`The host name ${host ?? 'of the service'} could not be looked up${suffix}`,
			'Check the network of your n8n server and the base URL in the credential',
		);
	if (code === 'ECONNREFUSED')
		return words(
			`Nothing answers at ${host ?? 'the address of the service'}${suffix}`,
			'Check the base URL in the credential and its port, and that the service is up',
		);
	if (isTlsCode(code))
		return words(
			`No secure connection to ${host ?? 'the service'} could be made${suffix}`,
			'Check that the base URL names the host of the certificate, and that your n8n server trusts the authority that issued it (for an authority of your own: NODE_EXTRA_CA_CERTS)',
		);
	return words(
		`The connection to ${host ?? 'the service'} broke or timed out${suffix}`,
		'Check the network of your n8n server, and try again later',
	);
}

/** The error message for a 2xx answer that lacks a required field: the fields that are there, and how it begins. */
export function wordsForUnreadable({ body, secrets }: Answer, expected: string): Words {
	return {
		message: `The answer of the service has no ${expected}; ${whatCame(body, secrets)}`,
		advice: 'Check the base URL in the credential: a proxy or another service may have answered',
	};
}

function whatCame(body: unknown, secrets?: readonly string[]): string {
	if (isTooDeep(body)) return 'it is nested too deep to be read';
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
		message: `The answer of the service is about another execution: "${given.executionId}" of workflow "${given.workflowId}", and not "${asked.executionId}" of workflow "${asked.workflowId}"`,
		advice:
			'Its data is not returned, because it may belong to another case. Enter the IDs as the service writes them, not a name or an alias of the workflow. If they are right, report this to the service operator',
	};
}
