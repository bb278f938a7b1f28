import { continuingSpec } from './specs/continuing';
import { restartingSpec } from './specs/restarting';
import { describeLine } from './lines';

describeLine('n8n-2', {
	restarting: restartingSpec,
	continuing: continuingSpec,
});
