import { itWithstands } from './support/hostile-deliveries';

describe('The trigger', () => itWithstands(10_000));
