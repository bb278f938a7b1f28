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

it.each<BinaryMode>(['memory', 'filesystem'])(
	'A document without name and type is named after its field and typed by its content (%s mode)',
	async (mode) => {
		await useBinaryMode(mode);
		expect(
			await received(file(undefined, PDF, 'application/octet-stream'), 'scan 3'),
		).toMatchObject({ fileName: 'scan 3.pdf', mediaType: 'application/pdf' });
	},
);
