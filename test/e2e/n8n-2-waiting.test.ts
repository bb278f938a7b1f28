import { documentedSpec } from './specs/documented';
import { heldExampleSpec } from './specs/heldExample';
import { longWaitsSpec } from './specs/longWaits';
import { pausingSpec } from './specs/pausing';
import { pausingExamplesSpec } from './specs/pausingExamples';
import { stopSpec } from './specs/stop';
import { triggerSpec } from './specs/trigger';
import { waitEndsSpec } from './specs/waitEnds';
import { waitingSpec } from './specs/waiting';
import { describeLine } from './lines';

describeLine('n8n-2', {
	waiting: waitingSpec,
	stop: stopSpec,
	trigger: triggerSpec,
	documented: documentedSpec,
	longWaits: longWaitsSpec,
	waitEnds: waitEndsSpec,
	// late, because they move the clock
	pausing: pausingSpec,
	pausingExamples: pausingExamplesSpec,
	heldExample: heldExampleSpec,
});
