import { outageSpec } from './specs/outage';
import { pausingSpec } from './specs/pausing';
import { pausingExamplesSpec } from './specs/pausingExamples';
import { reconcilingSpec } from './specs/reconciling';
import { stopSpec } from './specs/stop';
import { survivalSpec } from './specs/survival';
import { timeLimitSpec } from './specs/timeLimit';
import { triggerSpec } from './specs/trigger';
import { waitingSpec } from './specs/waiting';
import { describeLine } from './lines';

describeLine('n8n-2', {
	waiting: waitingSpec,
	stop: stopSpec,
	pausing: pausingSpec,
	trigger: triggerSpec,
	timeLimit: timeLimitSpec,
	pausingExamples: pausingExamplesSpec,
	outage: outageSpec,
	reconciling: reconcilingSpec, // these two are last, because they kill n8n
	survival: survivalSpec,
});
