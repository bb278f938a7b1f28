import { installingSpec } from './specs/installing';
import { installingByEnvironmentSpec } from './specs/installingByEnvironment';
import { installingPausedSpec } from './specs/installingPaused';

describe('the package', () => {
	installingSpec('n8n-1');
	installingPausedSpec('n8n-1');
	installingPausedSpec('n8n-2');
	installingByEnvironmentSpec();
});
