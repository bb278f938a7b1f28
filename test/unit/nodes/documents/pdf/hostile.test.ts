import { testHostileFiles } from './hostile';

describe('300 damaged PDFs, and files that are made to take long', () =>
	testHostileFiles({ runs: 60, megabytes: 1 }));
