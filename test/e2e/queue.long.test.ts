import { longWaitsSpec } from './specs/longWaits';
import { pausingSpec } from './specs/pausing';
import { queueSpec } from './specs/queue';
import { reviewingSpec } from './specs/reviewing';
import { triggerSpec } from './specs/trigger';
import { waitEndsSpec } from './specs/waitEnds';
import { DEPLOYED } from '../../harness/n8n-queue';
import { describeQueue } from './lines';
import { queueLoadSpec } from './specs/queueLoad';

for (const line of ['n8n-1', 'n8n-2'] as const) {
	describeQueue(
		line,
		{
			trigger: triggerSpec, // before others move the clock of n8n, because the service signs with the real time
			longWaits: longWaitsSpec,
			waitEnds: waitEndsSpec,
			pausing: pausingSpec,
			queue: queueSpec,
			reviewing: reviewingSpec, // last, because it ends n8n
		},
		{ long: true },
	);
}

describeQueue('n8n-2', { queueLoad: queueLoadSpec }, { long: true }, DEPLOYED);
