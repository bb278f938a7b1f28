import { startSimulator, type Simulator } from '../../simulator';
import { together } from './answers';
import type { Mailbag } from './mails';
import type { Booked } from './plan';

/** For a file that nobody has planned. */
const UNKNOWN = { seconds: 1, steps: {}, policies: [], failure: 'Nobody expected this file' };

/** The service, with the planned answer for each file. A planned second takes `scale` seconds. */
export async function startPlanned({ answers }: Mailbag, scale: number): Promise<Simulator> {
	const clients = [{ clientId: 'mailroom', clientSecret: 'made-up-secret-of-the-mailroom' }];
	const simulator = await startSimulator({
		configuration: { clients, workflows: [{ workflowId: 'policy-intake' }] },
	});
	const { executions } = simulator.state;
	const start = executions.start.bind(executions);
	executions.start = (workflow, environment, submission) => {
		const { seconds, steps, failure } = together(
			submission.intakes.map(({ file }) => answers.get(file.sha256) ?? UNKNOWN),
		);
		const duration = { fixedSeconds: seconds * scale };
		const failWith = failure === undefined ? null : { error: failure };
		const execution = start({ ...workflow, duration, failWith }, environment, submission);
		const planned = Object.entries(steps).map(([name, data]) => ({ step_name: name, data }));
		Object.defineProperty(execution, 'steps', {
			enumerable: true,
			get: () => (execution.status === 'completed' ? planned : undefined),
			set: () => undefined,
		});
		return execution;
	};
	return simulator;
}

export function booksOf({ state }: Simulator): Booked[] {
	return state.executions.all().map(({ executionId, files, completesAt }) => ({
		executionId,
		completesAt,
		files: files.map(({ sha256 }) => sha256),
	}));
}
