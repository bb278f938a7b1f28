import { continuingSpec } from './specs/continuing';
import { reconcilingSpec } from './specs/reconciling';
import { restartingSpec } from './specs/restarting';
import { retryingSpec } from './specs/retrying';
import { survivalSpec } from './specs/survival';
import { describeLine } from './lines';

describeLine('n8n-2', {
	retrying: retryingSpec,
	reconciling: reconcilingSpec,
	survival: survivalSpec,
	restarting: restartingSpec,
	continuing: continuingSpec,
});
