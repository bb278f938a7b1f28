/** Texts from outside become neither markup nor expressions, wherever n8n shows them. */
import { Container } from '@n8n/di';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { BinaryDataService } from 'n8n-core';
import { TOKEN_PATH } from '../../service/contract';
import { startHandler } from '../servers';
import { cell, getAnswered, step } from './support/answers';
import { runFlow, type Outcome } from './support/engine';
import { file } from './support/helper-nodes';
import { operation, useService, workflowById } from './support/service';

const service = useService();

const LINK = '<a href="https://login.example/">Session expired</a>{{ 6 * 7 }}';
const HOSTILE = { minimumConfidence: 0.9, outputOptions: { attachReport: true } };
const FILES = [
	{ files: { data: file(`a ${LINK.replaceAll('/', '')}.pdf`, Buffer.from('%PDF-1.7'), '') } },
];

/** What a person sees of an outcome: errors and hints. */
function shownOf({ error, hints, outputs }: Outcome): string {
	const failed = (outputs[0] ?? []).map(({ json }) => json.error ?? '');
	return JSON.stringify([error?.message, error?.description, hints, failed]);
}

function expectPlain(shown: string): void {
	expect(shown).not.toMatch(/<a|{{ 6/);
	expect(shown).toMatch(/Session expired/);
}

describe('A text with a link and an expression', () => {
	it.each<[string, IDataObject]>([
		['values and names', { steps: [step(LINK, { [LINK]: cell(LINK, 0.1), b: cell(1, 0.95) })] }],
		['text without rows', { steps: [{ step_name: LINK, data: { [LINK]: LINK } }] }],
		['the status', { status: LINK, steps: [step('policy', { a: cell('b', 0.1) })] }],
		['the reason of a failure', { status: 'failed', error: LINK }],
		[
			'the identifiers',
			{ steps: [step('a', { b: cell('c', 0.1) })], metadata: { external_id: LINK } },
		],
	])('is neither in a hint nor in a report: %s', async (_, body) => {
		for (const output of ['simplified', 'rows', 'raw', 'selected']) {
			const outcome = await getAnswered(service, body, { ...HOSTILE, output });
			const pages = await Promise.all(
				outcome.received[0]
					.flatMap(({ binary }) => (binary?.report ? [binary.report] : []))
					.map(async (report) =>
						(await Container.get(BinaryDataService).getAsBuffer(report)).toString(),
					),
			);
			expect(JSON.stringify([outcome.hints, pages])).not.toMatch(/<a|{{/);
		}
	});

	it.each<[string, Parameters<typeof service.state.faults.add>[0]['action']]>([
		['a reason', { type: 'status', status: 422, body: { detail: LINK } }],
		['a field of an unknown shape', { type: 'status', status: 422, body: { [LINK]: 1 } }],
		['an answer without an identifier', { type: 'status', status: 200, body: { [LINK]: LINK } }],
		['a fault of the service', { type: 'status', status: 500, body: LINK }],
	])('is not in an error of a create: %s', async (_, action) => {
		for (const onError of [undefined, 'continueRegularOutput'] as const) {
			service.state.faults.add({ route: 'create', action });
			expectPlain(
				shownOf(
					await runFlow({
						...service,
						parameters: operation('create'),
						items: FILES,
						...(onError && { settings: { onError } }),
					}),
				),
			);
		}
	});

	it.each<[string, INodeParameters]>([
		[
			'the ID of a workflow',
			{
				workflowId: workflowById(
					`={{ ${JSON.stringify(LINK.replace('{{', '').replace('}}', ''))} }}`,
				),
			},
		],
		[
			'a name of a text input that is there twice',
			{
				inputs: {
					textInputs: [
						{ name: LINK, value: 'a' },
						{ name: LINK, value: 'b' },
					],
				},
			},
		],
		['a file', { documentOptions: { unusableFiles: 'fail' } }],
		['the only file', { documentOptions: { withoutDocuments: 'fail', fileNames: '*.png' } }],
	])('is not in an error about what is entered: %s', async (_, parameters) => {
		const items = [
			{ files: { data: file(`${LINK.replaceAll('/', '')}.pdf`, Buffer.alloc(0), '') } },
		];
		expectPlain(
			shownOf(await runFlow({ ...service, parameters: operation('create', parameters), items })),
		);
	});

	it.each<[string, number, string]>([
		['a reason', 401, 'application/json'],
		['a type of content', 200, 'text/<a href=x>Session expired{{ 6 * 7 }}'],
	])('is not in the error of the token endpoint: %s', async (_, status, type) => {
		const server = await startHandler((request, response) => {
			expect(request.url).toBe(TOKEN_PATH);
			response.writeHead(status, { 'content-type': type });
			response.end(status === 401 ? JSON.stringify({ detail: LINK }) : 'x');
		});
		await service.enter({ productionUrl: server.url });
		const outcome = await runFlow({ ...service, parameters: operation('create'), items: FILES });
		await server.stop();
		expectPlain(shownOf(outcome).replace(/session/g, 'Session'));
	});
});
