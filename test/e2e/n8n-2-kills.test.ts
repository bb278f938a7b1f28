import { reconcilingSpec } from './specs/reconciling';
import { retryingSpec } from './specs/retrying';
import { survivalSpec } from './specs/survival';
import { describeLine } from './lines';

describeLine('n8n-2', {
	retrying: retryingSpec,
	reconciling: reconcilingSpec,
	survival: survivalSpec,
});
