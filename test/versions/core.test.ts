import { credentialSpec } from '../e2e/specs/credential';
import { executionSpec } from '../e2e/specs/execution';
import { triggerSpec } from '../e2e/specs/trigger';
import { describeVersion } from '../e2e/lines';

describeVersion(process.env.VERSION_OF_N8N ?? '', {
	credential: credentialSpec,
	execution: executionSpec,
	trigger: triggerSpec,
});
