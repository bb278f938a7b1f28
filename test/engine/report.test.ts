import type { IBinaryData, IBinaryKeyData, INodeParameters } from 'n8n-workflow';
import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';
import { answer, getAnswered, POLICY_STEPS } from './support/answers';
import { useBinaryMode, type BinaryMode } from './support/binary-storage';
import { runFlow, type Outcome } from './support/engine';
import { operation, POLICY, policyItem, sha256, useService } from './support/service';

const service = useService();
afterAll(() => useBinaryMode('memory'));

const contentOf = async (file: IBinaryData | undefined) =>
	(await Container.get(BinaryDataService).getAsBuffer(file ?? { data: '', mimeType: '' })).toString(
		'utf8',
	);
const get = ({ outputOptions = {}, ...parameters }: INodeParameters, steps = POLICY_STEPS) =>
	getAnswered(
		service,
		{ steps },
		{ ...parameters, outputOptions: { attachReport: true, ...(outputOptions as INodeParameters) } },
	);

/** As n8n stores an item, or passes it to another workflow. */
const stored = (binary: IBinaryKeyData = {}) =>
	JSON.parse(JSON.stringify(binary)) as IBinaryKeyData;

describe.each<BinaryMode>(['memory', 'filesystem'])(
	'A report on an input item (%s mode)',
	(mode) => {
		beforeEach(() => useBinaryMode(mode));

		const reports = async () => stored((await get({})).received[0][0]?.binary);
		const create = async (binary: IBinaryKeyData, parameters: INodeParameters) =>
			runFlow({
				...service,
				parameters: operation('create', parameters),
				items: [{ ...policyItem(), binary }],
			});
		const sentBy = ({ received: [[item]] }: Outcome) =>
			(item?.json.documents as Array<{ fieldName: string }>).map(({ fieldName }) => fieldName);

		it('is not sent as a document by the wildcard *', async () => {
			const binary = await reports();
			expect(Object.keys(binary)).toEqual(['report']);
			expect(sentBy(await create(binary, { inputDataFieldName: '*' }))).toEqual(['data']);
		});
	},
);

describe('Attach Report', () => {
	it('is added beside the files that Create and Wait sent, and lists these', async () => {
		answer(service, { steps: POLICY_STEPS });
		const { received } = await runFlow({
			...service,
			parameters: operation('createAndWait', {
				outputOptions: { attachReport: true, includeFiles: true },
				waiting: { firstCheckSeconds: 0.1 },
			}),
			items: [policyItem()],
		});
		const [item] = received[0];
		expect(Object.keys(item?.binary ?? {})).toEqual(['report', 'data']);
		const page = await contentOf(item?.binary?.report);
		expect(page).toContain('policy.txt');
		expect(page).toContain(`SHA-256 ${sha256(POLICY)}`);
		expect(item?.json).toMatchObject({ documents: [{ fileName: 'policy.txt' }] });
	});
});
