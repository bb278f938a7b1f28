import { testAnyFileName } from './anyFileName';

describe('any of 3,000 file names', () => testAnyFileName(3_000));
