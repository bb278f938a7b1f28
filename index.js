'use strict';

/** The classes of this package, for code that requires it. n8n loads them by the paths in package.json. */
const { DocumentWorkflowApi } = require('./dist/credentials/DocumentWorkflowApi.credentials');
const { DocumentWorkflow } = require('./dist/nodes/DocumentWorkflow/DocumentWorkflow.node');
const {
	DocumentWorkflowTrigger,
} = require('./dist/nodes/DocumentWorkflow/DocumentWorkflowTrigger.node');

module.exports = {
	DocumentWorkflow,
	DocumentWorkflowApi,
	DocumentWorkflowTrigger,
};
