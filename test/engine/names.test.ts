import { png } from '../fixtures/images';
import { useBinaryMode, type BinaryMode } from './support/binary-storage';
import { runFlow } from './support/engine';
import { file, PDF } from './support/files';
import type { InputFile } from './support/helper-nodes';
import { operation, useService } from './support/service';

const service = useService();

const received = async (given: InputFile, fieldName = 'data') => {
	const parameters = operation('create', { inputDataFieldName: fieldName });
	const { outputs, error } = await runFlow({
		...service,
		parameters,
		items: [{ files: { [fieldName]: given } }],
	});
	expect(error).toBeUndefined();
	const [arrived] = service.state.executions.all().flatMap(({ files }) => files);
	expect(outputs[0]?.[0]?.json.documents).toEqual([
		expect.objectContaining({ fileName: arrived?.fileName, mediaType: arrived?.mediaType }),
	]);
	return arrived;
};

describe('The service receives a document under', () => {
	it.each([
		['its own name', 'policy 7 (final).pdf', 'policy 7 (final).pdf'],
		[
			'a name in other scripts',
			'保険証券 – Überweisung №5 📄.pdf',
			'保険証券 – Überweisung №5 📄.pdf',
		],
		['its name without folders', 'C:\\Users\\me\\..\\claims/policy.pdf', 'policy.pdf'],
		['its name without parent folders', '../../etc/policy.pdf', 'policy.pdf'],
		[
			'its name on one line, without control characters',
			'policy\r\n\u0000 7\u0007.pdf',
			'policy  7.pdf',
		],
		['its name without direction marks', 'policy\u202efdp.pdf', 'policyfdp.pdf'],
		[
			'its name decoded from a mail header (base64)',
			'=?utf-8?B?TcO8bGxlcg==?= =?utf-8?B?IDcucGRm?=',
			'Müller 7.pdf',
		],
		[
			'its name decoded from a mail header (quoted-printable)',
			'=?iso-8859-1?Q?M=FCller_7=2Epdf?=',
			'Müller 7.pdf',
		],
		[
			'its name decoded from a mail header (RFC 2231)',
			"utf-8''M%C3%BCller%207.pdf",
			'Müller 7.pdf',
		],
		['its name in composed letters', 'Mu\u0308ller.pdf', 'Müller.pdf'],
		[
			'its name with apostrophes for double quotes',
			'the "final" policy 7".pdf',
			"the 'final' policy 7'.pdf",
		],
		['its name with the extension of its type', 'policy 7', 'policy 7.pdf'],
		['the name of its field when it has no name', undefined, 'data.pdf'],
		['the name of its field when nothing of its own remains', '/../ . ', 'data.pdf'],
		['the name of its field when only an extension remains', '.pdf', 'data.pdf'],
	])('%s', async (_what, given, name) => {
		expect((await received(file(given, PDF, 'application/pdf')))?.fileName).toBe(name);
	});

	it('a name cut to 255 bytes between characters, with its extension', async () => {
		const name =
			(await received(file(`${'ü'.repeat(300)}.pdf`, PDF, 'application/pdf')))?.fileName ?? '';
		expect(name).toBe(`${'ü'.repeat(125)}.pdf`);
		expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
	});
});

describe('The service receives a document with', () => {
	const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

	it.each<[string, InputFile, string]>([
		['the type that it came with', file('policy.pdf', PDF, 'application/pdf'), 'application/pdf'],
		[
			'the type that it came with, without parameters and in lower case',
			file('note.txt', 'x', 'Text/CSV; charset=utf-8'),
			'text/csv',
		],
		[
			'the type of its first bytes when it came as application/octet-stream',
			file('scan', PDF, 'application/octet-stream'),
			'application/pdf',
		],
		[
			'the type of its first bytes when it came without a type',
			file('photo', png(3, 3), ''),
			'image/png',
		],
		[
			'the type of its first bytes when n8n only guessed text',
			file('scan', png(3, 3), 'text/plain'),
			'image/png',
		],
		[
			'the type of its extension when its bytes are less specific',
			file('letter.docx', Buffer.from('PK\x03\x04', 'latin1'), 'application/octet-stream'),
			WORD,
		],
		[
			'the generic type when nothing is known',
			file('data.xyz', Buffer.from([0, 1, 2, 3]), 'application/octet-stream'),
			'application/octet-stream',
		],
	])('%s', async (_what, given, mediaType) => {
		expect((await received(given))?.mediaType).toBe(mediaType);
	});
});

it.each<BinaryMode>(['memory', 'filesystem'])(
	'A document without name and type is named after its field and typed by its content (%s mode)',
	async (mode) => {
		await useBinaryMode(mode);
		expect(
			await received(file(undefined, PDF, 'application/octet-stream'), 'scan 3'),
		).toMatchObject({ fileName: 'scan 3.pdf', mediaType: 'application/pdf' });
	},
);
