import { runFlow } from './support/engine';
import { operation, policyItem, useService } from './support/service';

const service = useService();

it('Waiting continues with the execution of another run or node', async () => {
	await runFlow({ ...service, parameters: operation('create'), items: [policyItem()] });
	const [{ executionId = '' } = {}] = service.state.executions.all();
	const { outputs } = await runFlow({
		...service,
		parameters: operation('wait', {
			executionId: ` ${executionId} `,
			waiting: { firstCheckSeconds: 0.1 },
		}),
	});
	expect(outputs[0]?.[0]?.json).toMatchObject({
		executionId,
		status: 'completed',
		data: { policy: [{ policy_number: 'CPP-1001' }] },
	});
});
