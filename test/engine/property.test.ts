import { itSendsWhatIsMeant } from './support/any-items';

describe('Create', () => itSendsWhatIsMeant(3));
