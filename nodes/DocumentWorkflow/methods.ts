/** What the panel asks: the credential tests and the list of workflows. */
import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	ILoadOptionsFunctions,
	INodeCredentialTestResult,
	INodeListSearchResult,
} from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { readLink, readFileAccess, readSettings } from '../../credentials/settings';
import type { Fault } from '../../service/http';
import { exchangeToken, postInTime } from '../../service/token';
import { readWorkflowNames } from '../../credentials/workflowNames';
import { withoutTags } from '../../service/text';
import { CREDENTIAL_NAME } from './connection/transmit';
import { bodyFault, NO_CONTENT } from './documents/body';
import { isForTrigger, readAuthentication } from '../../credentials/webhook/methods';

/** Only creates with file URLs use the file access fields. */
const ANY_URL = ['https://files.example.com'];

/** Tests the connection, and the settings for incoming calls if a trigger uses them. */
export async function testCredential(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const connection = await testConnection(this, data);
	if (!isForTrigger(data)) return connection;
	const calls = testCalls(data);
	return {
		status: connection.status === 'OK' ? calls.status : 'Error',
		message: `Connection: ${connection.message}. Trigger Authentication: ${calls.message}`,
	};
}

/** Tests ID and secret with an exchange, and then what else was entered. n8n's own credential test would use the stored token. */
async function testConnection(
	{ helpers }: ICredentialTestFunctions,
	data: ICredentialDataDecryptedObject,
): Promise<INodeCredentialTestResult> {
	const read = readSettings(data);
	if (!read.ok) return failure(read);
	const exchange = await exchangeToken(
		postInTime(async (request, late) => {
			const response = (await helpers.request({
				...request,
				method: 'POST',
				json: true,
				useStream: true,
				simple: false,
				resolveWithFullResponse: true,
				followRedirect: false,
			})) as { body: { destroy: () => void } };
			// This helper of n8n takes no signal.
			late.addEventListener('abort', () => response.body.destroy());
			return response;
		}),
		read.settings,
		Date.now,
	);
	if (!exchange.ok) return failure(exchange.refusal);
	const fault =
		[readWorkflowNames(data), readLink(data)].find((each) => !each.ok) ??
		bodyFault(NO_CONTENT, readFileAccess(data), ANY_URL);
	return fault === undefined
		? { status: 'OK', message: 'The service issued an access token' }
		: failure(fault);
}

function failure(fault: Fault): INodeCredentialTestResult {
	return { status: 'Error', message: withoutTags(`${fault.message}. ${fault.advice}`) };
}

/** Tests that the settings are complete. Whether the service has the same key shows only when it calls. */
function testCalls(data: ICredentialDataDecryptedObject): INodeCredentialTestResult {
	const read = readAuthentication(data);
	if (!read.ok) return failure(read);
	return { status: 'OK', message: 'The settings are complete' };
}

/** Lists the workflows that are named in the credential. n8n shows only the message of an error here, so it says what to do, too. */
export async function searchWorkflows(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	const fail = (message: string): never => {
		throw new NodeOperationError(this.getNode(), message);
	};
	const credential = await this.getCredentials(CREDENTIAL_NAME).catch(() =>
		fail('No credential selected. Select a Document Workflow API credential to see its workflows'),
	);
	const read = readWorkflowNames(credential);
	if (!read.ok) return fail(`${read.message}. ${read.advice}`);
	if (read.workflows.length === 0)
		fail(
			"No workflow names yet. Enter them under 'Workflow Names' in the Document Workflow API credential, or choose By ID",
		);
	const wanted = filter.trim().toLowerCase();
	return {
		results: read.workflows
			.filter(({ name, id }) => `${name}\n${id}`.toLowerCase().includes(wanted))
			.map(({ name, id }) => ({ name, value: id })),
	};
}
