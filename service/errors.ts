import type { ExecutionIds } from './contract';
import { isEmpty, isRecord, isTooDeep } from './json';
import { type Answer, type Fault, hasStatus, isSuccess, type NoAnswer, type Reply } from './http';
import { readErrorBody } from './reason';
import { type Cause, effectOf } from './retry';
import { excerptOf, plainText, withoutBegunSecret } from './text';

/** Of an answer that broke off, in characters. */
const MAX_BEGINNING = 300;

/** How the documents of a create are handed over: as files, as addresses, or there are none. */
export type Documents = 'files' | 'urls' | 'none';

/** What a request was about. */
export type Subject =
	{ kind: 'create'; workflowId: string; documents: Documents } | ({ kind: 'check' } & ExecutionIds);

/** The error message for a reply that is not what was requested (statuses: specification, published). */
export function describeReply(reply: Reply, subject: Subject): Fault {
	if (isSuccess(reply)) return describeUnreadable(reply, EXPECTED[subject.kind]);
	if (reply.kind === 'noToken') return fault(reply.message, reply.advice);
	// What to do after a create with an unknown outcome depends on the settings of the node, so the node says it.
	if (reply.kind === 'noAnswer') {
		const { message, advice } = describeSilence(reply);
		return fault(message + (subject.kind === 'create' ? beginningOf(reply) : ''), advice);
	}
	return withReason(describeStatus(reply, subject), reply);
}

/** What is missing in an answer whose status was a success. */
const EXPECTED = { create: 'identifier of the execution', check: 'status' };

/** With the reason in the answer, if it gives one. */
export function withReason({ message, advice }: Fault, reply: Answer): Fault {
	return fault(message, [advice, saidBy(reply)].filter(Boolean).join('. '));
}

/** The reason in an answer of the service, quoted; empty where it gives none. */
export function saidBy(reply: Reply): string {
	const said = reply.kind === 'answer' ? readErrorBody(reply.body, reply.secrets) : '';
	return said && `${senderOf(reply)} said: "${said}"`;
}

/** A proxy that does not reach the service answers itself, often with a page. */
export function senderOf(reply: Reply): string {
	if (hasStatus(reply, 407)) return 'The proxy';
	const isText = reply.kind === 'answer' && typeof reply.body === 'string';
	return isText ? 'The service, or a proxy before it,' : 'The service';
}

/** How an answer that broke off begins: it may name what the create has started. Empty where nothing arrived. */
function beginningOf({ received = '', secrets = [] }: NoAnswer): string {
	const shown = plainText(withoutBegunSecret(received, secrets), secrets, MAX_BEGINNING);
	return shown && `. Its answer begins: "${shown}"`;
}

export function fault(message: string, advice: string): Fault {
	return { message, advice };
}

/** Of every request, also that of a token (`tokenWords.ts`). */
export const STATUSES: Record<number, Fault> = {
	401: fault(
		'The service rejected the access token, also after it was renewed',
		'Check Client ID and Client Secret in the credential. The workflow must belong to the same environment',
	),
	402: fault(
		'The service asks for a payment (status 402)',
		'Ask the service operator: your account may have no credit left',
	),
	407: fault(
		'The proxy of your n8n server rejected the request (status 407)',
		'Nothing was sent to the service. Ask your IT to enter user name and password of the proxy in HTTPS_PROXY of your n8n server, as http://user:password@host:port, and to restart n8n',
	),
	429: fault(
		'The service is too busy (status 429)',
		'Try again later. If many documents are sent at once, send fewer at a time',
	),
};

function describeStatus(reply: Answer, subject: Subject): Fault {
	const { status } = reply;
	if (status >= 300 && status < 400)
		return fault(
			`The service redirects to another URL (status ${status})`,
			'Check the Base URL in the credential. Redirects are not followed, because the token is only for this host',
		);
	const byStatus: Record<number, Fault> = {
		...STATUSES,
		403: fault(
			`The credential has no access to workflow "${subject.workflowId}"`,
			'Ask the service operator to give your Client ID access to it',
		),
		...(subject.kind === 'create' ? rejectedCreate(status, subject) : rejectedIds(status, subject)),
	};
	const otherwise = effectOf(reply).mayPass
		? 'Try again later'
		: 'Check the Base URL in the credential and the parameters of this node';
	return byStatus[status] ?? fault(`${senderOf(reply)} answered with status ${status}`, otherwise);
}

function rejectedCreate(status: number, { workflowId, documents }: Subject & { kind: 'create' }) {
	const other = fault(`The workflow rejected the request (status ${status})`, CURES[documents]);
	return {
		400: other,
		415: other,
		422: other,
		404: fault(
			`The workflow "${workflowId}" was not found`,
			"Compare 'Workflow' with the dashboard of the service, and check the environment in the credential. The workflow may be deleted or renamed, or belong to another account",
		),
		413: fault(
			'The documents are too large for the service',
			'Send fewer or smaller documents in one execution',
		),
	};
}

/** What to change when a create is rejected. Each workflow takes its files in one way only (published). */
const CURES: Record<Documents, string> = {
	files:
		"It may expect file URLs: then choose 'Files From URLs' under 'Documents'. Otherwise compare the documents and text inputs with the configuration of the workflow",
	urls: "It may expect files: then choose another source under 'Documents'. Otherwise compare the URLs, the text inputs and 'File Access Fields (JSON)' in the credential with the configuration of the workflow",
	none: "It may expect documents: then choose another source under 'Documents'. Otherwise compare the text inputs with the configuration of the workflow",
};

