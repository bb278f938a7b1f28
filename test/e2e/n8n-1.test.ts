import { browserReviewingSpec } from './specs/browserReviewing';
import { credentialSpec } from './specs/credential';
import { executionSpec } from './specs/execution';
import { filesSpec } from './specs/files';
import { heldExampleSpec } from './specs/heldExample';
import { httpRequestSpec } from './specs/httpRequest';
import { longWaitsSpec } from './specs/longWaits';
import { mailSweepSpec } from './specs/mailSweep';
import { pausingSpec } from './specs/pausing';
import { renewalSpec } from './specs/renewal';
import { retryingSpec } from './specs/retrying';
import { reviewingSpec } from './specs/reviewing';
import { stopSpec } from './specs/stop';
import { templatesOnN8n1Spec } from './specs/templates';
import { templatesTasksSpec } from './specs/templatesTasks';
import { toolSpec } from './specs/tool';
import { triggerSpec } from './specs/trigger';
import { valuesSpec } from './specs/values';
import { waitEndsSpec } from './specs/waitEnds';
import { describeLine } from './lines';

// What n8n 1 does as n8n 2 is tested on n8n 2 only.
describeLine(
	'n8n-1',
	{
		credential: credentialSpec,
		execution: executionSpec,
		files: filesSpec,
		retrying: retryingSpec,
		renewal: renewalSpec,
		values: valuesSpec,
		httpRequest: httpRequestSpec,
		tool: toolSpec,
		mailSweep: mailSweepSpec,
		templates: templatesOnN8n1Spec,
		templatesTasks: templatesTasksSpec,
		stop: stopSpec,
		trigger: triggerSpec,
		longWaits: longWaitsSpec,
		waitEnds: waitEndsSpec,
		// late, because they move the clock
		pausing: pausingSpec,
		heldExample: heldExampleSpec,
		reviewing: reviewingSpec,
		browserReviewing: browserReviewingSpec,
	},
	{ differencesOnly: true },
);
