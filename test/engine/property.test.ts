import { itSendsExpectedDocuments } from './support/any-items';

describe('Create', () => itSendsExpectedDocuments(3));
