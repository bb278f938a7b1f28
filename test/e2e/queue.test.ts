import { queueSpec } from './specs/queue';
import { describeQueue } from './lines';

describeQueue('n8n-2', { queue: queueSpec });
