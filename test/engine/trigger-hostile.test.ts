import { itWithstands } from './support/hostile-deliveries';

describe('The trigger', () => itWithstands(300));
