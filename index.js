'use strict';

/** The classes of this package, for whoever requires it; n8n itself reads them as listed in package.json. */
const { DocumentWorkflowApi } = require('./dist/credentials/DocumentWorkflowApi.credentials');
const { DocumentWorkflow } = require('./dist/nodes/DocumentWorkflow/DocumentWorkflow.node');

module.exports = { DocumentWorkflow, DocumentWorkflowApi };
