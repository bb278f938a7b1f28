import { queueSpec } from './specs/queue';
import { describeQueue } from './support';

describeQueue('n8n-1', [queueSpec]);
describeQueue('n8n-2', [queueSpec]);
