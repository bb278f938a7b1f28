import { testHostileFiles } from './hostile';

describe('6,000 damaged PDFs, and long files that are made to take long', () =>
	testHostileFiles({ runs: 1200, megabytes: 8 }));
