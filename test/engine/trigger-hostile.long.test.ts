import { itRejectsHostileDeliveries } from './support/hostile-deliveries';

describe('The trigger', () => itRejectsHostileDeliveries(10_000));
