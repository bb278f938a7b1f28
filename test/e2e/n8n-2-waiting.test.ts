import { pausingSpec } from './specs/pausing';
import { stopSpec } from './specs/stop';
import { survivalSpec } from './specs/survival';
import { timeLimitSpec } from './specs/timeLimit';
import { triggerSpec } from './specs/trigger';
import { waitingSpec } from './specs/waiting';
import { wakingExamplesSpec } from './specs/wakingExamples';
import { describeLine, FOR_BURSTS } from './support';

describeLine('n8n-2', [
	waitingSpec,
	stopSpec,
	pausingSpec,
	timeLimitSpec,
	triggerSpec,
	wakingExamplesSpec,
]);
describeLine('n8n-2', [survivalSpec], FOR_BURSTS['n8n-2']);
