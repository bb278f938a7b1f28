import { describeManyWaits } from './support/many-waits';

describeManyWaits(100, 3);
