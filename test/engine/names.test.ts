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
		[
			'its name on one line, without control characters',
			'policy\r\n\u0000 7\u0007.pdf',
			'policy  7.pdf',
		],
		[
			'its name decoded from a mail header (base64)',
			'=?utf-8?B?TcO8bGxlcg==?= =?utf-8?B?IDcucGRm?=',
			'Müller 7.pdf',
		],
		[
			'its name with apostrophes for double quotes',
			'the "final" policy 7".pdf',
			"the 'final' policy 7'.pdf",
		],
		['its name with the extension of its type', 'policy 7', 'policy 7.pdf'],
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

it.each<BinaryMode>(['memory', 'filesystem'])(
	'A document without name and type is named after its field and typed by its content (%s mode)',
	async (mode) => {
		await useBinaryMode(mode);
		expect(
			await received(file(undefined, PDF, 'application/octet-stream'), 'scan 3'),
		).toMatchObject({ fileName: 'scan 3.pdf', mediaType: 'application/pdf' });
	},
);
