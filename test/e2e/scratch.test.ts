import { continuingSpec } from './specs/continuing';
import { describeLine } from './lines';
describeLine(process.env.SCRATCH_LINE as 'n8n-2', { continuing: continuingSpec });
