import { pausingSpec } from './specs/pausing';
import { queueSpec } from './specs/queue';
import { timeLimitSpec } from './specs/timeLimit';
import { triggerSpec } from './specs/trigger';
import { describeQueue } from './lines';

for (const line of ['n8n-1', 'n8n-2'] as const) {
	describeQueue(
		line,
		{ pausing: pausingSpec, trigger: triggerSpec, timeLimit: timeLimitSpec, queue: queueSpec },
		{ long: true },
	);
}
