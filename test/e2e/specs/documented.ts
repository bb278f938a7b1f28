import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { CREDENTIAL_TYPE } from '../../../harness/example-workflows';
import { output } from '../../../harness/n8n-execution';
import { ROOT } from '../../../harness/pack';
import { commandBlocks, inlineCommand } from '../../copied-repository';
import { withTrigger } from '../notifying';
import { completeOutsideN8n, expectedOf, until, withOwnService, type World } from '../support';

const run = promisify(execFile);
const PAGE = 'docs/webhooks.md';
const SIMULATOR_PAGE = 'simulator/README.md';
const TRIGGER = 'Document Workflow Trigger';
const DOCUMENT = 'declarations-page';

/** The commands that call a trigger, with the addresses of this n8n and this service, and with the credentials that the pages name. */
export function documentedSpec(world: () => World): void {
	const { workflowId, steps } = expectedOf(DOCUMENT);
	const [plain = '', ...others] = commandBlocks(PAGE);
	const [alone = '', start = '', register = '', send = '', ...more] = commandBlocks(SIMULATOR_PAGE);

	/** Runs commands of the page while a trigger is active with the key of the page; returns the data of the item that starts. */
	async function started(
		apiKey: string,
		work: (shell: (command: string) => Promise<string>, own: World) => Promise<void>,
	): Promise<unknown> {
		return withOwnService(world(), async (own) => {
			const name = 'Of the page';
			const data = { ...own.credential.data, apiKey };
			const id = await own.client.createCredential({ name, type: CREDENTIAL_TYPE, data });
			const credentials = { [CREDENTIAL_TYPE]: { id, name } };
			const wanted = { workflowIds: [], settings: { credentials } };
			return withTrigger(own, wanted, async (notified) => {
				const addresses: Array<[RegExp, string]> = [
					[/http:\/\/127\.0\.0\.1:5678\/webhook(-test)?\/document-workflow/g, notified.url],
					[/http:\/\/127\.0\.0\.1:4010/g, own.simulator.productionUrl],
					[/http:\/\/127\.0\.0\.1:4012/g, own.simulator.administrationUrl],
				];
				await work(async (command) => {
					const text = addresses.reduce((all, [from, to]) => all.replaceAll(from, to), command);
					expect(text).not.toMatch(/:5678|:401\d\b/);
					return (await run('bash', ['-euc', text], { cwd: ROOT })).stdout;
				}, own);
				const [execution = ''] = await own.client.executionIds(notified.id, 1);
				const [item] = output(await own.client.waitForExecution(execution), TRIGGER);
				return item?.json.data;
			});
		});
	}

	const ofAnExecution = async (command: string, own: World): Promise<string> => {
		const { executionId } = await completeOutsideN8n(own, workflowId, `${DOCUMENT}.pdf`);
		expect(command).toContain('the-id-of-an-execution');
		return command.replaceAll('the-id-of-an-execution', executionId);
	};

	it('start the workflow by a call by hand', async () => {
		const data = await started('the-key-of-the-credential', async (shell, own) => {
			await shell(await ofAnExecution(plain, own));
		});
		expect(data).toEqual(steps);
	});

	it('start the workflow with the data of a document that is sent to the simulated service', async () => {
		const data = await started(
			'try-it-with-the-simulator',
			async (shell, { simulator: { state } }) => {
				await shell(register);
				await shell(send);
				await until(() => state.deliveries.all().length > 0);
				const list = await shell(
					inlineCommand(SIMULATOR_PAGE, 'curl -s http://127.0.0.1:4012/deliveries'),
				);
				expect(JSON.parse(list)).toMatchObject([{ answer: 200 }]);
			},
		);
		expect(data).toEqual(steps);
	});

	it('are all run here, but for those that start the demo and the simulator', () => {
		expect(start).toMatch(/^npm run demo .*\nnpm run simulator -- --configuration .*$/);
		expect(alone).toMatch(/^npm run simulator -- --configuration .*$/);
		expect([...others, ...more]).toEqual([]);
	});
}