function rejectedIds(status: number, { workflowId, executionId }: ExecutionIds) {
	const other = fault(
		`The service rejected the IDs (status ${status})`,
		`Check Workflow "${workflowId}" and Execution ID "${executionId}": one of them does not have the format of the service`,
	);
	return {
		400: other,
		422: other,
		404: fault(
			`Workflow "${workflowId}" has no execution "${executionId}"`,
			'Check both IDs: an execution is only found under its own workflow. The workflow may also be deleted or renamed, or belong to another account or environment',
		),
	};
}

export const CHECK_STORAGE =
	'Check the binary data storage of your n8n server, then run the n8n workflow again. n8n 1, and n8n 2 before 2.23, can lose files of webhooks and forms that arrive at the same time';

const TRUST =
	'If you trust it, ask your IT to enter the path of its file (PEM) in NODE_EXTRA_CA_CERTS of your n8n server, and to restart n8n';

const HANDSHAKE_FAULTS: Array<[codes: RegExp, advice: string]> = [
	[/^CERT_HAS_EXPIRED/, 'The certificate has expired. Ask the service operator to renew it'],
	[/^CERT_NOT_YET/, 'The certificate is not valid yet. Check the clock of your n8n server'],
	[
		/ALTNAME/,
		'The certificate is for another host. Check the Base URL in the credential. If it is right, ask the service operator',
	],
	[
		/^DEPTH_ZERO/,
		`The certificate is self-signed. Ask the service operator for its file. ${TRUST}`,
	],
	[
		/^SELF_SIGNED|^UNABLE_TO/,
		`n8n does not know the issuer of the certificate. Ask the service operator to send all certificates. If a proxy of your company replaces them, ask your IT for the certificate of the issuer. ${TRUST}`,
	],
	[/CERTIFICATE_REQ/, 'Ask the service operator for access without a client certificate'],
	[
		/EPROTO/,
		'Check the Base URL in the credential and its port: the server may not use HTTPS there',
	],
	[/^/, 'Check the Base URL in the credential and its port, or ask the service operator'],
];

export function describeSilence(silence: NoAnswer): Fault {
	const { peer } = silence;
	const host = silence.baseUrl ? new URL(silence.baseUrl).host : 'the service';
	const { cause = 'broken', mayHaveActed } = effectOf(silence);
	const unsent = mayHaveActed ? '' : 'Nothing was sent. ';
	const code = silence.code === '' ? '' : ` (${silence.code})`;
	const byCause: Record<Cause, Fault> = {
		stopped: fault('The n8n execution was stopped during a request', 'Nothing more is sent'),
		notSent: fault(
			'The request could not be sent in time, because the service was silent or too busy',
			'Try again later',
		),
		tooLarge: fault(
			`The answer of ${host} is too large`,
			'Check the Base URL in the credential. The node reads results of up to 100 MB and 500,000 values, and other answers of up to 1 MB',
		),
		unreadableFile: fault(
			`n8n could not read the document while it was sent${code}`,
			CHECK_STORAGE,
		),
		unknownHost: fault(
			`The host ${host} was not found${code}`,
			'Check the Base URL in the credential for typos. If it is right, check the network of your n8n server',
		),
		lookupFailed: fault(
			`The host name ${host} could not be looked up${code}`,
			'Check the network of your n8n server and the Base URL in the credential',
		),
		connectionRefused: fault(
			`Nothing answers at ${host}${code}`,
			'Nothing was sent. When the service answers again, choose Retry under Executions. If it stays silent, ask the service operator. If it has never answered, check the Base URL in the credential and its port',
		),
		proxyRefused: fault(
			`The proxy of your n8n server${typeof peer === 'number' ? ` does not answer at its port ${peer}` : `, ${peer}, was not found`}${code}`,
			`Nothing was sent to ${host}. Ask your IT to start the proxy, or to correct HTTPS_PROXY of your n8n server and restart n8n. Then choose Retry under Executions`,
		),
		insecure: fault(
			`No secure connection to ${host} could be made${code}`,
			unsent + HANDSHAKE_FAULTS.find(([codes]) => codes.test(silence.code))?.[1],
		),
		broken: fault(
			`The connection to ${host} broke or timed out${code}`,
			'Check the network of your n8n server, then try again',
		),
	};
	return byCause[cause];
}

/** The error message for a 2xx answer that lacks a required field: the fields that are there, and how it begins. */
export function describeUnreadable({ body, secrets }: Answer, expected: string): Fault {
	return fault(
		`The answer of the service cannot be read: it has no ${expected}; ${whatCame(body, secrets)}`,
		'Check the Base URL in the credential: a proxy or another service may have answered. If your service did, report the fields of its answer to the maintainers of this package',
	);
}

function whatCame(body: unknown, secrets?: readonly string[]): string {
	if (isTooDeep(body)) return 'it is nested too deeply to be read';
	if (isEmpty(body)) return 'it is empty';
	const shown = `It is: ${excerptOf(body, secrets)}`;
	if (!isRecord(body)) return `it is no JSON object. ${shown}`;
	const names = Object.keys(body).slice(0, 20).join(', ');
	return `its fields are: ${plainText(names, secrets)}. ${shown}`;
}

/** The error message for an answer with the IDs of another execution than the requested one. */
export function describeAnother(asked: ExecutionIds, given: ExecutionIds): Fault {
	return fault(
		`The service returned another execution: "${given.executionId}" of workflow "${given.workflowId}", and not "${asked.executionId}" of workflow "${asked.workflowId}"`,
		'Its data is not returned, because it may belong to another case. Enter the IDs exactly as the service shows them, not a name of the workflow. If they are correct, report this to the service operator',
	);
}
