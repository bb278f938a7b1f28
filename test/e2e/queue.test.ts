import { pausingSpec } from './specs/pausing';
import { queueSpec } from './specs/queue';
import { timeLimitSpec } from './specs/timeLimit';
import { triggerSpec } from './specs/trigger';
import { describeQueue } from './support';

describeQueue('n8n-1', [queueSpec, pausingSpec, timeLimitSpec, triggerSpec]);
describeQueue('n8n-2', [queueSpec, pausingSpec, timeLimitSpec, triggerSpec]);
