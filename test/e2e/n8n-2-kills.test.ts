import { continuingSpec } from './specs/continuing';
import { reconcilingSpec } from './specs/reconciling';
import { restartingSpec } from './specs/restarting';
import { survivalSpec } from './specs/survival';
import { describeLine } from './lines';

describeLine('n8n-2', {
	reconciling: reconcilingSpec,
	survival: survivalSpec,
	restarting: restartingSpec,
	continuing: continuingSpec,
});
