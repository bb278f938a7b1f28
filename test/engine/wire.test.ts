import { randomBytes } from 'node:crypto';
import axios from 'axios';
import FormData from 'form-data';
import type { INodeParameters } from 'n8n-workflow';
import { TOKEN_PATH } from '../../service/contract';
import { executionsPath } from '../../service/executions';
import { useBinaryMode, type BinaryMode } from './support/binary-storage';
import { runFlow } from './support/engine';
import { file, PDF, textOf, type InputFile } from './support/helper-nodes';
import { operation, sha256, useService, workflowById, WORKFLOW_ID } from './support/service';

const service = useService();
afterAll(() => useBinaryMode('memory'));

interface Submission {
	what: string;
	/** One for each input field, in the order in which they are sent. */
	files?: InputFile[];
	fileUrls?: string[];
	textInputs?: Record<string, unknown>;
	metadata?: Record<string, unknown>;
	additional?: Record<string, unknown>;
}

const NOTE = file('note.txt', 'Policy Number: CPP-1001\r\n');
const SUBMISSIONS: Submission[] = [
	{ what: 'one document', files: [NOTE] },
	{
		what: 'several documents of several types',
		files: [
			file('policy.pdf', PDF, 'application/pdf'),
			file('scan.tif', Buffer.from(`II*\0${textOf(70_001).toString()}`), 'image/tiff'),
			NOTE,
			file('data.bin', Buffer.from([0]), 'application/octet-stream'),
		],
	},
	{
		what: 'documents of the same name',
		files: [NOTE, file('note.txt', 'another'), file('note.txt', 'a third')],
	},
	{
		what: 'names in other scripts',
		files: [
			'Schadenmeldung Müller, 2026.txt',
			'保険証券.txt',
			'Ňěmčina – №5.txt',
			'emoji 📄👩‍⚖️.txt',
			'ٱلْعَرَبِيَّة.txt',
		].map((name) => file(name)),
	},
	{
		what: 'names with characters that headers use',
		files: [
			"O'Neil & Sons; policy=1.txt",
			'a=b, c; filename=x.txt',
			'100% (final) [2].txt',
			'tilde~ `x` {1}.txt',
			'  two  spaces.txt'.trim(),
		].map((name) => file(name)),
	},
	{ what: 'quotes in names', files: [file('the "final" policy.txt'), file('"".txt')] },
	{ what: 'a name of 255 bytes', files: [file(`${'n'.repeat(251)}.txt`)] },
	{
		what: 'one large document',
		files: [file('large.bin', randomBytes(20_000_003), 'application/octet-stream')],
	},
	{
		what: 'text inputs',
		files: [NOTE],
		textInputs: {
			line_of_business: 'Property – Gewerbe',
			'a "quoted" name': 'line one\nline two\r\n',
		},
	},
	{ what: 'an empty text input', files: [NOTE], textInputs: { nothing: '' } },
	{
		what: 'metadata',
		files: [NOTE],
		metadata: { external_id: 'INV-2024-001', mailbox: 'schäden@example.com' },
	},
	{
		what: 'additional fields',
		files: [NOTE],
		additional: {
			desk: 'hoch – ja',
			retries: 2,
			urgent: true,
			options: { a: ['"'] },
			'Eigenschaft – "ü" & more': 'x',
			empty: '',
		},
	},
	{
		what: 'all of these',
		files: [NOTE, file('policy.pdf', PDF, 'application/pdf')],
		textInputs: { a: 'b' },
		metadata: { c: 'd' },
		additional: { e: 'f', g: {} },
	},
	{ what: 'no documents', textInputs: { policy_number: 'CPP-1001' } },
	{
		what: 'file URLs',
		fileUrls: ['https://files.example.com/a.pdf?sig=%C3%BC', 'https://files.example.com/ä.pdf'],
		textInputs: { a: 'ü' },
		metadata: { c: '1' },
		additional: { e: [2] },
	},
];

const workflowOf = ({ fileUrls }: Submission) =>
	fileUrls === undefined ? WORKFLOW_ID : 'by-address';

