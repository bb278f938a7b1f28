/* global FormData, Blob */
/**
 * The yardstick of the costs: a node that only sends authenticated requests for each item.
 */
const CREDENTIAL = 'documentWorkflowApi';
const PATH = '/api/v1/workflow-builder/workflows/w/executions';

class BareRequests {
	description = {
		displayName: 'Bare Requests',
		name: 'bareRequests',
		group: ['transform'],
		version: 1,
		description: 'Sends authenticated requests for each item',
		defaults: { name: 'Bare Requests' },
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{ name: CREDENTIAL, required: true }],
		properties: [
			{ displayName: 'Operation', name: 'operation', type: 'string', default: 'get' },
			{ displayName: 'Execution ID', name: 'executionId', type: 'string', default: '' },
			{ displayName: 'Times', name: 'times', type: 'number', default: 1 },
			{ displayName: 'At Once', name: 'atOnce', type: 'number', default: 8 },
			{ displayName: 'Base URL', name: 'baseUrl', type: 'string', default: '' },
		],
	};

	async execute() {
		const address = this.getNodeParameter('baseUrl', 0) + PATH;
		const times = this.getNodeParameter('times', 0);
		const isCreate = this.getNodeParameter('operation', 0) === 'create';
		const send = (options) =>
			this.helpers.httpRequestWithAuthentication.call(this, CREDENTIAL, { json: true, ...options });
		const check = async (index) => {
			const id = this.getNodeParameter('executionId', index);
			let answer;
			for (let time = 0; time < times; time++)
				answer = await send({ method: 'GET', url: `${address}/${id}` });
			return answer;
		};
		const create = async (index) => {
			const body = new FormData();
			const bytes = await this.helpers.getBinaryDataBuffer(index, 'data');
			body.append('files', new Blob([bytes], { type: 'application/pdf' }), 'document.pdf');
			return send({ method: 'POST', url: address, body, disableFollowRedirect: true });
		};
		const output = [];
		const indexes = this.getInputData().keys();
		const worker = async () => {
			for (const index of indexes) {
				const json = isCreate ? await create(index) : await check(index);
				output[index] = { json, pairedItem: { item: index } };
			}
		};
		const length = this.getNodeParameter('atOnce', 0);
		await Promise.all(Array.from({ length }, worker));
		return [output];
	}
}

module.exports = { BareRequests };
