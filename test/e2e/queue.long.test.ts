import { pausingSpec } from './specs/pausing';
import { queueSpec } from './specs/queue';
import { checkTimesSpec } from './specs/checkTimes';
import { triggerSpec } from './specs/trigger';
import { describeQueue } from './lines';

for (const line of ['n8n-1', 'n8n-2'] as const) {
	describeQueue(
		line,
		{ pausing: pausingSpec, trigger: triggerSpec, checkTimes: checkTimesSpec, queue: queueSpec },
		{ long: true },
	);
}
