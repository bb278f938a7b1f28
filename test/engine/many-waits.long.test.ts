import { describeManyWaits } from './support/many-waits';

describeManyWaits(1_000, 16);
