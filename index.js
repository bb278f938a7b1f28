'use strict';

/** The classes of this package, for whoever requires it; n8n itself reads them as listed in package.json. */
const { DocumentWorkflowApi } = require('./dist/credentials/DocumentWorkflowApi.credentials');
const {
	DocumentWorkflowWebhookApi,
} = require('./dist/credentials/DocumentWorkflowWebhookApi.credentials');
const { DocumentWorkflow } = require('./dist/nodes/DocumentWorkflow/DocumentWorkflow.node');
const {
	DocumentWorkflowTrigger,
} = require('./dist/nodes/DocumentWorkflow/DocumentWorkflowTrigger.node');

module.exports = {
	DocumentWorkflow,
	DocumentWorkflowApi,
	DocumentWorkflowTrigger,
	DocumentWorkflowWebhookApi,
};
