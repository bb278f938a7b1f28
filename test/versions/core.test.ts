import { credentialSpec } from '../e2e/specs/credential';
import { executionSpec } from '../e2e/specs/execution';
import { pausingSpec } from '../e2e/specs/pausing';
import { triggerSpec } from '../e2e/specs/trigger';
import { valuesSpec } from '../e2e/specs/values';
import { describeVersion } from '../e2e/lines';

describeVersion(process.env.VERSION_OF_N8N ?? '', {
	credential: credentialSpec,
	execution: executionSpec,
	values: valuesSpec,
	trigger: triggerSpec,
	pausing: pausingSpec, // last, because it moves the clock
});
