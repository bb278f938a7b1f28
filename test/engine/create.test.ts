import { runFlow } from './support/engine';
import { operation, policyItem, startService, type Service } from './support/service';

let service: Service;
beforeAll(async () => { service = await startService(); });
beforeEach(async () => await service.reset());
afterAll(async () => await service.stop());

it('probe', async () => {
	const outcome = await runFlow({ ...service, parameters: operation('createAndWait', { options: { firstLookSeconds: 0.2 } }), items: [policyItem()] });
	console.log(JSON.stringify(outcome.outputs, null, 1), outcome.error, outcome.status, outcome.logs, outcome.received);
	console.log(service.requests(), JSON.stringify(service.simulator.state.executions.all()));
});
it('probe failing', async () => {
	for (const onError of ['continueRegularOutput', 'continueErrorOutput'] as const) {
	const outcome = await runFlow({ ...service, parameters: operation('createAndWait', { workflowId: {__rl:true, mode:'id', value:'failing'}, options: { firstLookSeconds: 0.2 } }), items: [policyItem()], settings: {onError} });
	console.log(JSON.stringify(outcome.outputs, null, 1), outcome.error, outcome.status);
	}
});
