import { describeLine } from './lines';
import { longWaitsSpec } from './specs/longWaits';
describeLine('n8n-2', { longWaits: longWaitsSpec });
describeLine('n8n-1', { longWaits: longWaitsSpec });
