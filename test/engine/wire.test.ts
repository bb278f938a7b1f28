import { randomBytes } from 'node:crypto';
import axios from 'axios';
import FormData from 'form-data';
import { executionsPath, TOKEN_PATH } from '../../service/contract';
import { runFlow } from './support/engine';
import { operation, useService, WORKFLOW_ID } from './support/service';

const service = useService();

const files = [
	{ fieldName: 'first', fileName: 'Schadenmeldung Müller, 2026.pdf', mimeType: 'application/pdf', bytes: randomBytes(300_000) },
	{ fieldName: 'second', fileName: 'note.txt', mimeType: 'text/plain', bytes: Buffer.from('Policy Number: CPP-1001\r\n') },
];
const textInputs = { line_of_business: 'Property – Gewerbe', 'a "quoted" name': 'line one\nline two' };

/** The create of a client written by hand on axios and form-data. */
async function createByHand(): Promise<void> {
	const { clientId, clientSecret } = service.entered;
	const baseURL = service.simulator.productionUrl;
	const { data } = await axios.post<{ access_token: string }>(TOKEN_PATH, { client_id: clientId, client_secret: clientSecret }, { baseURL });
	const form = new FormData();
	for (const { bytes, fileName, mimeType } of files) form.append('files', bytes, { filename: fileName, contentType: mimeType });
	form.append('user_inputs', JSON.stringify(textInputs));
	await axios.post(executionsPath(WORKFLOW_ID), form, { baseURL, headers: { Authorization: `Bearer ${data.access_token}` } });
}

async function createInN8n(): Promise<void> {
	const { error } = await runFlow({
		...service,
		parameters: operation('create', { inputDataFieldName: 'first, second', specifyTextInputs: 'json', textInputsJson: JSON.stringify(textInputs) }),
		items: [{ files: Object.fromEntries(files.map(({ fieldName, ...file }) => [fieldName, file])) }],
	});
	expect(error).toBeUndefined();
}

describe('a create of the node', () => {
	it('arrives as that of a client written by hand: names, types, bytes, text inputs', async () => {
		await createByHand();
		await createInN8n();
		const [byHand, inN8n] = service.state.executions.all().map(({ files: arrived, userInputs, metadata, bodyFields }) => ({ arrived, userInputs, metadata, bodyFields }));
		expect(byHand?.arrived).toHaveLength(2);
		expect(byHand?.userInputs).toEqual(textInputs);
		expect(inN8n).toEqual(byHand);
	});

	it('announces its length as that client does, and is sent in one piece', async () => {
		await createByHand();
		await createInN8n();
		for (const { contentLength, bodyBytes, transferEncoding } of service.requests('create')) {
			expect(contentLength).toBe(bodyBytes);
			expect(transferEncoding).toBeNull();
		}
		expect(service.requests('create')).toHaveLength(2);
	});
});
