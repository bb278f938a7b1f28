import { installingSpec } from './specs/installing';

describe('the package', () => installingSpec('n8n-1'));