/** A create with axios and form-data, without n8n. */
async function createByHand(submission: Submission): Promise<void> {
	const { clientId, clientSecret } = service.entered;
	const baseURL = service.simulator.productionUrl;
	const { data } = await axios.post<{ access_token: string }>(
		TOKEN_PATH,
		{ client_id: clientId, client_secret: clientSecret },
		{ baseURL },
	);
	const headers = { Authorization: `Bearer ${data.access_token}` };
	await axios.post(
		executionsPath(workflowOf(submission)),
		submission.fileUrls === undefined ? formOf(submission) : jsonOf(submission),
		{ baseURL, headers },
	);
}

function formOf({ files = [], textInputs, metadata, additional = {} }: Submission): FormData {
	const form = new FormData();
	if (textInputs !== undefined) form.append('user_inputs', JSON.stringify(textInputs));
	if (metadata !== undefined) form.append('metadata', JSON.stringify(metadata));
	// form-data does not escape names, so quotes are escaped here as browsers do.
	for (const [name, value] of Object.entries(additional))
		form.append(
			name.replaceAll('"', '%22'),
			typeof value === 'string' ? value : JSON.stringify(value),
		);
	for (const { bytes, fileName = '', mimeType } of files)
		form.append('files', bytes, {
			filename: fileName.replaceAll('"', "'"),
			contentType: mimeType,
		});
	return form;
}

function jsonOf({
	fileUrls,
	textInputs,
	metadata,
	additional,
}: Submission): Record<string, unknown> {
	return {
		file_urls: fileUrls,
		...(textInputs && { user_inputs: textInputs }),
		...(metadata && { metadata }),
		...additional,
	};
}

/** With a value of any type, as expressions give them; line breaks keep }} apart, which would end an expression. */
const pairsOf = (values: Record<string, unknown>) =>
	Object.entries(values).map(([name, value]) => ({
		name,
		value: `={{ ${JSON.stringify(value, null, 1)} }}`,
	}));

async function createInN8n(submission: Submission): Promise<void> {
	const { files = [], fileUrls, textInputs = {}, metadata = {}, additional = {} } = submission;
	const fields = files.map((_file, index) => `field_${index}`);
	const source: INodeParameters =
		fileUrls === undefined
			? { documents: files.length === 0 ? 'none' : 'files', inputDataFieldName: fields.join(',') }
			: { documents: 'urls', fileUrls: fileUrls.join('\n') };
	const { error } = await runFlow({
		...service,
		parameters: operation('create', {
			...source,
			workflowId: workflowById(workflowOf(submission)),
			inputs: {
				textInputs: pairsOf(textInputs),
				metadata: pairsOf(metadata),
				additional: pairsOf(additional),
			},
		}),
		items: [{ files: Object.fromEntries(files.map((each, index) => [`field_${index}`, each])) }],
	});
	expect(error).toBeUndefined();
}

describe.each<BinaryMode>(['memory', 'filesystem'])(
	'The node (%s mode) sends the same request as axios and form-data with',
	(mode) => {
		beforeEach(() => useBinaryMode(mode));

		it.each(SUBMISSIONS)('$what', async (submission) => {
			const { files = [] } = submission;
			await createByHand(submission);
			await createInN8n(submission);
			const [byHand, inN8n] = service.state.executions
				.all()
				.map(({ files: arrived, fileUrls, userInputs, metadata, bodyFields, fieldOrder }) => ({
					arrived,
					fileUrls,
					userInputs,
					metadata,
					bodyFields,
					fieldOrder,
				}));
			expect(byHand).toMatchObject({
				arrived: files.map(({ bytes, mimeType }) => ({
					fieldName: 'files',
					mediaType: mimeType,
					bytes: bytes.length,
					sha256: sha256(bytes),
				})),
				userInputs: submission.textInputs ?? null,
				metadata: submission.metadata ?? null,
			});
			expect(inN8n).toEqual(byHand);
			const requests = service.requests('create');
			expect(
				requests.map(({ contentLength, bodyBytes, transferEncoding }) => [
					contentLength,
					transferEncoding,
					bodyBytes > 0,
				]),
			).toEqual(requests.map(({ bodyBytes }) => [bodyBytes, null, true]));
			expect(requests).toHaveLength(2);
		});
	},
);
